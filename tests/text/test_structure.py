"""Sections, blocks and units: without a gap, and where the text itself has them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.text.structure import Block, Pause, find_sections, find_units

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


@pytest.mark.parametrize(
    "expected",
    [
        ["他说：「你好。」", "然后走了。", "真的吗？", "是的……好。"],
        ["彼は「はい。」と言った。", "「違う！」って。", "これは二番目。"],
        ["这是U.S.的例子。", "第3.5版。"],
        ["ประเทศไทยอยู่ในเอเชีย ", "ในปี 2010 มีคน 5 คน ", "มีประชากรมาก"],
    ],
)
def test_sentences_of_scripts_without_spaces(expected):
    assert sentences("".join(expected)) == [sentence.strip() for sentence in expected]


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


LONG = "A sentence about the water of the field. " * 6


def pauses(text: str) -> list[tuple[str, Pause]]:
    """Return where each unit but those within a paragraph ends."""
    units = find_units(text, Block(0, len(text), "text"))
    return [(text[unit.start : unit.end].strip()[-12:], unit.pause) for unit in units if unit.pause != Pause.SENTENCE]


def test_a_line_that_nobody_wrapped_is_a_paragraph():
    text = f"{LONG}\n{LONG}\nA short line. And more.\n{LONG}"
    assert [pause for _, pause in pauses(text)] == [Pause.BLOCK] * 4
    wrapped = "\n".join([LONG[:80]] * 9)
    assert len(pauses(wrapped)) == 1


@pytest.mark.parametrize("line", ["= Plot =", "The second part", "These are the fields:", "\u7b2c\u4e8c\u90e8\u5206"])
def test_a_title_stays_with_the_paragraph_below_it(line):
    assert pauses(f"{LONG}\n{line}\n{LONG}")[1] == (line[-12:], Pause.NONE)


@pytest.mark.parametrize("line", ["It rained.", "- an item", "2. an item", "\u6c34\u3002", "word " * 20])
def test_other_lines_stand_for_themselves(line):
    assert pauses(f"{LONG}\n{line}\n{LONG}")[1][1] == Pause.BLOCK


def test_a_short_line_before_a_short_one_is_no_title():
    assert pauses(f"{LONG}\n{LONG}\nOne\nTwo\n{LONG}")[2] == ("One", Pause.BLOCK)
