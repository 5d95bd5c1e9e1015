"""What becomes of a workspace that merely grows: does the gate's alarm of planted texts go off, is as much answered?

    python -m benchmarks.growth FOLDER [--questions 100] [--unrelated FOLDER [--counts 0 100 1000 10000]]

FOLDER is BEIR-like (corpus.jsonl, queries.jsonl, qrels/test.tsv) with answers and titles, such as XQuAD. Four
histories, each a live version with questions about it, and what is added: two sources of the same size on other
subjects; two of other paragraphs of the same articles; the same as a feed, a tenth a day; and the handbook, to which
its decisions and then its changes are added. Told of each step: questions that the live version answers, how many of
them the new documents of one origin took over at most, and whether the gate would object.

With `--unrelated`, another such folder, whose documents have nothing to do with the first: so many of them are added,
and told is which share of the questions is answered without a language model, and which share is declined once the
documents that answer are taken out of what was found.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.answers import ask_all, load
from benchmarks.planting import targets
from evals.benchmark.beir import BeirFolder
from evals.commands.evaluation import index_corpus
from evals.gate.gathering import new_takeovers
from evals.measures.queries import run_query
from evals.measures.scoring import Scores, score
from evals.questions.question import Question, Relevant, load_questions
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.config.settings_file import load_settings
from rag_platform.core.ids import digest
from rag_platform.core.ports import silent
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace

ROOT = Path(__file__).resolve().parents[1]
DAYS = 10
Step = tuple[str, dict[str, str]]
"""A source, and the documents it gets."""


@dataclass(frozen=True)
class History:
    """What a workspace gets, step by step; the questions are about the first."""

    name: str
    steps: list[Step]
    questions: list[Question]


def histories(folder: Path, count: int) -> Iterator[History]:
    """Yield the histories."""
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    articles = sorted({row["title"] for row in rows})
    asked = list(targets(folder, Random(7)))
    subjects, paragraphs = [{}, {}, {}], [{}, {}, {}]
    for number, row in enumerate(rows):
        name = f"{row['_id']}.txt"
        subjects[articles.index(row["title"]) % 3][name] = paragraphs[number % 3][name] = row["text"]
    for name, parts in (("other subjects", subjects), ("same articles", paragraphs)):
        yield History(name, [*zip(("site", "second", "third"), parts, strict=True)], _about(parts[0], asked, count))
    rest = [*paragraphs[1].items(), *paragraphs[2].items()]
    days = [("feed", dict(rest[day::DAYS])) for day in range(DAYS)]
    yield History("daily feed", [("site", paragraphs[0]), *days], _about(paragraphs[0], asked, count))
    yield _handbook()


def _about(texts: dict[str, str], asked: list, count: int) -> list[Question]:
    own = [one for one in asked if f"{one.doc}.txt" in texts][:count]
    return [
        Question(str(number), one.question, (Relevant(uri=f"site/{one.doc}.txt", quote=one.sentence),))
        for number, one in enumerate(own)
    ]


def _handbook() -> History:
    parts = (
        ("handbook", (ROOT / "docs").glob("*.md")),
        ("decisions", (ROOT / "docs" / "decisions").glob("*.md")),
        ("changes", [ROOT / "README.md", ROOT / "CHANGELOG.md"]),
    )
    steps = [(name, {path.name: path.read_text(encoding="utf-8") for path in paths}) for name, paths in parts]
    asked = load_questions([ROOT / "evals" / "questions" / "handbook.jsonl"])
    return History("handbook", steps, [one for one in asked if one.answerable and one.relevant])


def grow(home: Path, history: History, embedder: OnnxEmbedder | None = None) -> Iterator[str]:
    """Publish step after step, and yield a row of the table for each; None: with the default model."""
    names = dict.fromkeys(name for name, _ in history.steps)
    tables = [f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\n' for name in names]
    for name in names:
        (home / name).mkdir(parents=True)
    (home / "rag.toml").write_text("\n".join(tables), encoding="utf-8")
    workspace, live = Workspace(load_settings(home)), None
    if embedder:
        workspace.embedder = embedder
    for name, texts in history.steps:
        for file, text in texts.items():
            (home / name / file).write_text(text, encoding="utf-8")
        scores = _published(workspace, name, history.questions)
        if live:
            found = new_takeovers(workspace, scores, live)
            most = max((len(one.questions) for one in found), default=0)
            answered = int((live.deciding["Success@5"] > 0).sum())
            fires = any(one.share > workspace.settings.gate.takeover for one in found)
            yield f"| {history.name} | {name} | {len(texts)} | {answered} | {most} | {'yes' if fires else 'no'} |"
        live = scores


def _published(workspace: Workspace, source: str, questions: list[Question]) -> Scores:
    pipeline = Pipeline(workspace)
    for step in (pipeline.fetch, pipeline.extract, pipeline.chunk, pipeline.embed):
        step(source)
    version = pipeline.build().version
    workspace.versions.promote(version, why="benchmark")
    retriever, documents = workspace.retriever_of(version), workspace.versions.open(version).documents()
    return score(questions, lambda one: run_query(retriever, one), documents, version=version)


def answered(home: Path, folder: BeirFolder, others: BeirFolder, counts: list[int], asked: int) -> Iterator[str]:
    """Yield a row for each number of unrelated documents: the shares answered and declined."""
    questions = sorted((one for one in folder.questions.values() if one.relevant), key=lambda one: digest(one.id))
    unrelated = sorted(others.documents, key=digest)
    parent = Workspace(load_settings(home))
    for count in counts:
        documents = {**folder.documents, **{f"other-{key}": others.documents[key] for key in unrelated[:count]}}
        workspace = index_corpus(parent, replace(folder, documents=documents), lambda _: silent, {})
        rows = list(ask_all(workspace, questions[:asked], workspace.settings.retrieval.mode))
        threshold = Extractive.as_set(workspace.embedder, workspace.settings.answer).threshold
        shares = (
            np.mean([one.probability >= threshold for one in rows if one.answerable == own]) for own in (True, False)
        )
        given, passed = shares
        yield f"| {folder.name} | {count} | {given:.3f} | {1 - passed:.3f} |"


def main() -> None:
    """Print a row for each step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--unrelated", type=Path)
    parser.add_argument("--counts", type=int, nargs="+", default=[0, 100, 1_000, 10_000])
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    if given.unrelated:
        print("| collection | unrelated documents | answered | declined |\n|---|--:|--:|--:|")
        with tempfile.TemporaryDirectory(prefix="rag-growth-") as scratch:
            folder, others = load(str(given.folder)), load(str(given.unrelated))
            for row in answered(given.home or Path(scratch), folder, others, given.counts, given.questions):
                print(row, flush=True)
        return
    print("| history | added | documents | answered before | taken over | alarm |\n|---|---|--:|--:|--:|---|")
    for history in histories(Path(given.folder), given.questions):
        with tempfile.TemporaryDirectory(prefix="rag-growth-") as scratch:
            for row in grow(Path(scratch), history):
                print(row, flush=True)


if __name__ == "__main__":
    main()
