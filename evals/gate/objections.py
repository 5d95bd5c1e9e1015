"""The gate's rules: each returns its objections, in sentences for people. What they leave unsaid passes."""

import math
from collections.abc import Iterator, Mapping, Sequence

from evals.gate.comparison import Comparison, compare
from evals.gate.floors import Floors
from evals.measures.answer_metrics import ABSTENTION
from evals.measures.scoring import MEASURES, RETRIEVERS, Scores
from evals.measures.takeover import Takeover
from rag_platform.config.settings import GateSettings

SIGNIFICANT = 0.05
"""A drop beyond the noise counts when chance would do as much in fewer cases than this."""
SEVERE = 3
"""A drop of so many noise bands is refused, however few the questions: a small set proves nothing by itself."""
_MOVED = 0.6
"""What a single one of several questions may lose: its answer went from the first place to the third, and is there."""
SLOWER = 3.0
"""A p95 so many times that of the live version is refused …"""
SLOWER_BY_MS = 100
"""… when it is also this much slower: below, a busy machine explains it."""
_BLIND = 0.3
"""A source whose vectors alone lose more than this with another model is refused …"""
_FEWEST_OF_A_SOURCE = 3
"""… when so many questions rest on it."""
SECONDARY = (*RETRIEVERS.values(), "answered", "gold_recall", "cited_verbatim", "cites_quote", "abstained")
"""Measures in which a candidate must not be clearly worse, whatever the gate's own metric says."""


def unsound(scores: Scores) -> Iterator[str]:
    """Object to leaks and crashes."""
    if scores.leaks:
        yield f"{len(scores.leaks)} hits were shown to people who may not read them, first: {scores.leaks[0]}."
    if scores.failed:
        yield f"{count_questions(len(scores.failed))} could not be asked, first: {scores.failed[0]}."


def below_floors(scores: Scores, settings: GateSettings) -> Iterator[str]:
    """Object to measures below the floors of the settings."""
    for metric, floor in settings.floors.items():
        if metric not in (*MEASURES, *ABSTENTION):
            yield unknown(f"gate.floors.{metric}", metric, (*MEASURES, *ABSTENTION))
        else:
            yield from _below(scores, metric, floor, "its floor")


def below_pinned(scores: Scores, pinned: Floors | None) -> Iterator[str]:
    """Object to measures below the pinned floors, and to floors that are of other questions."""
    if pinned is None:
        return
    if pinned.fingerprint != scores.fingerprint:
        yield (
            f"The pinned floors are of other questions (set {pinned.fingerprint}, now {scores.fingerprint}), so they "
            "were not compared with. Run `rag questions pin` to pin the live version's scores on today's questions."
        )
        return
    for metric, floor in pinned.floors.items():
        yield from _below(scores, metric, floor, "its pinned floor")


def _below(scores: Scores, metric: str, floor: float, name: str) -> Iterator[str]:
    value = scores.means.get(metric)
    if value is None or math.isnan(value):  # NaN is not below anything
        yield f"{metric} must be at least {floor:.3f}, but no question gave it a value."
    elif value < floor:
        yield f"{metric} is {value:.3f}, below {name} of {floor:.3f}."


def too_many_stale(
    stale: Mapping[str, str], gone: Sequence[str], comparison: Comparison, share: float
) -> Iterator[str]:
    """Object when the sources took away too many questions at once for the others to vouch for a version.

    As with deletions, a single one of several always may go, however small the set. Only what is in `gone` is news.
    """
    fresh = [key for key in gone if key in stale]
    total = comparison.questions + len(fresh)
    if fresh and len(fresh) > share * total and (len(fresh) > 1 or not comparison.questions):
        yield (
            f"{comparison.metric} cannot vouch for it: {len(fresh)} of {count_questions(total)} rest on text that the "
            f"sources have changed or removed since the live version, more than the share of {share:g} "
            f"(sync.max_deleted_share); first: {fresh[0]}: {stale[fresh[0]]}. Mend the source or, if that is right, "
            "update the questions: `rag questions check` names them."
        )


