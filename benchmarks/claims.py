"""How well the check without a model tells claims that people judged: which are supported by their source.

    python -m benchmarks.claims [FOLDER...] [--fit] [--most N]

Each folder holds pairs.jsonl, a file of claims as `rag check` reads it, with labels: supported, partial, unsupported or
contradicted. Without a folder, those in RAG_SHARED_DATA. A claim is judged as `rag check` does, with the settings that
everybody has. Printed are the state of the claims of each label and, of the supported against the unsupported and
contradicted ones, the balanced accuracy, with 95 % intervals. Half-supported claims are shown, but no verdict on them
is wrong.

`--fit` fits the curve of support_curve.py to one half of the claims: for each set to the others alone, which is
reported for all of its claims, and then to all sets.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from benchmarks.answers import tuning
from rag_platform.answering.citations.alignment import SentenceReader
from rag_platform.answering.citations.claims import extract_claims
from rag_platform.answering.citations.support import Compared, compare
from rag_platform.answering.citations.support_curve import ACCEPTED, ENOUGH, MEASURED, Signs, SupportCurve
from rag_platform.answering.claim_files.claim_judging import JudgedRow, hit_of, judge_rows
from rag_platform.answering.claim_files.claim_measures import balanced_accuracy, measure_labels
from rag_platform.answering.claim_files.claim_rows import ClaimRow, Label, read_claims
from rag_platform.answering.coverage import uniform_weight
from rag_platform.config.settings import ModelSettings
from rag_platform.core.answers import STATES, State
from rag_platform.core.ports import Embedder
from rag_platform.embeddings.onnx_embedder import open_embedder
from rag_platform.models.calibration import fit_logistic

INTERCHANGED = frozenset({"faith_q2"})
"""Sets whose conversion took the label 1 of cross_annotation.csv, which is "inconsistent", for supported: a claim that
repeats its source word for word is unsupported there. Their two labels are read the other way round."""
_OTHER: dict[Label | None, Label] = {"supported": "unsupported", "unsupported": "supported"}
_ROUNDS = 4
_SHARED = Path(os.environ.get("RAG_SHARED_DATA", "."))


def load_claims(folder: Path) -> list[ClaimRow]:
    """Read the judged claims of a folder."""
    rows, problems = read_claims(folder / "pairs.jsonl")
    for problem in problems:
        print(problem, file=sys.stderr)
    other = _OTHER if folder.name in INTERCHANGED else {}
    return [replace(row, label=other.get(row.label, row.label)) for row in rows]


def lay_beside_source(row: ClaimRow, embedder: Embedder) -> list[Compared]:
    """Lay each sentence of a claim that says something beside the source."""
    hit, reader = hit_of(row.source), SentenceReader(embedder)
    claims = [claim.text for claim in extract_claims(" ".join(row.claim.split()), [], [hit]) if claim.counts]
    return [one for claim in claims if (one := compare(claim, hit, 1, reader, uniform_weight))]


def fit_curve(sets: Sequence[Sequence[tuple[ClaimRow, Sequence[Compared]]]]) -> SupportCurve:
    """Fit a curve to sets of claims, each set, and in it supported and other claims, counting the same.

    A claim of several sentences counts by the worst of them, as the curve that was fitted before sees it. A claim
    that is supported in part counts half.
    """
    labels = [np.array([row.label for row, _ in pairs]) for pairs in sets]
    held, weights = np.concatenate(labels) == "supported", np.concatenate([_weights(own) for own in labels])
    curve = MEASURED
    for _ in range(_ROUNDS):
        signs = [_worst(laid, curve) for pairs in sets for _, laid in pairs]
        inputs = np.array([[min(ENOUGH, one.held), one.differing, one.repeated] for one in signs])
        curve = SupportCurve(*fit_logistic(inputs, held.astype(float), weights).tolist(), MEASURED.version)
    return curve


def _weights(labels: np.ndarray) -> np.ndarray:
    held, each = labels == "supported", np.where(labels == "partial", 0.5, 1.0)
    weights: np.ndarray = np.where(held, 1 / max(1, held.sum()), each / max(1.0, each[~held].sum()))
    return weights


def _worst(laid: Sequence[Compared], curve: SupportCurve) -> Signs:
    return min((one.signs for one in laid), key=curve.probability, default=Signs(0.0, 0, 0.0))


def judge_by(row: ClaimRow, laid: Sequence[Compared], curve: SupportCurve) -> JudgedRow:
    """Return what `judge_rows` does, of a claim none of whose sentences is verbatim, by another curve."""
    probability = curve.probability(_worst(laid, curve))
    accepted = probability >= ACCEPTED and not any(one.departs for one in laid)
    state: State = "supported" if accepted else "contradicted" if any(one.denied for one in laid) else "unverified"
    return JudgedRow(row, state, probability, curve.version, ())


def area(judged: Sequence[JudgedRow]) -> float:
    """Return how often a supported claim is more probable than an unsupported or contradicted one; ties are half."""
    held = np.array([one.probability or 0.0 for one in judged if one.row.label == "supported"])
    others = np.array([one.probability or 0.0 for one in judged if one.row.label in ("unsupported", "contradicted")])
    difference = held[:, None] - others[None]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


def report(name: str, judged: Sequence[JudgedRow]) -> None:
    """Print what became of the claims of each label, and how often that was right."""
    print(f"\n## {name}", end="")
    if accuracy := balanced_accuracy(judged):
        print(f": balanced accuracy {accuracy.value:.3f} [{accuracy.low:.3f}, {accuracy.high:.3f}]", end="")
        print(f", area under the curve {area(judged):.3f}", end="")
    print(f"\n{'':13}{'claims':>8}{'accepted':>10}{'95 %':>16}" + "".join(f"{state:>14}" for state in STATES))
    for of in measure_labels(judged):
        interval, shares = f"{of.accepted.low:.1%} – {of.accepted.high:.1%}", (of.states[state] for state in STATES)
        print(f"{of.label:13}{of.claims:8}{of.accepted.value:10.1%}{interval:>16}", end="")
        print("".join(f"{share:14.1%}" for share in shares), flush=True)


def fit_and_report(sets: Mapping[str, Sequence[ClaimRow]], embedder: Embedder) -> None:
    """Print how each set does by a curve that was fitted to the others, and the curve that was fitted to all."""
    laid = {name: [(row, lay_beside_source(row, embedder)) for row in rows] for name, rows in sets.items()}
    chosen = {name: [pair for pair in pairs if tuning(pair[0].claim)] for name, pairs in laid.items()}
    for name, pairs in laid.items() if len(laid) > 1 else ():
        curve = fit_curve([own for other, own in chosen.items() if other != name])
        report(f"{name}, left out", [judge_by(row, compared, curve) for row, compared in pairs])
    print(fit_curve(list(chosen.values())))


def _no_search(question: str) -> NoReturn:
    raise ValueError(f"{question!r} has no source")


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--most", type=int, help="claims of each set, the first ones")
    parser.add_argument("--fit", action="store_true", help="fit the curve, each set left out in turn")
    arguments = parser.parse_args()
    embedder = open_embedder(ModelSettings())
    folders = arguments.folders or sorted(_SHARED.glob("faith_*"))
    sets = {one.name: load_claims(one)[: arguments.most] for one in folders}
    if arguments.fit:
        fit_and_report(sets, embedder)
        return
    for name, rows in sets.items():
        report(name, judge_rows(rows, embedder, None, _no_search))


if __name__ == "__main__":
    main()
