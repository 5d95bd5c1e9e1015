"""What a candidate loses against the live version, by all the rules that compare the two."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from evals.gate import objections as rules
from evals.gate.comparison import Comparison, compare
from evals.gate.evidence import Evidence
from evals.gate.growth import growth_of, without_growth
from evals.measures.scoring import Scores
from rag_platform.config.settings import GateSettings


@dataclass(frozen=True, slots=True)
class Findings:
    """The comparison of two versions, and what is objected to it."""

    objections: tuple[str, ...]
    comparison: Comparison
    secondary: tuple[Comparison, ...]
    """Other measures that are clearly worse."""
    doubted: tuple[str, ...] = ()
    """Questions that are found as before and no longer answered, because the collection grew."""


def compare_versions(candidate: Scores, live: Scores, settings: GateSettings, evidence: Evidence) -> Findings:
    """Apply the rules to two versions that were asked the same questions."""
    growth = growth_of(candidate, live, evidence.origins)
    candidate = without_growth(candidate, live, growth)
    comparison = compare(candidate, live, settings.metric)
    secondary = tuple(rules.clearly_worse(candidate, live, settings.metric, settings.noise))
    objections = (
        *rules.below_floors(candidate, settings),
        *rules.below_pinned(candidate, evidence.pinned),
        *rules.too_many_stale(evidence.stale, evidence.gone, comparison, evidence.max_stale_share),
        *rules.worse(comparison, settings.noise),
        *map(rules.clear_drop, secondary),
        *_blind(candidate, live, evidence),
        *rules.taken_over(evidence.takeovers, settings.takeover),
    )
    return Findings(objections, comparison, secondary, growth.doubted)


def _blind(candidate: Scores, live: Scores, evidence: Evidence) -> Iterator[str]:
    origins = evidence.origins
    if origins is not None and not origins.same_models:
        homes = {key: origins.home_of(key) for key in candidate.deciding["id"]}
        yield from rules.blind_vectors(candidate, live, homes)


def without(
    candidate: Scores, live: Scores, evidence: Evidence, sources: Collection[str], questions: Collection[str]
) -> tuple[Scores, Scores, Evidence]:
    """Leave out what is laid to these sources: their takeovers, and these questions."""
    left_out = {*candidate.stale, *questions}
    rest = replace(
        evidence,
        stale={key: why for key, why in evidence.stale.items() if key not in questions},
        takeovers=[one for one in evidence.takeovers if one.source not in sources],
    )
    return candidate.excluding(sorted(left_out)), live.excluding(sorted(left_out)), rest
