"""Fit how probable it is that a passage is relevant, and measure how often a question about something else is noticed.

    python -m benchmarks.relevance FOLDER... [--questions 120] [--home DIRECTORY]

Each folder is BEIR-like: corpus.jsonl, queries.jsonl, qrels/test.tsv. Every corpus is searched with its own questions
and with some of every other folder's, whose answers it does not hold, or only by chance. Passages that are judged
relevant to a question, and the best ones for a question of another folder, count the same. One half of the questions,
by a hash of their ids, gives the coefficients of `model_cards.RELEVANCE` and `relevance.WORDS`. Of the other half is
told: which share of a corpus's own questions is said to find nothing relevant, which share of the others, and the area
under the curve; for `min_relevance`, and for a stricter limit below which one in a hundred of the first half's own
questions lies, as is told of a plain cosine for comparison. Once more for each corpus, with coefficients to which
neither it nor its questions gave anything.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from evals.benchmark.beir import BeirFolder, load_folder
from evals.commands.evaluation import index_corpus
from rag_platform.config.settings import RetrievalSettings, load_settings
from rag_platform.core.ids import digest
from rag_platform.core.ports import silent
from rag_platform.models.calibration import Curve, fit_logistic
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.search.relevance import shares
from rag_platform.workspace import Workspace

FEATURES = ("words", "similarity", "rerank")
WAYS = {"rerank": FEATURES, "hybrid": FEATURES[:2], "vector": FEATURES[1:2], "lexical": FEATURES[:1]}
LEAST = RetrievalSettings().min_relevance
_BEST = 3
"""Passages of a question that the coefficients are fitted to."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question put to a corpus."""

    of: str
    """The folder of the question."""
    corpus: str
    tuning: bool
    features: np.ndarray
    """Of each candidate, best first: float32, shape (candidates, len(FEATURES)); NaN: it was not reranked."""
    relevant: np.ndarray
    """bool, shape (candidates,)."""

    @property
    def own(self) -> bool:
        """Whether the corpus holds an answer."""
        return self.of == self.corpus

    def known(self, way: str) -> np.ndarray:
        """Return the features that a way of searching has, of the candidates that have them."""
        values = self.features[:, [FEATURES.index(name) for name in WAYS[way]]]
        return values[np.isfinite(values).all(axis=1)]

    def examples(self, way: str) -> np.ndarray:
        """Return the features of passages that are known to be relevant, or known not to be."""
        values = self.features[:, [FEATURES.index(name) for name in WAYS[way]]]
        certain = self.relevant if self.own else ~self.relevant
        return values[np.isfinite(values).all(axis=1) & certain][:_BEST]

    def best(self, curve: Curve, way: str) -> float:
        """Return the relevance of the best candidate."""
        known = dict(zip(WAYS[way], self.known(way).T, strict=True))
        return float(curve.of(**{"words": np.zeros(len(self.known(way)))} | known).max(initial=0.0))


def ask(retriever: Retriever, corpus: BeirFolder, folder: BeirFolder, key: str) -> Asked:
    """Put a question of a folder to a corpus."""
    result = retriever.search(folder.questions[key].question, mode="rerank", explain=True)
    if result.trace is None:
        raise AssertionError("a search with `explain` keeps its trace")
    found, trace = result.trace.candidates, result.trace
    held = shares(found, trace.index, trace.question)
    answers = folder.qrels[key] if folder is corpus else {}
    relevant = [answers.get(found.row(place)["uri"], 0) > 0 for place in range(len(found.keys))]
    features = np.stack([held, found.vector, found.rerank], axis=1)
    return Asked(folder.name, corpus.name, int(digest(key), 16) % 2 == 0, features, np.array(relevant, bool))


