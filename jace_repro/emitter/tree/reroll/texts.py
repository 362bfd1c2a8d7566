"""Texts that differ from one another regularly, as one text with a variable: the rounds of a loop."""

from __future__ import annotations

import functools
import io
import itertools
import keyword
import re
import tokenize
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

#: More things than this that differ without a rule, or more text to tell them, are no loop.
_COLUMNS, _TOLD = 3, 160

_SAFE_BEFORE, _SAFE_AFTER = frozenset("[(,:="), frozenset("]),:")
_NEWLINES = frozenset((tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER))


@dataclass(frozen=True)
class Loop:
    """`for {target} in {iterable}:` and the lines of its body; `names` are the variables of the target."""

    target: str
    iterable: str
    lines: list[str]
    names: frozenset[str]


@dataclass(frozen=True)
class _Progression:
    """The integers first, first + stride, ..."""

    first: int
    stride: int


def loop_of(
    rounds: Sequence[Sequence[str]],
    avoid: AbstractSet[str],
    inner: AbstractSet[str],
    lengths: Mapping[str, int],
) -> Loop | None:
    """The loop that runs these lines one after another, or None.

    Args:
        rounds: the lines of each round.
        avoid: names that are taken.
        inner: names that a round gives to values: they cannot be what differs.
        lengths: how many items a sequence has, by its expression.
    """
    texts = ["\n".join(lines) for lines in rounds]
    tokens = [_tokens(text) for text in texts]
    if len({len(found) for found in tokens}) > 1:
        return None
    avoid = {*avoid, *keyword.kwlist, *re.findall(r"[A-Za-z_]\w*", "\n".join(texts))}
    numbers: list[tuple[int, list[_Progression | str]]] = []
    columns: dict[int, tuple[str, ...]] = {}
    for position, column in enumerate(zip(*tokens, strict=True)):
        strings = tuple(t.string for t in column)
        if len(set(strings)) == 1:
            continue
        if len({t.type for t in column}) > 1:
            return None
        pieces = _pieces(column[0].type, strings)
        if pieces is not None:
            numbers.append((position, pieces))
        elif _is_column(tokens[0], position, strings, inner):
            columns[position] = strings
        else:
            return None
    distinct = list(dict.fromkeys(columns.values()))
    if len(distinct) > _COLUMNS or sum(map(len, sum(distinct, ()))) > _TOLD:
        return None
    number = _free("i", avoid)
    base = _base([p for _, pieces in numbers for p in pieces if isinstance(p, _Progression)], bool(distinct))
    named: dict[tuple[str, ...], str] = {}
    for strings in distinct:
        named[strings] = _free(_hint(strings), avoid | {number} | set(named.values()))
    changes = {position: named[strings] for position, strings in columns.items()}
    for position, pieces in numbers:
        changes[position] = _written(tokens[0], position, pieces, number, base)
    text = _replaced(texts[0], tokens[0], changes)
    count = len(rounds)
    if not distinct and base == _Progression(0, 1):
        whole = _over_items(text, number, count, avoid, lengths)
        if whole is not None:
            return whole
    target, iterable = _head(number if numbers else None, base, list(named.items()), count)
    names = frozenset((*named.values(), *((number,) if numbers else ())))
    return Loop(target, iterable, text.split("\n"), names)


# the first rounds are looked at again with each that follows
@functools.lru_cache(1 << 12)
def _tokens(text: str) -> tuple[tokenize.TokenInfo, ...]:
    found = tokenize.generate_tokens(io.StringIO(text + "\n").readline)
    return tuple(t for t in found if t.type not in _NEWLINES)


def _pieces(kind: int, strings: Sequence[str]) -> list[_Progression | str] | None:
    """An integer, or a string with integers in it, that changes regularly; None for anything else."""
    if kind == tokenize.NUMBER and all(s.isdecimal() for s in strings):
        found = _progression(strings)
        return None if found is None else [found]
    if kind != tokenize.STRING or any(c in strings[0] for c in "{}\\") or strings[0][0] != '"':
        return None
    parts = [re.split(r"(\d+)", s) for s in strings]
    if len({len(p) for p in parts}) > 1:
        return None
    pieces: list[_Progression | str] = []
    for column in zip(*parts, strict=True):
        if len(set(column)) == 1:
            pieces.append(column[0])
            continue
        regular = _progression(column) if column[0].isdecimal() else None
        if regular is None or any(str(int(c)) != c for c in column):
            return None
        pieces.append(regular)
    return pieces


def _progression(strings: Sequence[str]) -> _Progression | None:
    found = [int(s) for s in strings]
    stride = found[1] - found[0]
    regular = stride and all(b - a == stride for a, b in itertools.pairwise(found))
    return _Progression(found[0], stride) if regular else None


