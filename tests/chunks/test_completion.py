"""What a passage is shown with: no more than it needs, and only from its own section."""

import pytest

from rag_platform.chunks.completion import completed
from rag_platform.chunks.token_counts import Weighed
from rag_platform.text.structure import Pause


def shown(parts: list[tuple[str, Pause]], first: int, last: int, language: str = "en") -> str:
    """Return what the passage of these units is shown as, after joining all units to a text."""
    units, text = [], ""
    for part, pause in parts:
        units.append(Weighed(len(text), len(text) + len(part), pause, 1, 1))
        text += part
    start, end = completed(text, units, first, last, language)
    return text[start:end]


SENTENCES = [
    ("The weir is old. ", Pause.SENTENCE),
    ("It leaks. ", Pause.SENTENCE),
    ("Thus it was closed. ", Pause.BLOCK),
    ("This lasted a year. ", Pause.SENTENCE),
    ("Boats wait.", Pause.BLOCK),
]


@pytest.mark.parametrize(
    ("first", "text"),
    [
        (4, "Boats wait."),
        (1, "The weir is old. It leaks. Thus it was closed. This lasted a year. Boats wait."),
        (2, "The weir is old. It leaks. Thus it was closed. This lasted a year. Boats wait."),
        (3, "It leaks. Thus it was closed. This lasted a year. Boats wait."),  # two sentences, then it ends
        (0, "The weir is old. It leaks. Thus it was closed. This lasted a year. Boats wait."),
    ],
)
def test_what_leans_is_shown_with_what_it_leans_on(first, text):
    assert shown(SENTENCES, first, 5) == text


def test_a_language_that_is_not_known_leans_on_nothing():
    assert shown(SENTENCES, 1, 2, "xx") == "It leaks. "


def test_nothing_leans_on_a_heading_or_a_line_of_code():
    for pause in (Pause.NONE, Pause.LINE):
        assert shown([("# Weirs\n", pause), ("It leaks.", Pause.BLOCK)], 1, 2) == "It leaks."


def test_a_torn_sentence_is_shown_whole():
    torn = [("One. ", Pause.SENTENCE), ("The old ", Pause.WORD), ("weir ", Pause.WORD), ("leaks. ", Pause.SENTENCE),
            ("Two.", Pause.BLOCK)]  # fmt: skip
    for first, last in ((1, 2), (2, 3), (3, 4)):
        assert shown(torn, first, last) == "The old weir leaks. "


def test_what_is_long_is_not_added():
    long = "word " * 100
    assert shown([(f"{long}. ", Pause.SENTENCE), ("It leaks.", Pause.BLOCK)], 1, 2) == "It leaks."
    endless = [(long, Pause.WORD)] * 3
    assert shown(endless, 1, 2) == long
