"""How well the check without a model tells claims that people judged: which are supported by their source.

    python -m benchmarks.claims [FOLDER...] [--fit] [--most N]

Each folder holds pairs.jsonl with lines of `claim`, `source` and `label`: supported, partial, unsupported or
contradicted. Without a folder, those in RAG_SHARED_DATA. A claim is put to `verify` as the answer to it,
with the settings that everybody has; of several sentences the worst counts. Printed are the state of the claims of each
label and, of the supported against the unsupported and contradicted ones, the balanced accuracy, with 95 % intervals
(shares: Wilson; accuracy: 400 samples drawn again). Half-supported claims are shown, but no verdict on them is wrong.

`--fit` fits the curve of support_curve.py: for each set to the others alone, which is reported, and then to all.
"""

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corruptions import wilson
from rag_platform.answering.citations.alignment import SentenceReader
from rag_platform.answering.citations.claims import extract_claims
from rag_platform.answering.citations.support import Compared, compare
from rag_platform.answering.citations.support_curve import ACCEPTED, ENOUGH, MEASURED, Signs, SupportCurve
from rag_platform.answering.citations.verification import verify
from rag_platform.answering.coverage import uniform_weight
from rag_platform.config.settings import ModelSettings
from rag_platform.core.answers import STATES, State
from rag_platform.core.hits import Hit
from rag_platform.core.ports import Embedder
from rag_platform.embeddings.onnx_embedder import open_embedder
from rag_platform.models.calibration import fit_logistic

LABELS = ("supported", "partial", "unsupported", "contradicted")
INTERCHANGED = frozenset({"faith_q2"})
"""Sets whose conversion took the label 1 of cross_annotation.csv, which is "inconsistent", for supported: a claim that
repeats its source word for word is unsupported there. Their two labels are read the other way round."""
_OTHER = {"supported": "unsupported", "unsupported": "supported"}
_SAMPLES = 400
_ROUNDS = 4
_SHARED = Path(os.environ.get("RAG_SHARED_DATA", "."))
_ACCEPTED: tuple[State, ...] = ("quoted", "supported")


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim that somebody judged."""

    claim: str
    source: str
    label: str


def load_pairs(folder: Path) -> list[Pair]:
    """Read the judged claims of a folder."""
    with (folder / "pairs.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    changed = _OTHER if folder.name in INTERCHANGED else {}
    return [Pair(row["claim"], row["source"], changed.get(row["label"], row["label"])) for row in rows]


def judge(pair: Pair, embedder: Embedder) -> tuple[State, float]:
    """Return the worst state of a claim's sentences, and the least probability; of none that says anything, 0."""
    hits = [hit_of(pair.source)]
    judged = verify(f"{' '.join(pair.claim.split())} [1]", hits, embedder, uniform_weight).claims
    worst = max((STATES.index(one.state) for one in judged), default=STATES.index("unverified"))
    probability = min((one.probability or 0.0 for one in judged), default=0.0)
    return STATES[worst], probability


def hit_of(source: str) -> Hit:
    """Return a source as the only passage of an English document."""
    whole = (0, len(source))
    return Hit(
        rank=1,
        score=1.0,
        chunk_id="0" * 16,
        doc_id="source",
        uri="source",
        title="",
        source="",
        collection="",
        language="en",
        type="text",
        published_at=None,
        section="",
        text=source,
        span=whole,
        page=None,
        revision="",
        raw_sha256="",
        run_id=None,
        snippet="",
    )


