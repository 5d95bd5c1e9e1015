"""How many false sentences the verification of answers catches, and how many true ones it doubts.

    python -m benchmarks.corruptions FOLDER... [--questions 120] [--home DIRECTORY] [--half tuning|held-out]
                                     [--show N]

Each folder is BEIR-like: corpus.jsonl, queries.jsonl, qrels/test.tsv. A question is searched for by the whole platform;
true sentences are those that the extractive generator answers with, and those of the hits that hold an accepted answer
or are marked as the evidence (`metadata.selected_sentences`). Each is then corrupted in every way of
benchmarks/corrupting.py, and its citation is moved to another source. Caught is what is called unsupported, or given
back the source that it is from. Where the accepted answers are whole sentences that people wrote about a document among
the hits, those are told apart as paraphrases: none of them stands in the source word for word. Rules and limits of the
verifier were chosen on the half `tuning` of the questions, by a hash of their ids. With 95 % intervals (Wilson).
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from benchmarks.corrupting import KINDS, Truth, names
from evals.benchmark.beir import BeirFolder, load_folder
from evals.commands.evaluation import index_corpus
from evals.measures.answer_metrics import contains
from rag_platform.answering.citations.verification import verify
from rag_platform.answering.claim_files.claim_measures import wilson_interval
from rag_platform.answering.coverage import TermWeight
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.answering.generators.hit_readers import models_in
from rag_platform.config.settings_file import load_settings
from rag_platform.core.generation import AnswerStream, Outcome
from rag_platform.core.hits import Hit
from rag_platform.core.ids import digest
from rag_platform.core.ports import Embedder, silent
from rag_platform.embeddings.embedding_model import TokenVectors
from rag_platform.text.analysis import terms
from rag_platform.text.sentences import split_sentences
from rag_platform.workspace import Workspace

MOVED, TRUE, PARAPHRASED = "citation moved", "true", "true, in a person's words"


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence to be verified."""

    kind: str
    text: str
    cited: int
    source: int
    """The place, from 1, of the hit that the sentence is from."""
    hits: tuple[Hit, ...]
    models: tuple[Embedder, ...] = ()
    """What reads each of them."""


class Remembered:
    """A model that keeps the vectors of texts, which come again with every corruption of the same sentence."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self._known: dict[str, TokenVectors] = {}

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Read those that are new."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known |= dict(zip(new, self._model.embed_tokens(new), strict=True))
        return [self._known[text] for text in texts]

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)


@cache
def _metadata(path: Path) -> dict[str, dict]:
    with (path / "queries.jsonl").open(encoding="utf-8") as file:
        return {str(row["_id"]): row.get("metadata") or {} for row in map(json.loads, file)}


def truths(path: Path, folder: BeirFolder, key: str, hits: Sequence[Hit], writer: Extractive) -> Iterator[Case]:
    """Yield true sentences about a question, each with the hit it is from."""
    question, found = folder.questions[key], set()
    for quote in _last(writer.stream(question.question, hits)).quotes:
        text = hits[quote.place - 1].text[slice(*quote.span)]
        found |= {(quote.place, text[start:end]) for start, end, kind in split_sentences(text) if kind != "heading"}
    gold = {document for document, grade in folder.qrels[key].items() if grade > 0}
    chosen = [sentence for group in _metadata(path)[key].get("selected_sentences", ()) for sentence in group]
    for place, hit in enumerate(hits, 1):
        for start, end, kind in split_sentences(hit.text) if hit.uri in gold else ():
            text = hit.text[start:end]
            if kind != "heading" and (text in chosen or any(contains(text, answer) for answer in question.answers)):
                found.add((place, text))
    long = [(place, text) for place, text in sorted(found) if len(terms(text, "und")) >= 5]
    yield from (Case(TRUE, text, place, place, tuple(hits)) for place, text in long)
    yield from _paraphrases(_metadata(path)[key], hits, gold)


def _last(stream: AnswerStream) -> Outcome:
    """Return what a generator tells beside its text."""
    while True:
        try:
            next(stream)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


def _paraphrases(metadata: dict, hits: Sequence[Hit], gold: set[str]) -> Iterator[Case]:
    if "selected_sentences" not in metadata:
        return
    for place, hit in enumerate(hits, 1):
        for answer in metadata.get("answers", ()) if hit.uri in gold else ():
            for start, end, _ in split_sentences(answer):
                if len(terms(answer[start:end], "und")) >= 5 and answer[start:end] not in hit.text:
                    yield Case(PARAPHRASED, answer[start:end], place, place, tuple(hits))


def corrupted(case: Case, folder: BeirFolder, answers: Sequence[str]) -> Iterator[Case]:
    """Yield a true sentence made false in each way that it can be."""
    rng = Random(digest(case.text))
    sources, language = "\n".join(hit.text for hit in case.hits), case.hits[0].language
    seen = {hit.uri for hit in case.hits}
    others = [row.text for uri, row in folder.documents.items() if uri not in seen]
    far = rng.sample(others, min(8, len(others)))
    known = names(case.text, answers, language)
    truth = Truth(
        text=case.text,
        names=known,
        near=tuple(name for name in names(case.hits[case.source - 1].text, answers, language) if name not in case.text),
        far=tuple(name for text in far for name in names(text, answers, language) if name not in sources),
        sentences=tuple(
            text[start:end] for text in far for start, end, kind in split_sentences(text) if 40 < end - start < 400
        ),
        sources=sources,
        language=language,
    )
    for kind, corrupt in KINDS.items():
        text = corrupt(truth, rng)
        if text and _words(text) != _words(case.text) and _words(text) not in _words(sources):
            yield Case(kind, text, case.source, case.source, case.hits)
    places = [
        place for place in range(1, len(case.hits) + 1) if _words(case.text) not in _words(case.hits[place - 1].text)
    ]
    if places:
        yield Case(MOVED, case.text, rng.choice(places), case.source, case.hits)


def _words(text: str) -> str:
    return " ".join(text.split())


def trusted(case: Case, weight: TermWeight) -> bool:
    """Tell whether the verifier shows the sentence as supported by the source that it names."""
    checked = verify(f"{case.text.rstrip()} [{case.cited}]", case.hits, case.models[0], weight, models=case.models)
    cited = {citation.doc_id for citation in checked.citations}
    held = all(claim.state in ("quoted", "supported") for claim in checked.claims)
    return held and case.hits[case.cited - 1].doc_id in cited


def cases(path: Path, parent: Workspace, questions: int, half: str) -> tuple[list[Case], TermWeight]:
    """Return all sentences about a folder's questions, and the weight of words in its corpus."""
    folder = load_folder(path)
    workspace = index_corpus(parent, folder, lambda _: silent, {})
    view, remembered = workspace.retriever.live().whole_view, cache(Remembered)
    writer = Extractive(workspace.embedder, view.word_weight)
    answers = tuple(dict.fromkeys(answer for one in folder.questions.values() for answer in one.answers))
    wanted = [key for key in sorted(folder.qrels, key=digest) if (int(digest(key), 16) % 2 == 0) == (half == "tuning")]
    found = []
    for key in wanted[:questions]:
        question = folder.questions[key].question
        hits = workspace.retriever.search(question, k=6).hits
        models = models_in(view, workspace.retriever.embedder_of, question, hits, workspace.embedder) if hits else []
        true = list(truths(path, folder, key, hits, writer)) if hits else []
        false = [one for case in true if case.kind == TRUE for one in corrupted(case, folder, answers)]
        found += [replace(case, models=tuple(map(remembered, models))) for case in (*true, *false)]
    return found, view.word_weight


