"""What is said at which time -> sections headed by the time, so that a citation says where to listen."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rag_platform.documents.formats.markdown_writer import heading, join, paragraph

EVERY = 60.0
"""Seconds after which the next sentence or phrase begins a section."""
_CLOSE = frozenset("。、，．？！」』）")


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that are said together."""

    start: float
    """Seconds."""
    text: str
    speaker: str = ""


def timed_sections(cues: Iterable[Cue]) -> str:
    """Return the words as Markdown: a heading with its time for each minute, a paragraph for each speaker's turn.

    What takes a minute in all has no headings.
    """
    minutes = list(_minutes(cues))
    blocks: list[str] = []
    for start, minute in minutes:
        blocks += [heading(2, clock(start)) if len(minutes) > 1 else "", *map(paragraph, _turns(minute))]
    return join(blocks)


def clock(seconds: float) -> str:
    """Return a time as players show it: 0:05:07."""
    whole = max(int(seconds), 0)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def _minutes(cues: Iterable[Cue]) -> Iterator[tuple[float, list[Cue]]]:
    begun: list[Cue] = []
    for cue in cues:
        if begun and cue.start - begun[0].start >= EVERY:
            yield begun[0].start, begun
            begun = []
        if cue.text.strip():
            begun.append(cue)
    if begun:
        yield begun[0].start, begun


def _turns(cues: Iterable[Cue]) -> Iterator[str]:
    speaker, said = "", ""
    for cue in cues:
        if said and cue.speaker != speaker:
            yield said
            said = ""
        if not said:
            said = f"{cue.speaker}: " * bool(cue.speaker) + cue.text.strip()
        else:
            said += ("" if _is_joined(said[-1], cue.text.strip()[0]) else " ") + cue.text.strip()
        speaker = cue.speaker
    if said:
        yield said


def _is_joined(before: str, after: str) -> bool:
    """Return whether there is no space between two signs: Chinese and Japanese have none."""
    return all("\u3040" <= one <= "\u9fff" or one in _CLOSE for one in (before, after))
