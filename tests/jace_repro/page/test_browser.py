"""The page in a browser, without a network: no error, every level linked, keys, search, phones, both themes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jace_repro.campaign.report import EntryReport, Report, write
from jace_repro.campaign.stored import read
from jace_repro.page import write as write_page
from jace_repro.repro.entry import Entry
from jace_repro.tester import Verdict

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1440,1000",
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium with its chromedriver on this machine"),
]

#: Answers what is lit in each pane of the first finding.
LIT = """return Object.fromEntries([...document.querySelectorAll('#finding-1 .levels .pane')].map(
    (pane) => [pane.classList[1], pane.querySelectorAll('.lit').length]));"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser that may not reach any network."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(DRIVER or ""))
    started.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    started.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    yield started
    started.quit()


@pytest.fixture
def opened(driver: Any, shown: Path) -> Iterator[Any]:
    """The page, in light colours; it must make no error until the test is done."""
    driver.get_log("browser")
    _media(driver, "light")
    driver.get((shown / "report.html").as_uri())
    driver.execute_script("localStorage.clear()")
    yield driver
    assert driver.get_log("browser") == []


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of 5,000 entries."""
    folder = tmp_path_factory.mktemp("many")

    def entry(number: int) -> EntryReport:
        outcome = "unsupported" if number % 500 == 7 else "ok"
        detail = "no rule for tan" if outcome == "unsupported" else ""
        verdict = Verdict("fused", outcome, "c" * 12 if detail else None, detail)
        known = Entry(
            f"layer_{number}", source=f"model.py:{number}", equations=number % 83, eager=number % 10 == 0
        )
        return EntryReport(known, verdicts=(verdict,))

    write(Report("run", tuple(map(entry, range(5000)))), folder / "report.json")
    write_page(read(folder / "report.json"), folder, folder / "report.html")
    return folder / "report.html"


def _media(driver: Any, scheme: str, width: int = 1440) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )


def _press(driver: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(driver).send_keys(*keys).perform()


def _point_at(driver: Any, element: Any, *, click: bool = False) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    moved = ActionChains(driver).move_to_element(element)
    (moved.click() if click else moved).perform()


def test_it_asks_for_nothing_but_itself(opened: Any, shown: Path) -> None:
    messages = [json.loads(entry["message"])["message"] for entry in opened.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    elsewhere = [url for url in asked if not url.startswith(("data:", "blob:", "chrome", "about:"))]
    assert set(elsewhere) == {(shown / "report.html").as_uri()}


def test_pointing_at_an_equation_lights_it_at_every_level(opened: Any) -> None:
    assert set(opened.execute_script(LIT).values()) == {0}
    line = opened.find_element("css selector", "#finding-1 .jaxpr .ln[tabindex]")
    _point_at(opened, line)
    lit = opened.execute_script(LIT)
    assert set(lit) == {"script", "jaxpr", "sdfg", "cpp"}
    assert all(lit.values()), lit
    node = opened.find_element("css selector", "#finding-1 .sdfg .tasklet[data-eq]")
    _point_at(opened, node, click=True)
    pinned = opened.execute_script(LIT)
    assert all(pinned.values()), pinned
    _point_at(opened, opened.find_element("css selector", "h1"))
    assert opened.execute_script(LIT) == pinned
    _press(opened, "\ue00c")  # Escape
    assert set(opened.execute_script(LIT).values()) == {0}


def test_keys(opened: Any) -> None:
    focused = "return document.activeElement.closest('.finding')?.id ?? document.activeElement.id"
    opened.find_element("css selector", "h1").click()
    _press(opened, "j")
    assert opened.execute_script(focused) == "finding-1"
    _press(opened, "j")
    assert opened.execute_script(focused) == "finding-2"
    assert opened.execute_script("return document.querySelector('#finding-2').open")
    _press(opened, "k")
    assert opened.execute_script(focused) == "finding-1"
    _press(opened, "o")
    assert not opened.execute_script("return document.querySelector('#finding-1').open")
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert opened.execute_script(outline) != "none"
    _press(opened, "/", "j")
    assert opened.execute_script("return document.querySelector('#search').value") == "j"
    _press(opened, "\ue00c", "?")
    assert opened.execute_script("return document.querySelector('#keys').open")
    _press(opened, "\ue00c")
    assert not opened.execute_script("return document.querySelector('#keys').open")


def test_the_buttons_copy_what_they_say(opened: Any, shown: Path) -> None:
    opened.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    opened.find_element("css selector", "#finding-1 [data-copy=repro]").click()
    assert opened.execute_script("return window.copied") == (shown / "minimal/step.py").read_text()
    _press(opened, "b")
    assert opened.execute_script("return window.copied").startswith("# Wrong result of `sub`")
    assert opened.find_element("css selector", "#said").text == "Bug report copied"
    opened.execute_script("navigator.clipboard.writeText = async () => { throw new Error('no'); }")
    opened.find_element("css selector", "#finding-1 [data-copy=repro]").click()  # in the old way
    assert opened.execute_script("return document.querySelector('#said').textContent") == "Repro copied"


def test_the_error_map_tells_its_cells(opened: Any) -> None:
    image = opened.find_element("css selector", "#finding-1 .heat image")
    _point_at(opened, image)
    told = opened.find_element("css selector", "#finding-1 .scale output").text
    assert re.fullmatch(r"row (19|20), column 4[45]: [\d,]+ ULP", told)


def test_light_dark_and_turned(opened: Any) -> None:
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = opened.execute_script(colour)
    _media(opened, "dark")
    dark = opened.execute_script(colour)
    assert light != dark
    opened.find_element("css selector", "#theme").click()
    assert opened.execute_script(colour) == light
    opened.refresh()
    assert opened.execute_script(colour) == light  # it is remembered
    opened.execute_script("localStorage.clear()")


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_nothing_sticks_out(opened: Any, width: int) -> None:
    _media(opened, "light", width)
    opened.execute_script("for (const one of document.querySelectorAll('details')) one.open = true;")
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    narrow = opened.execute_script(
        "return getComputedStyle(document.querySelector('.panes')).gridTemplateColumns"
    )
    assert len(narrow.split()) == {390: 1, 820: 2, 1440: 3}[width]


def test_thousands_of_entries_are_looked_at_a_few_at_a_time(driver: Any, many: Path) -> None:
    def run(script: str) -> Any:
        return driver.execute_script(script)

    typed: Callable[[str], str] = lambda text: (
        f"const s = document.querySelector('#search'); s.value = '{text}'; const t = performance.now();"
        "s.dispatchEvent(new Event('input')); document.body.offsetHeight; return performance.now() - t;"
    )
    shown = "return document.querySelector('#shown').textContent"
    rows = "return document.querySelectorAll('.row').length"
    first = "return document.querySelector('.row').cells[{}].textContent"
    driver.get(many.as_uri())
    assert run("return document.querySelectorAll('*').length") < 2500
    assert run(shown) == "4,500 of 5,000"  # the eager operations are left out
    assert run(first.format(0)) == "layer_7"  # what is wrong comes first
    assert run(rows) <= 200
    run("window.scrollTo(0, document.body.scrollHeight)")
    driver.execute_async_script("setTimeout(arguments[0], 300)")
    assert 200 < run(rows) <= 900
    assert run(typed("layer_12 model.py:12")) < 1000
    assert run(shown) == "100 of 5,000"
    assert run(typed("tan")) < 1000
    assert run(shown) == "10 of 5,000"
    run(typed(""))
    run("document.querySelector('[data-sort=equations] button').click()")
    assert run(first.format(2)) == "82"
    assert run("return document.querySelector('[data-sort=equations]').ariaSort") == "descending"
    run("document.querySelector('.legend [data-outcome=unsupported]').click()")
    assert run(shown) == "10 of 5,000"
    run("document.querySelector('.row').click()")
    assert "no rule for tan" in run("return document.querySelector('.opened').textContent")
    run("document.querySelector('.row').click()")
    assert run("return document.querySelectorAll('.opened').length") == 0
    run(typed("nothing of the kind"))
    assert run("return document.querySelector('.empty').textContent") == "Nothing matches."
    assert driver.get_log("browser") == []
