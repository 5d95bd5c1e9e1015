"""Does the gate's alarm of planted texts go off when a workspace merely grows?

    python -m benchmarks.growth FOLDER [--questions 100]

FOLDER is BEIR-like (corpus.jsonl, queries.jsonl, qrels/test.tsv) with answers and titles, such as XQuAD. Four
histories, each a live version with questions about it, and what is added: two sources of the same size on other
subjects; two of other paragraphs of the same articles; the same as a feed, a tenth a day; and the handbook, to which
its decisions and then its changes are added. Told of each step: questions that the live version answers, how many of
them the new documents of one origin took over at most, and whether the gate would object.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.planting import targets
from evals.gate.gathering import new_takeovers
from evals.measures.queries import run_query
from evals.measures.scoring import Scores, score
from evals.questions.question import Question, Relevant, load_questions
from rag_platform.config.settings import load_settings
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


def grow(home: Path, history: History) -> Iterator[str]:
    """Publish step after step, and yield a row of the table for each."""
    names = dict.fromkeys(name for name, _ in history.steps)
    tables = [f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\n' for name in names]
    for name in names:
        (home / name).mkdir(parents=True)
    (home / "rag.toml").write_text("\n".join(tables), encoding="utf-8")
    workspace, live = Workspace(load_settings(home)), None
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
    return score(questions, lambda one: run_query(retriever, one), documents, version=version, ragas=False)


def main() -> None:
    """Print a row for each step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    given = parser.parse_args()
    print("| history | added | documents | answered before | taken over | alarm |\n|---|---|--:|--:|--:|---|")
    for history in histories(given.folder, given.questions):
        with tempfile.TemporaryDirectory(prefix="rag-growth-") as scratch:
            for row in grow(Path(scratch), history):
                print(row, flush=True)


if __name__ == "__main__":
    main()
