"""What the command line prints of an answer."""

from dataclasses import replace

import pytest

from rag_platform.cli.ask.answers import show_answer
from rag_platform.core.answers import Answer, Citation, JudgedClaim

QUOTE = Citation(1, "d", "c", "site/ferry.md", "The ferry", "It runs until dusk.", (0, 19), "ab", None)
ANSWER = Answer("When?", "It runs until dusk. [1]", False, (), "v1", "extractive", "r1")


@pytest.mark.parametrize(("origins", "told"), [(1, False), (3, True)])
def test_independent_origins_are_counted_at_their_quote(
    capsys: pytest.CaptureFixture[str], origins: int, told: bool
) -> None:
    show_answer(replace(ANSWER, citations=(replace(QUOTE, origins=origins),)))
    assert ("site/ferry.md, said by 3 independent origins" in capsys.readouterr().out) is told


def test_what_is_missing_is_said_with_what_was_searched_and_how_to_add_it(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(replace(ANSWER, abstained=True, searched=1, queries=("ferry at night",)))
    printed = capsys.readouterr().out
    assert "searched 1 document for: ferry at night" in printed and "rag collection add COLLECTION FILE" in printed


def test_states_are_counted_and_what_was_taken_away_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    gone = JudgedClaim("It runs all night.", None, "contradicted", None, "words 1", (1,))
    kept = JudgedClaim("It runs until dusk.", (0, 19), "quoted", 1.0, "verbatim", (1,))
    show_answer(replace(ANSWER, citations=(QUOTE,), claims=(kept, gone)))
    printed = capsys.readouterr().out
    assert "2 sentences: 1 quoted, 1 contradicted" in printed
    assert "note: contradicted, taken away: “It runs all night.”; the source says “It runs until dusk.”" in printed


def test_a_short_answer_is_bold_and_its_stars_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    marked = replace(ANSWER, answer="> It runs until **dusk**. [1]", citations=(replace(QUOTE, highlight=(14, 18)),))
    show_answer(marked)
    assert "> It runs until dusk. [1]" in capsys.readouterr().out
