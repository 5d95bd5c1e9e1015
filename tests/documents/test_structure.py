"""Sections, blocks and units: without a gap, and where the text itself has them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.documents.structure import Block, Pause, find_sections, find_units

odd = st.text() | st.text(alphabet="#=-*>`|~ \t\na1.[]:é。\r\u2028")


@given(odd, st.booleans())
def test_blocks_and_units_are_the_text(text, markdown):
    sections = find_sections(text, markdown=markdown) if text else []
    blocks = [block for section in sections for block in section.blocks]
    units = [unit for block in blocks for unit in find_units(text, block)]
    for parts in (blocks, units):
        assert "".join(text[part.start : part.end] for part in parts) == text
        assert all(before.end == after.start for before, after in pairwise(parts))
        assert all(part.start < part.end for part in parts)


def sentences(text: str) -> list[str]:
    return [text[unit.start : unit.end].strip() for unit in find_units(text, Block(0, len(text), "text"))]


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. A. Field saw 3.5 cats.", "They left!", "Why?"],
        ["See Fig. 3 and pp. 4 of the U.S. plan.", "Done."],
        ["सरकारले निर्णय गर्‍यो।", "नयाँ नीति आयो।"],
        ["A line\nthat goes on.", "Another\none."],
        ["他来了。", "你好吗？"],
    ],
)
def test_sentences(expected):
    assert sentences((" " if expected[0].isascii() else "").join(expected)) == expected


def test_pauses():
    text = "# H\n\nOne. Two.\n\n```\na\nb\n```\n\n| x |\n|---|\n| 1 |\n"
    units = [unit for section in find_sections(text) for block in section.blocks for unit in find_units(text, block)]
    found = [(text[unit.start : unit.end].strip(), unit.pause) for unit in units]
    assert found == [
        ("# H", Pause.NONE), ("One.", Pause.SENTENCE), ("Two.", Pause.BLOCK),
        ("```", Pause.LINE), ("a", Pause.LINE), ("b", Pause.LINE), ("```", Pause.BLOCK),
        ("| x |", Pause.LINE), ("|---|", Pause.LINE), ("| 1 |", Pause.BLOCK),
    ]  # fmt: skip


def test_paths():
    text = "Lead\n\n# A\n\n### A *deep* [one](u)\n\n## B\n\n> # quoted\n\n- # listed\n\n# C #\n"
    assert [section.path for section in find_sections(text)] == [
        (),
        ("A",),
        ("A", "A deep one"),
        ("A", "B"),
        ("C",),
    ]


def test_an_underlined_paragraph_is_no_heading():
    assert [section.path for section in find_sections("Many words. " * 60 + "\n---\n\nEnd.")] == [()]
