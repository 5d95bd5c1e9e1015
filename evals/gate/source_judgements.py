"""Each source judged: what its questions say of it, and which sources the loss of a version is laid to."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import polars as pl

from evals.gate.blame import Loss, Origins
from evals.gate.comparison import Comparison
from evals.gate.evidence import Evidence
from evals.gate.losses import compare_versions, without
from evals.gate.objections import count_questions
from evals.measures.intervals import mean
from evals.measures.scoring import Scores
from rag_platform.config.settings import GateSettings
from rag_platform.core.ports import SourceJudgement

ENOUGH = 2
"""Questions that rest on a source, below which they say nothing of it."""
_TOLD = ("Success@5", "answered")
"""Measures that are told of each source beside the gate's own."""


def judge_sources(
    candidate: Scores,
    live: Scores,
    settings: GateSettings,
    evidence: Evidence,
    losses: Sequence[Loss],
    own: Mapping[str, Sequence[str]],
) -> dict[str, SourceJudgement]:
    """Judge every source of a candidate; `own` says what is objected to its own questions' losses."""
    if evidence.origins is None:
        return {}
    blamed = to_blame(candidate, live, settings, evidence, losses)
    resting = _resting(live, losses, evidence.origins)
    judged = {}
    for source in sorted({*evidence.origins.sources.values(), *evidence.faults}):
        laid = [loss for loss in losses if loss.source == source]
        held_by = (*evidence.faults.get(source, ()), *own.get(source, ()))
        reasons = [*held_by, *(_taken(laid) if source in blamed and not held_by else ())]
        passed = source in evidence.permitted or not (held_by or source in blamed)
        judged[source] = SourceJudgement(
            source,
            passed,
            tuple(reasons or _watched(source, len(resting.get(source, ())))),
            questions=len(resting.get(source, ())),
            lost=tuple(loss.question for loss in laid if loss.answer),
            measures=_measures(candidate, live, resting.get(source, ()), (settings.metric, *_TOLD)),
        )
    return judged


def replaced(live: Scores, losses: Sequence[Loss], origins: Origins | None) -> dict[str, list[str]]:
    """Object to each source that took the answer from half or more of its own questions, and from two at least."""
    if origins is None:
        return {}
    found = {}
    for source, keys in _resting(live, losses, origins).items():
        lost = [loss for loss in losses if loss.answer and loss.source == loss.home == source]
        if len(lost) >= ENOUGH and 2 * len(lost) >= len(keys):
            first = lost[0].documents[0] if lost[0].documents else lost[0].question
            found[source] = [
                f"Source {source!r} no longer answers {len(lost)} of its {count_questions(len(keys))}: the text that "
                f"answered them was changed or removed, first in {first}. If that is right, let it pass; the "
                "questions are then made anew or can be updated (`rag questions check` names them)."
            ]
    return found


def headline(losses: Sequence[Loss], comparison: Comparison) -> Iterator[str]:
    """Say how many questions lost their answer, and to what: each source once, the worst first."""
    lost = [loss for loss in losses if loss.answer]
    if not lost:
        return
    total = comparison.questions + len({loss.question for loss in lost} - {*comparison.worse})
    causes = Counter((loss.source, loss.source == loss.home) for loss in lost if loss.source)
    told = [
        f"{_how_many(count, len(lost))}because `{source}` changed what answered {'it' if count == 1 else 'them'}"
        if own
        else f"{_how_many(count, len(lost))}to documents of `{source}`"
        for (source, own), count in causes.most_common()
    ]
    their = "its" if len(lost) == 1 else "their"
    yield f"{', '.join([f'{len(lost)} of your {count_questions(total)} lost {their} answer', *told])}."


def _how_many(count: int, of: int) -> str:
    return "" if count == of == 1 else "all of them " if count == of else f"{count} of them "


def to_blame(
    candidate: Scores, live: Scores, settings: GateSettings, evidence: Evidence, losses: Sequence[Loss]
) -> list[str]:
    """Return the sources without whose losses the version would pass, the fewest; none where that is not clear."""

    def passes(sources: Collection[str]) -> bool:
        questions = {loss.question for loss in losses if loss.source in sources}
        rest = without(candidate, live, evidence, sources, questions)
        return not compare_versions(*rest[:2], settings, rest[2]).objections

    votes = Counter(loss.source for loss in losses if loss.source)
    votes.update(one.source for one in evidence.takeovers if one.share > settings.takeover)
    return _fewest([source for source, _ in votes.most_common()], passes)


def _fewest(order: Sequence[str], passes: Callable[[Collection[str]], bool]) -> list[str]:
    chosen: list[str] = []
    for source in (None, *order):
        chosen += [source] if source else []
        if passes(chosen):
            break
    else:
        return []
    for source in [*chosen]:
        fewer = [one for one in chosen if one != source]
        chosen = fewer if passes(fewer) else chosen
    return chosen


def _resting(live: Scores, losses: Sequence[Loss], origins: Origins) -> dict[str, list[str]]:
    """Return the questions that rest on each source, those whose text is gone included."""
    keys = dict.fromkeys([*live.deciding["id"], *(loss.question for loss in losses)])
    resting: dict[str, list[str]] = {}
    for key in keys:
        if home := origins.home_of(key):
            resting.setdefault(home, []).append(key)
    return resting


def _taken(laid: Sequence[Loss]) -> Iterator[str]:
    """Say what is laid to a source that is to blame for a version's loss."""
    documents = list(dict.fromkeys(uri for loss in laid for uri in loss.documents))[:3]
    if documents:
        yield f"{count_questions(len(laid))} got worse because of it, by documents such as {', '.join(documents)}."


def _watched(source: str, questions: int) -> Iterator[str]:
    if questions < ENOUGH:
        yield (
            f"Source {source!r} has {count_questions(questions) if questions else 'no questions'} of its own: "
            "only the brake on change watches it."
        )


def _measures(
    candidate: Scores, live: Scores, keys: Collection[str], metrics: Sequence[str]
) -> dict[str, tuple[float | None, float | None]]:
    """Return each measure's means in the live version and in the candidate, over these questions."""
    rows = [one.questions.filter(pl.col("id").is_in(list(keys))) for one in (live, candidate)]
    return {metric: (mean(rows[0][metric]), mean(rows[1][metric])) for metric in dict.fromkeys(metrics)}
