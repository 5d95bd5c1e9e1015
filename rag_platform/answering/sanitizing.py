"""The text of an answer without anything that loads, leads or runs: what may be shown, wherever it is shown.

A document may tell a model to write a link or an image whose address carries off what the model has read; to show the
image, or to follow the link, sends it (Greshake et al., "Not what you've signed up for", AISec 2023). So images are
left out, links lead to cited sources alone and by their exact address, and any other address is only text: when it
stands in the sources, word for word, within `code`, which nothing makes a link of; else it is replaced. HTML and
control characters, of which terminals make links too, are taken away. Code between lines of ``` or ~~~ stays as it is.

Each line is looked at by itself, and so is each piece of a line while it is written: what is left of a link whose
parts stand on two lines leads nowhere.
"""

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from rag_platform.core.answers import Answer
from rag_platform.core.generation import Reasoning, Retracted
from rag_platform.core.hits import Hit
from rag_platform.retrieval.results import SearchResult

if TYPE_CHECKING:
    from rag_platform.core.generation import Piece

REMOVED = "(link removed)"
"""Stands where an address was that no source has."""
# all control characters but tab and line feed; those that turn the direction of writing; invisible letters; our own
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\u2066-\u2069\ufeff\ue000\ue001\U000e0000-\U000e007f]")
_BREAKS = re.compile("\r\n?|[\u2028\u2029\x85]")
_FENCE = re.compile(r"(`{3,}|~{3,})[^`]*$")
_CODE = re.compile(r"(?<![`\\])`[^`\n]+`(?!`)")
_IMAGE = re.compile(r"!\[[^\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)?|\[[^\]\n]*\])?")
_TARGET = r"\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)?"
_LINK = re.compile(rf"\[([^\[\]\n]*)\]{_TARGET}")
_REST_OF_LINK = re.compile(rf"\]{_TARGET}")
_DEFINITION = re.compile(r"\[([^\[\]\n]*)\]:")
_TAG = re.compile(r"<[A-Za-z/!?][^<>\n]*>")
_TAG_THAT_LOADS = re.compile(
    r"<(?=[A-Za-z][^<>\n]*[\s/=]|/?(?:script|style|iframe|object|embed|svg|math)\b|[!?])", re.IGNORECASE
)
_OPEN_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ADDRESS = re.compile(
    r"(?:(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}:)?//[^\s<>\[\]`]+"  # also a scheme that was written before
    r"|(?<![A-Za-z0-9])www\.[^\s<>\[\]`]+"
    r"|(?<![A-Za-z0-9])(?:mailto|javascript|vbscript|file|tel|sms|xmpp|blob|about):[^\s<>\[\]`]+"
    r"|(?<![A-Za-z0-9])data:[\w.+-]*[/;,][^\s<>\[\]`]*"
    r"|[\w.+-]*@(?:[\w-]+\.)+[A-Za-z]{2,}"
    r"|(?:[\w-]*\.)+[A-Za-z]{2,24}(?::\d+)?[/?][^\s<>\[\]`]+",
    re.IGNORECASE,
)
_ENDS = ".,;:!?'\")*_|"
_BEFORE = r"(?<![\w/.@-])"
_BEHIND = rf"(?![^\s<>\[\]`{re.escape(_ENDS)}]|[{re.escape(_ENDS)}]+[^\s<>\[\]`{re.escape(_ENDS)}])"
"""Where an address begins and ends: one with more behind it is another, and may carry something off."""
_SAFE = re.compile(r"https?://[^\s<>\"`\\]+")


def sanitize(text: str, links: Collection[str] = (), known: str = "") -> str:
    """Return an answer's Markdown as it may be shown.

    Args:
        text: what was written.
        links: addresses of cited sources; only they may be links, and only http and https.
        known: all text of the sources, whose own addresses may be shown.
    """
    lines, fence = [], ""
    for line in visible(text).split("\n"):
        fence, whole = _fenced(line, fence)
        lines.append(line if whole else _line(line, links, known))
    return "\n".join(lines)


def known_of(hits: Iterable[Hit]) -> str:
    """Return everything that sources say, to tell their addresses from others."""
    return "".join(f"{hit.text}\n{hit.uri}\n" for hit in hits)


def visible(text: str) -> str:
    """Return a text without characters that are not seen but do something."""
    return _UNSEEN.sub("", _BREAKS.sub("\n", text))


def _fenced(line: str, fence: str) -> tuple[str, bool]:
    """Return the fence that is open after a line, and whether the line is a fence or within one.

    Only fences at the beginning of a line count: within a list or a quotation others end them without a word.
    """
    found = _FENCE.match(line)
    if fence:
        closes = found is not None and found[1].startswith(fence) and not line.strip("`~ \t")
        return ("" if closes else fence), True
    return (found[1], True) if found else ("", False)


def _line(line: str, links: Collection[str], known: str) -> str:
    parts, at = [], 0
    for code in _CODE.finditer(line):
        parts += [_prose(line[at : code.start()], links, known), _inline_code(code[0], known)]
        at = code.end()
    return "".join([*parts, _prose(line[at:], links, known)])


