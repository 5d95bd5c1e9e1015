"""Pinned floors: what the live version reached, below which nothing is published until somebody says so.

A small JSON file beside the question sets, meant to be kept with them: the fingerprint of the set and the least value
of a few measures. As in trafilatura's evaluation gate, floors of another set are not compared with, and a floor is
lowered only on purpose.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evals.measures.scoring import MEASURES, Scores
from evals.questions.sets import floors_path
from rag_platform.config.settings import GateSettings
from rag_platform.core.errors import QuestionSetError
from rag_platform.storage.atomic import write_bytes

PINNED = ("R@10", "Success@5", "gold_recall", "abstained")
"""Measures that are pinned beside the gate's own."""


@dataclass(frozen=True, slots=True)
class Floors:
    """The least values of some measures on one question set."""

    fingerprint: str
    floors: Mapping[str, float]
    version: str
    """The version they were taken from."""


def read_floors(home: Path) -> Floors | None:
    """Return the pinned floors; None when nothing was pinned."""
    path = floors_path(home)
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        floors = {str(metric): float(value) for metric, value in content["floors"].items()}
        unknown = [metric for metric in floors if metric not in MEASURES]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no measure")
        return Floors(str(content["fingerprint"]), floors, str(content["version"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise QuestionSetError(
            f"{path}: expected what `rag questions pin` writes, found {error}; restore the file, or remove it "
            "and pin again"
        ) from error


def floors_of(scores: Scores, settings: GateSettings) -> Floors:
    """Return the floors that a version's scores give: each mean less the noise band."""
    metrics = dict.fromkeys((settings.metric, *PINNED))
    reached = {metric: scores.means[metric] for metric in metrics if metric in scores.means}
    floors = {metric: round(max(0.0, value - settings.noise), 4) for metric, value in reached.items()}
    return Floors(scores.fingerprint, floors, scores.version)


def pin(home: Path, floors: Floors, *, allow_regression: bool = False) -> None:
    """Write the floors; `QuestionSetError` when one would be lowered or dropped without leave."""
    before = read_floors(home)
    lowered = [
        f"{metric} from {old:.3f} to {floors.floors[metric]:.3f}"
        if metric in floors.floors
        else f"{metric} ({old:.3f}) away"
        for metric, old in (before.floors.items() if before else ())
        if floors.floors.get(metric, -1.0) < old
    ]
    if lowered and not allow_regression:
        raise QuestionSetError(
            f"{floors_path(home)}: this would lower {'; '.join(lowered)}. Nothing was written. If that is meant, run "
            "`rag questions pin --allow-regression`."
        )
    content = {"fingerprint": floors.fingerprint, "version": floors.version, "floors": dict(floors.floors)}
    floors_path(home).parent.mkdir(parents=True, exist_ok=True)
    write_bytes(floors_path(home), (json.dumps(content, indent=2) + "\n").encode())
