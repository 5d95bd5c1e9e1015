"""What the command line prints of an answer."""

from dataclasses import replace

import pytest

from rag_platform.cli.ask.answers import show_answer
from rag_platform.core.answers import Answer, Citation

QUOTE = Citation(1, "d", "c", "site/ferry.md", "The ferry", "It runs until dusk.", (0, 19), "ab", None)
ANSWER = Answer("When?", "It runs until dusk. [1]", False, (), "v1", "extractive", "r1")


@pytest.mark.parametrize(("origins", "told"), [(1, False), (3, True)])
def test_independent_origins_are_counted_at_their_quote(
    capsys: pytest.CaptureFixture[str], origins: int, told: bool
) -> None:
    show_answer(replace(ANSWER, citations=(replace(QUOTE, origins=origins),)))
    assert ("site/ferry.md, said by 3 independent origins" in capsys.readouterr().out) is told