def _row(kind: str, wrong: int, of: int) -> str:
    low, high = wilson_interval(wrong, of)
    return f"{kind:28s} {wrong:6d} of {of:5d}  {wrong / of:6.1%}  {low:6.1%} – {high:6.1%}"


def report(results: Sequence[tuple[Case, bool]], show: int = 0) -> None:
    """Print what was caught of each kind, and what true sentence was doubted."""
    kinds = [*KINDS, MOVED]
    for kind in kinds:
        told = [kept for case, kept in results if case.kind == kind]
        if told:
            print(_row(kind, len(told) - sum(told), len(told)))
    told = [kept for case, kept in results if case.kind in kinds]
    print(_row("all corruptions caught", len(told) - sum(told), len(told)))
    for kind in (TRUE, PARAPHRASED):
        told = [kept for case, kept in results if case.kind == kind]
        if told:
            print(_row(f"doubted: {kind}", len(told) - sum(told), len(told)))
    for kind in [*kinds, TRUE, PARAPHRASED] if show else ():
        wrong = [case for case, kept in results if case.kind == kind and kept == (kind in kinds)]
        for case in Random(1).sample(wrong, min(show, len(wrong))):
            print(f"\n[{kind}] {case.text}\n   {case.hits[case.source - 1].text[:1200]!r}")


def main() -> None:
    """Search, corrupt, verify and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=120, help="of each folder")
    parser.add_argument("--half", choices=("tuning", "held-out"), default="held-out")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N mistakes of each kind")
    arguments = parser.parse_args()
    every = []
    with tempfile.TemporaryDirectory() as temporary:
        parent = Workspace(load_settings(arguments.home or Path(temporary)))
        for path in arguments.folders:
            found, weight = cases(path, parent, arguments.questions, arguments.half)
            print(f"{path.parent.name}/{path.name} …", file=sys.stderr, flush=True)
            results = [(case, trusted(case, weight)) for case in found]
            print(f"\n## {path.parent.name}/{path.name}, {arguments.half}")
            report(results, arguments.show)
            every += results
    if len(arguments.folders) > 1:
        print("\n## all")
        report(every)


if __name__ == "__main__":
    main()