def _is_column(
    tokens: Sequence[tokenize.TokenInfo], position: int, strings: Sequence[str], inner: AbstractSet[str]
) -> bool:
    """Whether what stands here in each round is an expression by itself."""
    before, after = _around(tokens, position)
    kind = tokens[position].type
    if kind == tokenize.NAME:
        plain = not any(keyword.iskeyword(s) or s in inner for s in strings)
        plain = plain and len(set(strings)) == len(strings)  # no column of two or three names over and over
        return plain and before not in (".", "def", "for") and after != "="
    return kind in (tokenize.NUMBER, tokenize.STRING)


def _around(tokens: Sequence[tokenize.TokenInfo], position: int) -> tuple[str, str]:
    """What stands before and after a token."""
    before = tokens[position - 1].string if position else ""
    return before, tokens[position + 1].string if position + 1 < len(tokens) else ""


def _base(progressions: Sequence[_Progression], counted: bool) -> _Progression:
    """What the loop variable itself counts: a progression from which all others follow; rounds if need be."""
    plain = _Progression(0, 1)
    if counted:
        return plain
    for base in progressions:
        if all(p.stride % base.stride == 0 for p in progressions):
            return base
    return plain


def _written(
    tokens: Sequence[tokenize.TokenInfo],
    position: int,
    pieces: Sequence[_Progression | str],
    number: str,
    base: _Progression,
) -> str:
    """A number or string in terms of the loop variable."""
    if tokens[position].type == tokenize.STRING:
        parts = (p if isinstance(p, str) else f"{{{_in_terms(p, number, base)}}}" for p in pieces)
        return f"f{''.join(parts)}"
    (progression,) = (p for p in pieces if isinstance(p, _Progression))
    text = _in_terms(progression, number, base)
    before, after = _around(tokens, position)
    safe = before in _SAFE_BEFORE and after in _SAFE_AFTER
    return text if safe or text == number else f"({text})"


def _in_terms(progression: _Progression, number: str, base: _Progression) -> str:
    factor = progression.stride // base.stride
    rest = progression.first - factor * base.first
    if factor == -1:
        return f"{rest} - {number}" if rest else f"-{number}"
    text = number if factor == 1 else f"{factor} * {number}"
    return text if not rest else f"{text} {'+' if rest > 0 else '-'} {abs(rest)}"


def _replaced(text: str, tokens: Sequence[tokenize.TokenInfo], changes: Mapping[int, str]) -> str:
    lines = text.split("\n")
    for position in sorted(changes, reverse=True):
        (row, start), (_, end) = tokens[position].start, tokens[position].end
        lines[row - 1] = lines[row - 1][:start] + changes[position] + lines[row - 1][end:]
    return "\n".join(lines)


def _head(
    number: str | None, base: _Progression, columns: Sequence[tuple[tuple[str, ...], str]], count: int
) -> tuple[str, str]:
    """(target, iterable) of a loop over what differs."""
    if not columns:
        stop = base.first + base.stride * count
        bounds = [base.first, stop, base.stride] if base.stride != 1 else [base.first, stop]
        bounds = [stop] if base == _Progression(0, 1) else bounds
        return number or "_", f"range({', '.join(map(str, bounds))})"
    names = [name for _, name in columns]
    rows = list(zip(*(strings for strings, _ in columns), strict=True))
    target = ", ".join(names)
    items = [row[0] if len(row) == 1 else f"({', '.join(row)})" for row in rows]
    iterable = f"[{', '.join(items)}]"
    if number is None:
        return target, iterable
    return f"{number}, {target if len(names) == 1 else f'({target})'}", f"enumerate({iterable})"


def _over_items(
    text: str, number: str, count: int, avoid: AbstractSet[str], lengths: Mapping[str, int]
) -> Loop | None:
    """The loop over a sequence, where its variable does nothing but to index it."""
    uses = re.findall(rf"(?<![\w.])((?:[\w.]|\[\d+\]|\[\"\w+\"\])+)\[{number}\](?!\])", text)
    if not uses or len(set(uses)) > 1 or len(re.findall(rf"\b{number}\b", text)) != len(uses):
        return None
    sequence = uses[0]
    if lengths.get(sequence) != count:
        return None
    last = re.findall(r"[A-Za-z_]\w*", sequence)[-1]
    name = _free(last[:-1] if last.endswith("s") and len(last) > 2 else "item", avoid)
    return Loop(name, sequence, text.replace(f"{sequence}[{number}]", name).split("\n"), frozenset((name,)))


def _hint(strings: Sequence[str]) -> str:
    """A name for what takes these forms."""
    if strings[0][0] in "\"'":
        return "key"
    if not strings[0].isidentifier():
        return "c"
    stems = {s.rstrip("0123456789_") for s in strings}
    stem = stems.pop() if len(stems) == 1 else "value"
    return stem.lower() if stem.isupper() else stem


def _free(hint: str, avoid: AbstractSet[str]) -> str:
    first = (hint, "i", "j", "k", "m", "n") if hint == "i" else (hint,)
    numbered = (f"{hint}_{n}" for n in itertools.count(2))
    return next(name for name in itertools.chain(first, numbered) if name not in avoid)