def fit(asked: Sequence[Asked], way: str) -> Curve:
    """Fit a curve; each corpus, and in it both kinds of questions, weigh the same."""
    groups = [(one.corpus, one.own, values) for one in asked if len(values := one.examples(way))]
    sizes = {kind: sum(kind == (corpus, own) for corpus, own, _ in groups) for kind in {group[:2] for group in groups}}
    inputs = np.concatenate([values for *_, values in groups]).astype(float)
    labels = np.concatenate([np.full(len(values), own, float) for _, own, values in groups])
    weights = np.concatenate(
        [np.full(len(values), 1 / len(values) / sizes[corpus, own]) for corpus, own, values in groups]
    )
    constant, *weights = fit_logistic(inputs, labels, weights).tolist()
    return Curve(constant, **dict(zip(WAYS[way], weights, strict=True)))


def area(own: np.ndarray, others: np.ndarray) -> float:
    """Return the chance that an own question is above one of the others."""
    return float((own[:, None] > others).mean() + (own[:, None] == others).mean() / 2)


def told(asked: Iterable[Asked], value: Callable[[Asked], float], least: float) -> tuple[float, float, float]:
    """Return the shares of own and of other questions below `least`, and the area under the curve."""
    values = [(one.own, value(one)) for one in asked]
    own, others = (np.array([known for of, known in values if of == wanted]) for wanted in (True, False))
    return float((own < least).mean()), float((others < least).mean()), area(own, others)


def unseen(asked: Sequence[Asked], way: str, corpus: str) -> tuple[float, float, float]:
    """Tell of a corpus by coefficients to which neither it nor its questions gave anything."""
    curve = fit([one for one in asked if corpus not in (one.of, one.corpus)], way)
    return told([one for one in asked if one.corpus == corpus], lambda one: one.best(curve, way), LEAST)


def report(asked: Sequence[Asked]) -> None:
    """Print coefficients and tables."""
    tuning, held = [one for one in asked if one.tuning], [one for one in asked if not one.tuning]
    corpora = list(dict.fromkeys(one.corpus for one in asked))
    print(f"{'below':28s} {'own':>6s} {'other':>6s} {'area':>6s}   of {len(held)} held-out searches")
    for way in WAYS:
        curve = fit(tuning, way)
        print(f"{way}: {curve}")
        print(_row(f"  {LEAST:g}", told(held, partial(Asked.best, curve=curve, way=way), LEAST)))
        _compare(f"{way}, strict", partial(Asked.best, curve=curve, way=way), tuning, held)
        for corpus in corpora if len(corpora) > 2 else ():
            print(_row(f"  unseen {corpus}", unseen(asked, way, corpus)))
    _compare("cosine, strict", _cosine, tuning, held)


def _compare(name: str, value: Callable[[Asked], float], tuning: Sequence[Asked], held: Sequence[Asked]) -> None:
    """Print what comes of a limit below which one in a hundred of the own questions of the first half lies."""
    least = float(np.quantile([value(one) for one in tuning if one.own], 0.01))
    print(_row(f"  {name}: {least:.3f}", told(held, value, least)))


def _cosine(one: Asked) -> float:
    return float(one.features[:, FEATURES.index("similarity")].max(initial=-1.0))


def _row(name: str, figures: tuple[float, float, float]) -> str:
    own, others, under = figures
    return f"{name:28s} {own:6.1%} {others:6.1%} {under:6.4f}"


def main() -> None:
    """Search, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=120, help="of each folder; others get a quarter of them")
    parser.add_argument("--home", type=Path)
    arguments = parser.parse_args()
    folders = [load_folder(path) for path in arguments.folders]
    keys = {folder.name: sorted(folder.qrels, key=digest)[: arguments.questions] for folder in folders}
    asked = []
    with tempfile.TemporaryDirectory() as temporary:
        parent = Workspace(load_settings(arguments.home or Path(temporary)))
        for corpus in folders:
            print(f"{corpus.name} …", file=sys.stderr, flush=True)
            retriever = index_corpus(parent, corpus, lambda _: silent, {}).retriever
            for folder in folders:
                few = keys[folder.name] if folder is corpus else keys[folder.name][: arguments.questions // 4]
                asked += [ask(retriever, corpus, folder, key) for key in few]
    report(asked)


if __name__ == "__main__":
    main()
