"""What comparing the answers of two versions tells of their sentences."""

import pytest

from rag_platform.core.answers import Answer, JudgedClaim, State
from rag_platform.trials.answer_comparison import compare, summary


def _answer(*states: State) -> Answer:
    claims = tuple(JudgedClaim("…", (0, 1), state, None, "words") for state in states)
    return Answer("When?", "…", False, (), "v1", "tiny", "", claims=claims)


@pytest.mark.parametrize(
    ("states", "share"),
    [(("quoted", "supported"), 0.0), (("quoted", "unverified", "contradicted", "supported"), 0.5), ((), None)],
)
def test_the_share_of_doubted_sentences_is_compared(states: tuple[State, ...], share: float | None) -> None:
    compared = compare(_answer("quoted", "unverified"), _answer(*states), lambda *_: None)
    assert (compared.live_doubted, compared.doubted) == (0.5, share)
    assert f"{share or 0:.0%} of an answer's sentences are not verified" in summary([compared], None)


def test_where_all_are_quoted_nothing_is_said_of_it() -> None:
    compared = compare(_answer("quoted"), _answer("quoted"), lambda *_: None)
    assert "sentences" not in summary([compared], None)
