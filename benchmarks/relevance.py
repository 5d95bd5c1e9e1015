"""Fit how probable it is that a passage is relevant, and measure how often a question about something else is noticed.

    python -m benchmarks.relevance FOLDER... [--questions 120] [--home DIRECTORY] [--model NAME] [--halves]

Each folder is BEIR-like: corpus.jsonl, queries.jsonl, qrels/test.tsv. Every corpus is searched with its own questions
and with some of every other folder's, whose answers it does not hold, or only by chance. Passages that are judged
relevant to a question, and the best ones for a question of another folder, count the same. One half of the questions,
by a hash of their ids, gives the coefficients of `model_cards.RELEVANCE` and `relevance.WORDS`. Of the other half is
told: which share of a corpus's own questions is said to find nothing relevant, which share of the others, and the area
under the curve; for `min_relevance`, and for a stricter limit below which one in a hundred of the first half's own
questions lies, as is told of a plain cosine for comparison. Once more for each corpus, with coefficients to which
neither it nor its questions gave anything.

`--halves` asks harder questions: of each folder one half is indexed, by a hash of the titles, and its other questions
are those that it cannot answer, of the same kind and in the same language. Beside what is fitted stands what the curves
of the product make of the same questions; those of multilingual-e5-small are of XQuAD in five languages and JaQuAD:

    python -m benchmarks.relevance XQUAD/{hi,zh,de,es,en} JAQUAD --halves --model multilingual-e5-small
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from evals.benchmark.beir import BeirFolder, load_folder
from evals.commands.evaluation import index_corpus
from rag_platform.config.settings import ModelSettings, RetrievalSettings
from rag_platform.config.settings_file import load_settings
from rag_platform.core.ids import digest
from rag_platform.core.ports import silent
from rag_platform.models.calibration import WORDS, Curve, Curves, fit_logistic
from rag_platform.models.cards import CARDS
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
    held = shares(found, trace.index, trace.question, trace.filters)
    answers = folder.qrels[key] if folder is corpus else {}
    relevant = [answers.get(found.row(place)["uri"], 0) > 0 for place in range(len(found.keys))]
    features = np.stack([held, found.evidence, found.rerank], axis=1)
    return Asked(folder.name, corpus.name, int(digest(key), 16) % 2 == 0, features, np.array(relevant, bool))


def halves(folder: BeirFolder) -> tuple[BeirFolder, BeirFolder]:
    """Return the folder with the documents of half of its titles and what is asked of them, and all other questions."""
    kept = {key: row for key, row in folder.documents.items() if int(digest(row.title or key), 16) % 2}
    own = {key: grades for key, grades in folder.qrels.items() if grades.keys() <= kept.keys()}
    others = {key: grades for key, grades in folder.qrels.items() if not grades.keys() & kept.keys()}
    left_out = replace(folder, name=f"{folder.name}, left out", documents={}, qrels=others)
    return replace(folder, documents=kept, qrels=own), left_out


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


def report(asked: Sequence[Asked], known: Curves | None) -> None:
    """Print coefficients and tables; `known` are those that the model has."""
    tuning, held = [one for one in asked if one.tuning], [one for one in asked if not one.tuning]
    corpora = list(dict.fromkeys(one.corpus for one in asked))
    print(f"{'below':28s} {'own':>6s} {'other':>6s} {'area':>6s}   of {len(held)} held-out searches")
    for way in WAYS:
        curve = fit(tuning, way)
        print(f"{way}: {curve}")
        print(_row(f"  {LEAST:g}", told(held, partial(Asked.best, curve=curve, way=way), LEAST)))
        if there := WORDS if way == "lexical" else getattr(known, way, None):
            print(_row("  as the product has it", told(held, partial(Asked.best, curve=there, way=way), LEAST)))
        _compare(f"{way}, strict", partial(Asked.best, curve=curve, way=way), tuning, held)
        for corpus in corpora if len(corpora) > 2 else ():
            print(_row(f"  unseen {corpus}", unseen(asked, way, corpus)))
    _compare("similarity, strict", _similarity, tuning, held)


def _compare(name: str, value: Callable[[Asked], float], tuning: Sequence[Asked], held: Sequence[Asked]) -> None:
    """Print what comes of a limit below which one in a hundred of the own questions of the first half lies."""
    least = float(np.quantile([value(one) for one in tuning if one.own], 0.01))
    print(_row(f"  {name}: {least:.3f}", told(held, value, least)))


def _similarity(one: Asked) -> float:
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
    parser.add_argument("--model", default=ModelSettings().name, help="whose curves; all documents are embedded by it")
    parser.add_argument("--halves", action="store_true", help="ask each folder what its own other half answers")
    arguments = parser.parse_args()
    folders = [load_folder(path) for path in arguments.folders]
    searched = (
        [(one, others) for one, *others in map(halves, folders)]
        if arguments.halves
        else [(one, [other for other in folders if other is not one]) for one in folders]
    )
    asked = []
    with tempfile.TemporaryDirectory() as temporary:
        settings = load_settings(arguments.home or Path(temporary))
        model = settings.model.model_copy(update={"name": arguments.model})
        parent = Workspace(settings.model_copy(update={"model": model}))
        for corpus, others in searched:
            print(f"{corpus.name} …", file=sys.stderr, flush=True)
            asked += asked_of(parent, corpus, others, arguments.questions)
    card = CARDS.get(arguments.model)
    report(asked, card.relevance if card else None)


def asked_of(parent: Workspace, corpus: BeirFolder, others: Sequence[BeirFolder], questions: int) -> list[Asked]:
    """Put so many questions of its own to a corpus; of several other folders, a quarter of that many each."""
    retriever = index_corpus(parent, corpus, lambda _: silent, {}).retriever
    each = questions if len(others) == 1 else questions // 4
    return [
        ask(retriever, corpus, folder, key)
        for folder, most in ((corpus, questions), *((other, each) for other in others))
        for key in sorted(folder.qrels, key=digest)[:most]
    ]


if __name__ == "__main__":
    main()
