"""Markdown of an answer -> Markdown without anything that loads, links elsewhere or runs.

A document may tell a model to write a link or an image whose URL exfiltrates what the model has read; showing the image
or following the link sends it (Greshake et al., "Not what you've signed up for", AISec 2023). So images are removed,
links lead only to cited sources and by their exact URL, and any other URL is only text: as inline code, which nothing
turns into a link, when the sources have it word for word; else it is replaced. HTML and control characters, of which
terminals make links too, are removed. Code between lines of ``` or ~~~ stays as it is; in a formula, where a blank says
nothing, blanks part what would make a link or a tag.

Each line is sanitized by itself: what is left of a link whose parts are on two lines leads nowhere.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from rag_platform.core.hits import Hit
from rag_platform.text.notation.tex_formulas import formulas

REMOVED = "(link removed)"
"""Stands where an address was that no source has."""
# all control characters but tab and line feed; those that turn the direction of writing; invisible letters; our own
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\u2066-\u2069\ufeff\ue000\ue001\U000e0000-\U000e007f]")
LINE_BREAK = re.compile("\r\n?|[\u2028\u2029\x85]")
_FENCE = re.compile(r"(`{3,}+|~{3,}+)[^`]*$")
_CODE = re.compile(r"(?<![`\\])`[^`\n]+`(?!`)")
# what no bracket ends is matched to the end of its line and kept, so that it is looked through once
_IMAGE = re.compile(r"!\[[^\]\n]*+(?:\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)?|\[[^\]\n]*\])?|(?P<open>))")
_TARGET = r"\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)?"
_LINK = re.compile(rf"\[([^\[\]\n]*)\]{_TARGET}")
_REST_OF_LINK = re.compile(rf"\]{_TARGET}")
_DEFINITION = re.compile(r"\[([^\[\]\n]*)\]:")
_TAG = re.compile(r"<[A-Za-z/!?][^<>\n]*>")
_ACTIVE_TAG = re.compile(
    r"<(?=[A-Za-z][^<>\n]*[\s/=]|/?(?:script|style|iframe|object|embed|svg|math)\b|[!?])", re.IGNORECASE
)
_OPEN_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_URL = re.compile(
    r"(?:(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}:)?//[^\s<>\[\]`]+"  # also a scheme that was written before
    r"|(?<![A-Za-z0-9])www\.[^\s<>\[\]`]+"
    r"|(?<![A-Za-z0-9])(?:mailto|javascript|vbscript|file|tel|sms|xmpp|blob|about):[^\s<>\[\]`]+"
    r"|(?<![A-Za-z0-9])data:[\w.+-]*[/;,][^\s<>\[\]`]*"
    r"|[\w.+-]{0,64}@(?:[\w-]{1,63}\.){1,127}[A-Za-z]{2,}"  # what is longer is matched from the middle
    r"|(?:[\w-]{0,63}\.){1,127}[A-Za-z]{2,24}(?::\d+)?[/?][^\s<>\[\]`]+",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'\")*_|"
_BEFORE = r"(?<![\w/.@-])"
_AFTER = rf"(?![^\s<>\[\]`{re.escape(_TRAILING)}]|[{re.escape(_TRAILING)}]+[^\s<>\[\]`{re.escape(_TRAILING)}])"
"""Where an address begins and ends: one with more behind it is another, and may carry something off."""
_HTTP_URL = re.compile(r"https?://[^\s<>\"`\\]+")


def sanitize(text: str, links: Collection[str] = (), sources: str = "") -> str:
    """Return an answer's Markdown as it may be shown.

    Args:
        text: what was written.
        links: addresses of cited sources; only they may be links, and only http and https.
        sources: all text of the sources, whose own addresses may be shown.
    """
    lines, fence = [], ""
    for line in strip_invisible(text).split("\n"):
        fence, in_code = fence_state(line, fence)
        lines.append(line if in_code else sanitize_line(line, links, sources))
    return "\n".join(lines)


def source_text(hits: Iterable[Hit]) -> str:
    """Return everything that sources say, to tell their addresses from others."""
    return "".join(f"{hit.text}\n{hit.uri}\n" for hit in hits)


def strip_invisible(text: str) -> str:
    """Return a text without characters that are not seen but do something."""
    return _INVISIBLE.sub("", LINE_BREAK.sub("\n", text))


def fence_state(line: str, fence: str) -> tuple[str, bool]:
    """Return the code fence that is open after a line, and whether the line is a fence or inside one.

    Only fences at the beginning of a line count: inside a list or a quotation they can end implicitly.
    """
    found = _FENCE.match(line)
    if fence:
        closes = found is not None and found[1].startswith(fence) and not line.strip("`~ \t")
        return ("" if closes else fence), True
    return (found[1], True) if found else ("", False)


def sanitize_line(line: str, links: Collection[str], sources: str) -> str:
    """Sanitize one line; see `sanitize`."""
    parts, at = [], 0
    for start, end, is_code in _exact(line):
        clean = _sanitize_code if is_code else _sanitize_formula
        parts += [_sanitize_prose(line[at:start], links, sources), clean(line[start:end], sources)]
        at = end
    return "".join([*parts, _sanitize_prose(line[at:], links, sources)])


def _exact(line: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether it is code) of code and formulas, whose signs are no Markdown."""
    at, found = 0, [(*code.span(), True) for code in _CODE.finditer(line)]
    found += [(one.start, one.end, False) for one in formulas(line)]
    for start, end, is_code in sorted(found):
        if start >= at:
            yield start, end, is_code
            at = end


def _sanitize_prose(text: str, links: Collection[str], sources: str) -> str:
    text = _IMAGE.sub(lambda found: found[0] if found["open"] is not None else "", text)
    allowed = sorted((link for link in links if _HTTP_URL.fullmatch(link)), key=len, reverse=True)
    for index, link in enumerate(allowed):
        there, place = re.escape(link), f"\ue000{index}\ue001"
        text = re.sub(rf"(?<!!)(\[[^\[\]\n]*\])\(<?{there}>?\)", rf"\1{place})", text)
        text = re.sub(rf"<{there}>|{_BEFORE}{there}{_AFTER}", place, text)
    text = _REST_OF_LINK.sub("]", _LINK.sub(r"\1", text))
    text = _DEFINITION.sub(r"\1:", text).replace("]:", "] :")
    text = _OPEN_TAG.sub("< ", _TAG.sub("", text))
    text = _URL.sub(lambda found: _sanitize_url(found[0], sources, "`"), text)
    for index, link in enumerate(allowed):
        text = text.replace(f"]\ue000{index}\ue001)", f"](<{link}>)").replace(f"\ue000{index}\ue001", f"<{link}>")
    return text


def _sanitize_code(code: str, sources: str) -> str:
    """Return code within a line, in which others may see a link if they see no code."""
    code = _ACTIVE_TAG.sub("< ", code.replace("](", "] (").replace("]:", "] :"))
    return _URL.sub(lambda found: _sanitize_url(found[0], sources, ""), code)


def _sanitize_formula(formula: str, sources: str) -> str:
    formula = _OPEN_TAG.sub("< ", formula.replace("![", "! [").replace("](", "] (").replace("]:", "] :"))
    return _URL.sub(lambda found: _sanitize_url(found[0], sources, ""), formula)


def _sanitize_url(address: str, sources: str, quote: str) -> str:
    """Return what is shown for an address, and the punctuation that it ends with."""
    ended = address.rstrip(_TRAILING)
    rest = address[len(ended) :]
    return (f"{quote}{ended}{quote}" if ended and ended in sources else REMOVED) + rest
