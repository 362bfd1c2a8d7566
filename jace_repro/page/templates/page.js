"use strict";
(() => {
  const $ = (query, inside = document) => inside.querySelector(query);
  const all = (query, inside = document) => [...inside.querySelectorAll(query)];
  const json = (element) => JSON.parse(element.textContent);

  // --- said in passing
  let saying;
  function say(text) {
    const said = $("#said");
    said.textContent = text;
    said.classList.add("shown");
    clearTimeout(saying);
    saying = setTimeout(() => said.classList.remove("shown"), 1800);
  }

  // --- light and dark
  const root = document.documentElement;
  const kept = (value) => {  // a file opened from the disk may have no storage
    try {
      if (value) localStorage.setItem("jace-repro-theme", value);
      return localStorage.getItem("jace-repro-theme");
    } catch { return null; }
  };
  if (kept()) root.dataset.theme = kept();
  function turn() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept(root.dataset.theme);
  }
  $("#theme").addEventListener("click", turn);

  // --- copying and saving
  async function copy(finding, what) {
    const text = json($(".texts", finding))[what];
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // not allowed here: the old way
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(what === "repro" ? "Repro copied" : "Bug report copied");
  }
  function save(finding, what, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([json($(".texts", finding))[what]], { type: "application/json" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy], [data-save]");
    if (!button) return;
    const finding = button.closest(".finding");
    if (button.dataset.copy) copy(finding, button.dataset.copy);
    else save(finding, button.dataset.save, button.dataset.name);
  });

  // --- an equation at every level
  for (const finding of all(".finding")) {
    const linked = all(".levels, .change", finding);
    let parts, pinned = null;
    const find = () => parts ??= linked.flatMap((one) => all("[data-eq]", one)).map((part) => [part, part.dataset.eq.split(" ")]);
    const light = (at) => {
      const lines = at ? at.dataset.eq.split(" ") : [];
      for (const [part, own] of find()) part.classList.toggle("lit", own.some((line) => lines.includes(line)));
    };
    const show = (at) => {  // bring the first part of each other pane into view
      for (const pane of all(".pane", finding)) {
        if (pane.contains(at)) continue;
        const box = $(".code, .canvas", pane), first = $(".ln.lit, .tasklet.lit", pane) ?? $(".lit", pane);
        if (!box || !first) continue;
        const [inner, outer] = [first.getBoundingClientRect(), box.getBoundingClientRect()];
        if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - 40;
        if (inner.left < outer.left || inner.left > outer.right) box.scrollLeft += inner.left - outer.left - 40;
      }
    };
    finding.release = () => { pinned = null; light(null); };
    for (const one of linked) {
      one.classList.add("linked");
      one.addEventListener("pointerover", (event) => {
        if (!pinned) light(event.target.closest("[data-eq]"));
      });
      one.addEventListener("pointerleave", () => { if (!pinned) light(null); });
      one.addEventListener("focusin", (event) => {
        const at = event.target.closest("[data-eq]");
        if (at && !pinned) { light(at); show(at); }
      });
      one.addEventListener("click", (event) => {
        const at = event.target.closest("[data-eq]");
        pinned = at && at !== pinned ? at : null;
        light(pinned);
        if (pinned) show(pinned);
      });
      one.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && event.target.dataset.eq) event.target.click();
      });
    }
  }
  // What is first seen of the C++ is where something is computed, not DaCe's frame.
  function settle(finding) {
    if (!finding.open || finding.settled) return;
    finding.settled = true;
    for (const box of all(".levels .code", finding)) {
      const first = $("[data-eq]", box);
      if (first) box.scrollTop = first.offsetTop - box.offsetTop - 60;
    }
    for (const box of all(".canvas", finding)) zoom(box, 0);
  }
  // A graph as large as its pane, or by a factor; never so small that nobody can read it.
  function zoom(box, factor) {
    const svg = $("svg", box), [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
    const room = Math.min((box.clientWidth - 24) / width, ((parseFloat(getComputedStyle(box).maxHeight) || 560) - 24) / height);
    const fit = Math.max(0.62, Math.min(1.1, room));
    box.scale = factor ? Math.min(3, Math.max(0.2, (box.scale ?? 1) * factor)) : fit;
    svg.style.width = `${width * box.scale}px`;
    svg.style.height = `${height * box.scale}px`;
    if (factor) return;
    const [first, outer] = [$(".state", svg) ?? svg, box].map((one) => one.getBoundingClientRect());
    box.scrollLeft += first.left - outer.left - (outer.width - first.width) / 2;
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom], [data-further]");
    if (!button) return;
    if (button.dataset.zoom) return void zoom($(".canvas", button.closest(".pane")), Number(button.dataset.zoom));
    $(".further", button.previousElementSibling).hidden = false;
    button.remove();
  });
  for (const finding of all(".finding")) {
    settle(finding);
    finding.addEventListener("toggle", () => settle(finding));
  }

  // --- what a cell of an error map says
  for (const heat of all(".heat")) {
    const cells = json($("script", heat)), image = $("image", heat), told = $("output", heat.parentElement);
    const { rows, columns, unit, rank } = heat.dataset;
    if (!image) continue;
    heat.addEventListener("pointermove", (event) => {
      const box = image.getBoundingClientRect();
      const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      if (x < 0 || y < 0 || x >= 1 || y >= 1) return void (told.textContent = "");
      const value = cells[Math.floor(y * cells.length)][Math.floor(x * cells[0].length)];
      const [row, column] = [Math.floor(y * rows), Math.floor(x * columns)];
      const place = rank < 2 ? `[${row * columns + column}]` : `row ${row}, column ${column}`;
      const size = value === null ? "NaN or infinite on one side" : value < 0 ? "" : value.toLocaleString("en") + (unit === "ULP" ? " ULP" : "");
      told.textContent = value < 0 ? "" : `${place}: ${size}`;
    });
    heat.addEventListener("pointerleave", () => { told.textContent = ""; });
  }

  // --- the table of entries: rows are made for what is looked at
  const CHUNK = 150;
  const rows = json($("#rows"));
  const body = $("#table tbody"), search = $("#search"), filter = $("#filter"), eager = $("#eager");
  for (const row of rows) {
    const told = row.verdicts.map((v) => `${v.outcome} ${v.pipeline} ${v.detail}`).join(" ");
    row.text = `${row.name} ${row.source} ${row.primitives} ${Object.values(row.about).join(" ")} ${told}`.toLowerCase();
  }
  eager.checked = !rows.some((row) => !row.eager);
  eager.parentElement.hidden = !rows.some((row) => row.eager);
  let order = { by: null, down: false }, chosen = [], made = 0;

  function cell(text, name) {
    const td = document.createElement("td");
    td.textContent = text;
    if (name) td.className = name;
    return td;
  }
  function pill(outcome, bad) {
    const span = document.createElement("span");
    span.className = "pill kind-" + (bad ? "finding" : outcome === "ok" ? "fine" : outcome === "not tested" ? "none" : "doubtful");
    span.textContent = outcome;
    return span;
  }
  function rowOf(row) {
    const tr = document.createElement("tr");
    tr.className = "row";
    tr.tabIndex = 0;
    tr.setAttribute("aria-expanded", "false");
    const outcome = cell("");
    outcome.append(pill(row.outcome, row.bad));
    tr.append(cell(row.name), cell(row.source), cell(row.equations || "", "number"), outcome, cell(row.seconds.toFixed(1), "number"));
    const toggle = (event) => {
      if (event.type === "keydown" && event.key !== "Enter") return;
      const opened = tr.nextElementSibling?.classList.contains("opened");
      if (opened) tr.nextElementSibling.remove();
      else tr.after(detailsOf(row));
      tr.setAttribute("aria-expanded", String(!opened));
    };
    tr.addEventListener("click", toggle);
    tr.addEventListener("keydown", toggle);
    return tr;
  }
  function line(label, text) {
    const p = document.createElement("p"), b = document.createElement("small");
    b.textContent = label + " ";
    p.append(b, text);
    return p;
  }
  function detailsOf(row) {
    const tr = document.createElement("tr"), td = document.createElement("td"), table = document.createElement("table");
    tr.className = "opened";
    td.colSpan = 5;
    for (const v of row.verdicts) {
      const one = document.createElement("tr"), outcome = cell("");
      outcome.append(pill(v.outcome, row.bad && !["ok", "ill-conditioned"].includes(v.outcome)));
      const told = [v.exact ? "compared bit for bit" : "", v.ulp && v.ulp !== "0" ? `${v.ulp} ULP` : "", v.detail].filter(Boolean).join("; ");
      one.append(cell(v.pipeline), outcome, cell(v.seconds.toFixed(1) + " s", "number"), cell(told));
      table.append(one);
    }
    td.append(table);
    if (row.finding) {
      const link = document.createElement("a");
      link.href = `#finding-${row.finding}`;
      link.textContent = `finding ${row.finding}`;
      td.append(line("shown above as", link));
    }
    if (row.repro) {
      const link = document.createElement("a");
      link.href = link.textContent = row.repro;
      td.append(line("repro", link));
    }
    if (row.primitives) td.append(line("primitives", row.primitives.replaceAll(":", " × ").replaceAll(" × 1 ", " ").replace(/ × 1$/, "")));
    for (const [label, text] of Object.entries(row.about)) td.append(line(label, String(text)));
    tr.append(td);
    return tr;
  }
  function more() {
    const piece = document.createDocumentFragment();
    for (const row of chosen.slice(made, made + CHUNK)) piece.append(rowOf(row));
    made = Math.min(made + CHUNK, chosen.length);
    body.append(piece);
  }
  function list() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = rows.filter((row) =>
      (!filter.value || row.outcome === filter.value) && (eager.checked || !row.eager || row.bad || filter.value)
      && words.every((word) => row.text.includes(word)));
    if (order.by) {
      const sign = order.down ? -1 : 1, by = order.by;
      chosen.sort((a, b) => sign * (typeof a[by] === "number" ? a[by] - b[by] : String(a[by]).localeCompare(String(b[by]))));
    } else chosen.sort((a, b) => b.bad - a.bad);
    made = 0;
    body.replaceChildren();
    more();
    if (!chosen.length) {
      const tr = document.createElement("tr"), td = cell("Nothing matches.", "empty");
      td.colSpan = 5;
      tr.append(td);
      body.append(tr);
    }
    $("#shown").textContent = `${chosen.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
  }
  for (const control of [search, filter, eager]) control.addEventListener("input", list);
  for (const head of all("#table th")) {
    $("button", head).addEventListener("click", () => {
      const by = head.dataset.sort, number = ["equations", "seconds"].includes(by);
      order = { by, down: order.by === by ? !order.down : number };
      for (const other of all("#table th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      list();
    });
  }
  for (const button of all(".legend [data-outcome]")) {
    button.addEventListener("click", () => {
      filter.value = button.dataset.outcome;
      list();
      $("#entries").scrollIntoView();
    });
  }
  const end = document.createElement("div");
  $("#table").parentElement.after(end);
  new IntersectionObserver((seen) => { if (seen[0].isIntersecting && made < chosen.length) more(); }, { rootMargin: "800px" }).observe(end);
  list();

  // --- going from finding to finding
  const findings = all(".finding");
  let current = -1;
  function go(to) {
    if (!findings.length) return;
    current = Math.max(0, Math.min(findings.length - 1, to));
    const finding = findings[current];
    finding.open = true;
    $("summary", finding).focus({ preventScroll: true });
    finding.scrollIntoView();
  }
  const at = () => {
    const focused = document.activeElement?.closest(".finding");
    return focused ? findings.indexOf(focused) : current;
  };
  function aimed() {  // a link to a finding opens it
    const finding = findings.find((one) => `#${one.id}` === location.hash);
    if (finding) go(findings.indexOf(finding));
  }
  addEventListener("hashchange", aimed);
  aimed();

  const help = $("#keys");
  $("#help").addEventListener("click", () => help.showModal());
  const keys = {
    j: () => go(at() + 1),
    k: () => go(at() < 0 ? 0 : at() - 1),
    o: () => { const one = findings[Math.max(at(), 0)]; if (one) one.open = !one.open; },
    c: () => { const one = findings[Math.max(at(), 0)]; if (one && $("[data-copy=repro]", one)) copy(one, "repro"); },
    b: () => { const one = findings[Math.max(at(), 0)]; if (one) copy(one, "report"); },
    t: turn,
    "/": () => { search.focus(); search.select(); },
    "?": () => help.showModal(),
    Escape: () => { for (const one of findings) one.release(); document.activeElement?.blur(); },
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input[type=search], select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || (typing && event.key !== "Escape")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
})();