def worse(comparison: Comparison, noise: float) -> Iterator[str]:
    """Object to a drop in the gate's metric that is severe, or beyond noise and chance."""
    fell = _drop(comparison)
    lost = comparison.drop * comparison.questions
    one_moved = len(comparison.worse) == 1 < comparison.questions and lost <= _MOVED
    if comparison.drop > SEVERE * noise and not one_moved:
        yield f"{fell}That is more than {SEVERE} times the noise band of {noise:.3f}."
    elif comparison.drop > noise and comparison.p < SIGNIFICANT:
        yield f"{fell}That is beyond the noise band of {noise:.3f}, and chance alone would explain it in only " + (
            f"{comparison.p:.1%} of cases."
        )


def clearly_worse(candidate: Scores, live: Scores, metric: str, noise: float) -> Iterator[Comparison]:
    """Yield the secondary measures in which chance cannot explain a drop.

    They are tested together, so each must pass a stricter test (Bonferroni's correction).
    """
    tested = [name for name in SECONDARY if name != metric]
    for name in tested:
        comparison = compare(candidate, live, name, given_by="both")
        if comparison.drop > noise and comparison.p < SIGNIFICANT / len(tested):
            yield comparison


def blind_vectors(candidate: Scores, live: Scores, homes: Mapping[str, str | None]) -> Iterator[str]:
    """Object when a source's vectors find little of what they found, though its words still do; `homes`: its questions.

    Asked where a model changed: a wrong one makes vectors that mean nothing, and one source has few questions.
    """
    metric = RETRIEVERS["vector"]
    for source in sorted({home for home in homes.values() if home}):
        others = [*candidate.stale, *(key for key, home in homes.items() if home != source)]
        found = compare(candidate.excluding(others), live.excluding(others), metric, given_by="both")
        if found.questions >= _FEWEST_OF_A_SOURCE and found.drop > _BLIND:
            yield f"The vectors of `{source}` are of another model, and find less of what it says. {_drop(found)}"


def clear_drop(comparison: Comparison) -> str:
    """Say how a secondary measure fell."""
    return f"{_drop(comparison)}Chance alone would explain it in only {comparison.p:.1%} of cases."


def slower(latency: Mapping[str, float] | None) -> Iterator[str]:
    """Object to a search that takes several times as long as the live version's, measured in the same run."""
    if latency and latency["ratio"] > SLOWER and latency["candidate_p95"] > latency["live_p95"] + SLOWER_BY_MS:
        yield (
            f"Searching is {latency['ratio']:.1f} times slower: p95 is {latency['candidate_p95']:.0f} ms, against "
            f"{latency['live_p95']:.0f} ms in the live version on the same questions."
        )


def taken_over(takeovers: Sequence[Takeover], share: float) -> Iterator[str]:
    """Object when new documents of one origin took the top of more than a share of the questions answered so far."""
    for one in takeovers:
        if one.share > share:
            yield (
                f"New documents of {one.origin} take over {len(one.questions)} of {count_questions(one.of)} that the "
                f"live version answers ({one.share:.0%}, more than gate.takeover = {share:g}): they stand first and "
                f"before what answered, such as {', '.join(one.documents[:3])}; first question: {one.questions[0]}. If "
                "they are right, promote the version with --force or raise the setting."
            )


def _drop(comparison: Comparison) -> str:
    return (
        f"{comparison.metric} fell from {comparison.live:.3f} to {comparison.candidate:.3f} (by {comparison.drop:.3f}"
        f"{_interval(comparison)}) over {count_questions(comparison.questions)}: "
        f"{len(comparison.worse)} got worse, {len(comparison.better)} better. "
    )


def _interval(comparison: Comparison) -> str:
    if comparison.interval is None:
        return ""
    low, high = (max(0.0, -bound) if abs(bound) < 1e-9 else -bound for bound in reversed(comparison.interval))
    return f", 95 % interval {low:.3f} to {high:.3f}"


def unknown(key: str, metric: str, known: Sequence[str]) -> str:
    """Say that a setting names what is not measured."""
    return f"{key} names {metric!r}, which is not measured; expected one of: {', '.join(known)}."


def count_questions(count: int) -> str:
    """Return so many questions, in words."""
    return "1 question" if count == 1 else f"{count} questions"