def _prose(text: str, links: Collection[str], known: str) -> str:
    text = _IMAGE.sub("", text)
    kept = sorted((link for link in links if _SAFE.fullmatch(link)), key=len, reverse=True)
    for index, link in enumerate(kept):
        there, place = re.escape(link), f"\ue000{index}\ue001"
        text = re.sub(rf"(?<!!)(\[[^\[\]\n]*\])\(<?{there}>?\)", rf"\1{place})", text)
        text = re.sub(rf"<{there}>|{_BEFORE}{there}{_BEHIND}", place, text)
    text = _REST_OF_LINK.sub("]", _LINK.sub(r"\1", text))
    text = _DEFINITION.sub(r"\1:", text).replace("]:", "] :")
    text = _OPEN_TAG.sub("< ", _TAG.sub("", text))
    text = _ADDRESS.sub(lambda found: _told(found[0], known, "`"), text)
    for index, link in enumerate(kept):
        text = text.replace(f"]\ue000{index}\ue001)", f"](<{link}>)").replace(f"\ue000{index}\ue001", f"<{link}>")
    return text


def _inline_code(code: str, known: str) -> str:
    """Return code within a line, in which others may see a link if they see no code."""
    code = _TAG_THAT_LOADS.sub("< ", code.replace("](", "] (").replace("]:", "] :"))
    return _ADDRESS.sub(lambda found: _told(found[0], known, ""), code)


def _told(address: str, known: str, quote: str) -> str:
    """Return what is shown for an address, and the punctuation that it ends with."""
    ended = address.rstrip(_ENDS)
    rest = address[len(ended) :]
    return (f"{quote}{ended}{quote}" if ended and ended in known else REMOVED) + rest


# --- while it is written -------------------------------------------------------------------------------

_OPENER = re.compile(r"[`\[<\]]")
_WHOLE = re.compile(
    r"`[^`\n]+`(?=[^`])|!?\[[^\[\]\n]*\](?:(?=[^(\[:\]])|\([^()\n]*\))|<[^<>\n]*>|<(?=[\s=\d])|\](?=[^(\[:])"
)
_LAST_RUN = re.compile(r"[!-~]+$")
_SCHEMES = "https", "ftp", "www", "mailto", "javascript", "vbscript", "file", "data", "tel", "sms", "xmpp", "blob"


class Stream:
    """Makes a text harmless while it is written: what may become an address or a link waits until it is known."""

    def __init__(self) -> None:
        self._waiting, self._fence, self._begun = "", "", False

    def feed(self, piece: str, known: str = "") -> str:
        """Take a piece more, and return what may be shown by now; `known` is as of `sanitize`."""
        *lines, self._waiting = _BREAKS.sub("\n", self._waiting + piece).split("\n")
        shown = "".join(self._ended(line, known) + "\n" for line in lines)
        ready = self._ready()
        self._waiting, part = self._waiting[ready:], self._waiting[:ready]
        self._begun = self._begun or bool(part)
        return shown + (visible(part) if self._fence else _line(visible(part), (), known))

    def end(self, known: str = "") -> str:
        """Return what waited."""
        last, self._waiting = self._waiting, ""
        return self._ended(last, known)

    def _ended(self, line: str, known: str) -> str:
        whole = bool(self._fence)
        if not self._begun:  # else its beginning was shown already, and it was no fence
            self._fence, whole = _fenced(visible(line), self._fence)
        self._begun = False
        return visible(line) if whole else _line(visible(line), (), known)

    def _ready(self) -> int:
        """Return how many of the waiting characters can become nothing else, whatever follows."""
        text = self._waiting
        if self._fence:
            return 0 if text[:1] in "`~" and not self._begun else len(text)
        if not self._begun and text[:1] in ("`", "~"):
            return 0
        at, end = 0, len(text)
        while found := _OPENER.search(text, at):
            start = found.start() - (text[found.start() - 1 : found.start()] == "!")
            whole = _WHOLE.match(text, start)
            if whole is None:
                end = start
                break
            at = whole.end()
        run = _LAST_RUN.search(text, 0, end)
        if run and (re.search(r"[:/@&\\.!]", run[0]) or any(scheme.startswith(run[0].lower()) for scheme in _SCHEMES)):
            end = run.start()
        return end


Event = "SearchResult | Piece | Answer"


def shown(events: "Generator[Event, None, None]") -> "Iterator[Event]":
    """Pass on what an answerer yields, its text and thoughts as they may be shown; closing this closes that."""
    known, text, thought = "", Stream(), Stream()
    with closing(events):
        for event in events:
            if isinstance(event, SearchResult):
                known += known_of(event.hits)
            match event:
                case str():
                    yield from _some(text.feed(event, known), str)
                case Reasoning(said):
                    yield Reasoning(thought.feed(said, known))
                    continue
                case Retracted():  # what still waited was thought as well
                    yield from _some(text.end(known), str)
                    text = Stream()
                    yield event
                case Answer():
                    yield from _some(thought.end(known), Reasoning)
                    yield from _some(text.end(known), str)
                    yield event
                case _:
                    yield event


def _some(shown: str, kind: "Callable[[str], Piece]") -> "Iterator[Piece]":
    if shown:
        yield kind(shown)
