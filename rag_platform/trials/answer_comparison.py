"""The answers of two versions to one question, compared without knowing what is right."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from rag_platform.answering.answerer import Answerer
from rag_platform.core.answers import Answer
from rag_platform.core.errors import GenerationError
from rag_platform.core.hits import Hit
from rag_platform.llm.client import OpenAICompatible
from rag_platform.trials.preference import preferred
from rag_platform.trials.rank_overlap import overlap, rank_biased_overlap
from rag_platform.trials.trial_records import Compared
from rag_platform.trials.trial_report import doubts

DEPTH = 10
Judge = Callable[[str, str, str], int | None]
"""Gives, for a question, the live version's answer and the other one's, what `Compared.preferred` says."""


def compare(live: Answer, other: Answer, judge: Judge) -> Compared:
    """Compare two answers by the documents that they were found in, and by what a judge says where they differ."""
    one, two = _documents(live.hits), _documents(other.hits)
    return Compared(
        overlap=overlap(one, two, DEPTH),
        rbo=rank_biased_overlap(one, two),
        same_first=one[:1] == two[:1],
        live_answered=not live.abstained,
        answered=not other.abstained,
        live_ms=live.took_ms.get("total", 0.0),
        ms=other.took_ms.get("total", 0.0),
        preferred=judge(live.question, live.answer, other.answer) if live.answer != other.answer else None,
        live_doubted=_doubted(live),
        doubted=_doubted(other),
    )


def _doubted(answer: Answer) -> float | None:
    states = [claim.state for claim in answer.claims]
    return sum(state in ("unverified", "contradicted") for state in states) / len(states) if states else None


def compare_on(questions: Sequence[str], live: Answerer, other: Answerer, judge: Judge) -> Iterator[Compared]:
    """Ask two versions what everybody may read about each question.

    Where both find the same passages in the same order, no answer is written: it would be the same.
    """
    for question in questions:
        found, others = (one.retriever.search(question, k=DEPTH).hits for one in (live, other))
        if [hit.chunk_id for hit in found] == [hit.chunk_id for hit in others]:
            yield Compared(1.0, 1.0, same_first=True, live_answered=True, answered=True, live_ms=0.0, ms=0.0)
        else:
            yield compare(live.ask(question, k=DEPTH), other.ask(question, k=DEPTH), judge)


def _documents(hits: Sequence[Hit]) -> list[str]:
    """Return the documents of some hits, each at its best rank."""
    return list(dict.fromkeys(hit.doc_id for hit in hits))


def judge_of(server: object, most: int) -> Judge:
    """Return a judge that asks a server about the first few pairs; None is said of the others, and without a server."""
    left = [most if isinstance(server, OpenAICompatible) else 0]

    def judged(question: str, live: str, other: str) -> int | None:
        if left[0] > 0 and isinstance(server, OpenAICompatible):
            left[0] -= 1
            with suppress(GenerationError):
                return preferred(server, question, live, other)
        return None

    return judged


def summary(compared: Sequence[Compared], judge: str | None) -> str:
    """Say in sentences what comparing showed; `judge` is the model that was asked, None: there is none."""
    count = len(compared)
    found_others = sum(not one.same_first for one in compared)
    lost = sum(one.live_answered and not one.answered for one in compared)
    won = sum(one.answered and not one.live_answered for one in compared)
    said = (
        f"{sum(one.overlap for one in compared) / count:.0%} of the first ten documents are the same (rank-biased "
        f"overlap {sum(one.rbo for one in compared) / count:.2f}); {found_others} of {count} questions find another "
        f"document first, {lost} lost their answer, {won} got one."
    )
    said += doubts(_mean([one.doubted for one in compared]), _mean([one.live_doubted for one in compared]))
    given = [one.preferred for one in compared if one.preferred is not None]
    if given:
        return (
            f"{said} Of {len(given)} answers that differ, {judge} prefers {given.count(1)} of this version and "
            f"{given.count(-1)} of the live one, whichever is shown first."
        )
    return f"{said} Which answers are better was not judged{'' if judge else ': there is no language model'}."


def _mean(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None
