"""Subtitles (WebVTT, SubRip): the spoken lines and, where it changes, the speaker; no times."""

import html
import re

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import paragraph
from rag_platform.documents.formats.plain_text import decode, newlines

_TIME = re.compile(r"^\s*(?:\d+:)?\d\d:\d\d[.,]\d{1,3}\s*-->")
_SILENT = ("NOTE", "STYLE", "REGION")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?(?:[a-z]+|\d[\d:.]*)(?:[.\s][^>]*)?>|\{\\[^}]*\}")


def read_subtitles(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read subtitles; a line that the next cue repeats, as scrolling ones do, is written once.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    lines: list[str] = []
    speaker = ""
    for cue in re.split(r"\n[^\S\n]*\n+", newlines(text.removeprefix("\ufeff"))):
        voice = _VOICE.search(cue)
        for line in _lines(cue.strip().split("\n")):
            if voice and voice[1].strip() != speaker:
                speaker = voice[1].strip()
                lines.append(f"{speaker}: {line}")
            elif not lines or lines[-1] != line:
                lines.append(line)
    return Extracted(text="\n\n".join(map(paragraph, lines)), type="subtitles", flags=flags)


def _lines(cue: list[str]) -> list[str]:
    place = next((number for number, line in enumerate(cue) if _TIME.match(line)), None)
    if place is None or cue[0].startswith(_SILENT):
        return []
    found = (html.unescape(_TAG.sub("", line)).strip() for line in cue[place + 1 :])
    return [line for line in found if line]
