"""Subtitles (WebVTT, SubRip, ASS, TTML): what is said and by whom, with the time of each minute."""

import html
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.documents.formats.speech.timed_text import Cue, timed_sections
from rag_platform.documents.formats.xml_tree import attribute, every, parse_xml

_TIME = re.compile(r"^\s*((?:\d+:)?\d\d:\d\d[.,]\d{1,3})\s*-->")
_SILENT = ("NOTE", "STYLE", "REGION")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_SPOKEN = re.compile(r"\n|(?=<v[.\s])")
_TAG = re.compile(r"</?(?:[a-z]+|\d[\d:.]*)(?:[.\s][^>]*)?>|\{\\[^}]*\}")
_DIALOGUE = re.compile(r"^Dialogue:(.*)$", re.MULTILINE)
_FORMAT = re.compile(r"^\[Events\][^\[]*?^Format:(.*)$", re.MULTILINE | re.IGNORECASE)
_DRAWING = re.compile(r"\{[^}]*\\p[1-9][^}]*\}.*")
_OFFSET = re.compile(r"([\d.]+)(h|m|s|ms|t|f)")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def read_subtitles(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read subtitles; a line that the next cue repeats, as scrolling ones do, is written once.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    text = newlines(text.removeprefix("\ufeff"))
    return Extracted(text=timed_sections(_cues(content, text)), type="subtitles", flags=flags)


def _cues(content: bytes, text: str) -> Iterable[Cue]:
    if re.match(r"\s*<", text):
        return _ttml(content)
    return _ass(text) if "\n[Events]" in text or text.startswith("[Events]") else _vtt(text)


def _vtt(text: str) -> Iterator[Cue]:
    last = ""
    for cue in re.split(r"\n[^\S\n]*\n+", text):
        start, lines = _lines(cue.strip().split("\n"))
        new = lines[1:] if lines and lines[0][1] == last else lines
        last = lines[-1][1] if lines else last
        for speaker, said in groupby(new, key=itemgetter(0)):
            yield Cue(start, " ".join(text for _, text in said), speaker)


def _lines(cue: list[str]) -> tuple[float, list[tuple[str, str]]]:
    """Return when a cue begins, and its lines with who says them."""
    place = next((number for number, line in enumerate(cue) if _TIME.match(line)), None)
    if place is None or cue[0].startswith(_SILENT):
        return 0.0, []
    found = _TIME.match(cue[place])
    speaker, lines = "", []
    for line in _SPOKEN.split("\n".join(cue[place + 1 :])):
        voice = _VOICE.match(line)
        speaker = voice[1].strip() if voice else speaker
        if text := html.unescape(_TAG.sub("", line)).strip():
            lines.append((speaker, text))
    return _seconds(found[1] if found else ""), lines


def _ass(text: str) -> list[Cue]:
    """Return the dialogue in the order of its times; drawings and comments are none."""
    stated = _FORMAT.search(text)
    names = [name.strip().lower() for name in stated[1].split(",")] if stated else list(_COLUMNS)
    cues = []
    for line in _DIALOGUE.findall(text):
        values = dict(zip(names, line.split(",", len(names) - 1), strict=False))
        said = re.sub(r"\{[^}]*\}", "", _DRAWING.sub("", values.get("text", "")))
        said = " ".join(re.sub(r"\\[Nnh]", " ", said).split())
        cues.append(Cue(_seconds(values.get("start", "")), said, values.get("name", "").strip()))
    cues.sort(key=lambda cue: cue.start)
    return [cue for before, cue in zip([None, *cues], cues, strict=False) if before is None or before.text != cue.text]


_COLUMNS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")


def _ttml(content: bytes) -> Iterator[Cue]:
    root = parse_xml(content, "the file")
    rate = float(attribute(root, "tickRate") or attribute(root, "frameRate") or 1)
    names = {attribute(agent, "id"): " ".join(agent.itertext()).strip() for agent in every(root, "agent")}
    for line in every(root, "p"):
        for pause in every(line, "br"):
            pause.tail = f" {pause.tail or ''}"
        said = " ".join("".join(line.itertext()).split())
        yield Cue(_seconds(attribute(line, "begin"), rate), said, names.get(attribute(line, "agent"), ""))


def _seconds(value: str, rate: float = 1.0) -> float:
    """Return a time as "0:01:02.5", or as a number with its unit; ticks and frames go by their rate."""
    if found := _OFFSET.fullmatch(value.strip()):
        return float(found[1]) * (_SECONDS.get(found[2]) or 1 / (rate or 1.0))
    try:
        parts = [float(part) for part in value.strip().replace(",", ".").split(":")[:3]]
    except ValueError:
        return 0.0
    return sum((part * 60.0**power for power, part in enumerate(reversed(parts))), 0.0)
