"""Parts of a document -> Markdown: headings, tables, matrices, links, code, comments."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import yaml

REPEAT = 40
"""Rows after which a long table begins anew with its header, so that no part of it lacks its names."""
_FILLED = 20
"""Cells of a table for each that it was given, at most: the missing ones are empty."""
_MARK = re.compile(r"^(#{1,6}(?=\s|$)|[-=]{3,}\s*$)", re.MULTILINE)
_RULE = re.compile(r"^\|(?: ?-+ ?\|)+$", re.MULTILINE)
_ITEM = re.compile(r" *(?:- |\d+[.)] )")
_FENCE = re.compile(r"`{3,}\w*")
_SCHEME = re.compile(r"(?:[a-zA-Z][\w+.-]*://|mailto:)")
_BACKTICKS = re.compile(r"`{3,}")


def front_matter(about: Mapping[str, object]) -> str:
    """Return what a document says of itself, as the lines before its text; what is empty is left out."""
    known = {key: value for key, value in about.items() if value}
    return f"---\n{yaml.safe_dump(known, allow_unicode=True, width=10_000)}---\n" if known else ""


def heading(level: int, text: str) -> str:
    """Return a heading of level 1 to 6; a blank one is nothing."""
    line = " ".join(text.split())
    return f"{'#' * min(max(level, 1), 6)} {line}" if line else ""


def paragraph(text: str) -> str:
    """Return text in which no line is mistaken for a heading."""
    return _MARK.sub(r"\\\1", text.strip())


def join(blocks: Iterable[str]) -> str:
    """Put blocks below each other, the empty ones left out."""
    return "\n\n".join(block for block in blocks if block.strip())


def tight(blocks: Iterable[str]) -> Iterator[str]:
    """Yield blocks, the items of a list directly below each other as one."""
    for listed, group in groupby(blocks, lambda block: bool(_ITEM.match(block))):
        if listed:
            yield "\n".join(group)
        else:
            yield from group


def table(rows: Sequence[Sequence[str]], *, repeat: int = REPEAT) -> str:
    """Return a table whose first row is the header; a long one as several that repeat it."""
    filled = [[cell(value) for value in row] for row in rows]
    width = max((len(row) for row in filled), default=0)
    if not width or not any(any(row) for row in filled):
        return ""
    sparse = width * len(filled) > _FILLED * (sum(map(len, filled)) + width)  # filled, it would grow with its square
    lines = [f"| {' | '.join(row if sparse else [*row, *[''] * (width - len(row))])} |" for row in filled]
    head = f"{lines[0]}\n|{' - |' * width}"
    body = lines[1:]
    if len(body) <= repeat or len(head) * len(body) > repeat * sum(map(len, body)):
        return "\n".join([head, *body])
    return "\n\n".join("\n".join([head, *body[at : at + repeat]]) for at in range(0, len(body), repeat))


def matrix(rows: Iterable[Iterable[str]]) -> str:
    """Return rows of formulas as a matrix of TeX, without dollar signs."""
    body = r" \\ ".join(" & ".join(map(str.strip, row)) for row in rows)
    return rf"\begin{{matrix}}{body}\end{{matrix}}"


def cell(value: str) -> str:
    """Return text that fits a table's cell: one line, no bare bar."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(value.split()))


def inline(blocks: Iterable[str]) -> str:
    """Return blocks on one line, for a cell or a note; a table or code within as its words."""
    lines = (line for block in blocks for line in _RULE.sub("", block).split("\n") if not _FENCE.fullmatch(line))
    words = (re.sub(r"(?<!\\)\|", " ", line) if line.startswith("| ") else line for line in lines)
    return " ".join(" ".join(words).split())


def code(text: str, language: str = "") -> str:
    """Return a fenced block; its fence is longer than any within."""
    longest = max((len(found[0]) for found in _BACKTICKS.finditer(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}" if text.strip() else ""


def link(text: str, address: str) -> str:
    """Return words that lead to an address elsewhere as a link; those that are the address stay as they are."""
    core = text.strip()
    words = " ".join(core.split())
    if not words or "](" in words or not leads_out(address) or _bare(words) == _bare(address):
        return text
    return text.replace(core, f"[{words}]({address.replace(' ', '%20')})", 1)


def leads_out(address: str) -> bool:
    """Return whether an address is no place within the document, nor a file beside it."""
    return bool(_SCHEME.match(address))


def _bare(address: str) -> str:
    scheme = _SCHEME.match(address)
    return address[scheme.end() if scheme else 0 :].rstrip("/")


def comment(author: str, time: str, text: str) -> str:
    """Return what a reviewer wrote beside a document."""
    about = ", ".join(filter(None, (f"author: {author}" if author else "", f"time: {time}" if time else "")))
    return f"[{about or 'comment'}]: {' '.join(text.split())}" if text.strip() else ""