def balanced_accuracy(accepted: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean of the supported claims accepted and of the others not, in [0, 1]; half-supported ones aside.

    Args:
        accepted: bool, shape (claims,).
        labels: str, shape (claims,).
    """
    held, others = accepted[labels == "supported"], accepted[np.isin(labels, ("unsupported", "contradicted"))]
    return float(held.mean() + 1 - others.mean()) / 2


def interval(accepted: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of the balanced accuracy, by drawing the claims of each label again."""
    rng, groups = np.random.default_rng(1), [np.flatnonzero(labels == label) for label in np.unique(labels)]
    drawn = [np.concatenate([rng.choice(group, len(group)) for group in groups]) for _ in range(_SAMPLES)]
    low, high = np.quantile([balanced_accuracy(accepted[rows], labels[rows]) for rows in drawn], (0.025, 0.975))
    return float(low), float(high)


def area(values: np.ndarray, labels: np.ndarray) -> float:
    """Return how often a supported claim has a higher value than an unsupported or contradicted one; ties are half."""
    held, others = values[labels == "supported"], values[np.isin(labels, ("unsupported", "contradicted"))]
    difference = held[:, None] - others[None]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


def _report(name: str, judged: Sequence[tuple[State, float]], labels: np.ndarray) -> None:
    """Print what became of the claims of each label, and how often that was right."""
    states, probabilities = (np.array(column) for column in zip(*judged, strict=True))
    accepted = np.isin(states, _ACCEPTED)
    low, high = interval(accepted, labels)
    print(f"\n## {name}: balanced accuracy {balanced_accuracy(accepted, labels):.3f} [{low:.3f}, {high:.3f}]", end="")
    print(f", area under the curve {area(probabilities, labels):.3f}")
    print(f"{'':13}{'claims':>8}{'accepted':>10}{'95 %':>16}" + "".join(f"{state:>14}" for state in STATES))
    for label in [label for label in LABELS if label in labels]:
        own = labels == label
        low, high = wilson(int(accepted[own].sum()), int(own.sum()))
        shares = "".join(f"{(states[own] == state).mean():14.1%}" for state in STATES)
        print(f"{label:13}{own.sum():8}{accepted[own].mean():10.1%}{f'{low:.1%} – {high:.1%}':>16}{shares}")


def compared(pair: Pair, embedder: Embedder) -> list[Compared]:
    """Lay each sentence of a claim that says something beside the source."""
    hit, reader = hit_of(pair.source), SentenceReader(embedder)
    claims = [claim.text for claim in extract_claims(" ".join(pair.claim.split()), [], [hit]) if claim.counts]
    return [one for claim in claims if (one := compare(claim, hit, 1, reader, uniform_weight))]


def fit_curve(sets: Sequence[tuple[Sequence[Sequence[Compared]], np.ndarray]]) -> SupportCurve:
    """Fit a curve to sets of claims, each set, and in it supported and other claims, counting the same.

    A claim of several sentences counts by the worst of them, as the curve that was fitted before sees it. A claim
    that is supported in part counts half.
    """
    labels = np.concatenate([own == "supported" for _, own in sets]).astype(float)
    weights = np.concatenate([_weights(own) for _, own in sets])
    curve = MEASURED
    for _ in range(_ROUNDS):
        signs = [_worst(rows, curve) for own, _ in sets for rows in own]
        inputs = np.array([[min(ENOUGH, one.held), one.differing] for one in signs])
        constant, held, differing = fit_logistic(inputs, labels, weights).tolist()
        curve = SupportCurve(constant, held, differing, MEASURED.version)
    return curve


def _weights(labels: np.ndarray) -> np.ndarray:
    held, each = labels == "supported", np.where(labels == "partial", 0.5, 1.0)
    weights: np.ndarray = np.where(held, 1 / max(1, held.sum()), each / max(1.0, each[~held].sum()))
    return weights


def _worst(rows: Sequence[Compared], curve: SupportCurve) -> Signs:
    return min((row.signs for row in rows), key=curve.probability, default=Signs(0.0, 0))


def judge_by(rows: Sequence[Compared], curve: SupportCurve) -> tuple[State, float]:
    """Return what `judge` does, of a claim none of whose sentences is verbatim, by another curve."""
    probability = curve.probability(_worst(rows, curve))
    if any(row.denied for row in rows):
        return "contradicted", probability
    accepted = probability >= ACCEPTED and not any(row.departs for row in rows)
    return "supported" if accepted else "unverified", probability


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--most", type=int, help="claims of each set, the first ones")
    parser.add_argument("--fit", action="store_true", help="fit the curve, each set left out in turn")
    arguments = parser.parse_args()
    embedder = open_embedder(ModelSettings())
    sets = {one: load_pairs(one)[: arguments.most] for one in arguments.folders or sorted(_SHARED.glob("faith_*"))}
    labels = {folder: np.array([pair.label for pair in pairs]) for folder, pairs in sets.items()}
    if arguments.fit:
        rows = {folder: [compared(pair, embedder) for pair in pairs] for folder, pairs in sets.items()}
        for left, own in rows.items():
            curve = fit_curve([(rows[other], labels[other]) for other in sets if other != left])
            _report(f"{left.name}, left out", [judge_by(one, curve) for one in own], labels[left])
        print(fit_curve([(rows[folder], labels[folder]) for folder in sets]))
        return
    for folder, pairs in sets.items():
        _report(folder.name, [judge(pair, embedder) for pair in pairs], labels[folder])


if __name__ == "__main__":
    main()
