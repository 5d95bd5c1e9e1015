"""What `rag eval` does: a version on the workspace's questions, a question set, or a BEIR-style folder."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.benchmark.beir import BeirFolder, BeirSource, load_folder
from evals.benchmark.benchmark import BeirSearch, evaluate_folder
from evals.candidate_evaluation import evaluate, report_path, score_version
from evals.measures.answer_threshold import ANSWERED, answer_probabilities, fit_threshold, shares_at
from evals.questions.question import load_questions
from evals.questions.sets import workspace_questions
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.config.settings import Mode
from rag_platform.config.source_editing import set_value
from rag_platform.core.errors import NothingPublished
from rag_platform.core.ports import Progress
from rag_platform.pipeline.cross_language import SHARE
from rag_platform.pipeline.stages import Pipeline
from rag_platform.sources.files.folder import FolderSource
from rag_platform.text.language import may_be
from rag_platform.workspace import Workspace

Reporter = Callable[[str], Progress]

CORPUS = "corpus"
"""Id of the one source of a benchmark's workspace."""


class _BeirWorkspace(Workspace):
    """A workspace whose only source is a benchmark's corpus."""

    def __init__(self, parent: Workspace, folder: BeirFolder, home: Path) -> None:
        source = FolderSource(id=CORPUS, kind="folder", path=Path(), min_words=0)
        super().__init__(parent.settings.model_copy(update={"home": home, "sources": (source,)}))
        self._folder = folder

    def source(self, source_id: str) -> BeirSource:  # noqa: ARG002  as the library asks
        """Return the corpus, whatever the id."""
        return BeirSource(self._folder)


def evaluate_path(
    workspace: Workspace, path: Path, *, modes: Sequence[Mode], split: str, reporter: Reporter
) -> dict[str, Any]:
    """Score a BEIR-style folder, or a question set on the live version."""
    if path.is_dir():
        return _evaluate_benchmark(workspace, path, modes=modes, split=split, reporter=reporter)
    return _evaluate_questions(workspace, path, modes=modes, reporter=reporter)


def evaluate_version(workspace: Workspace, name: str | None, *, reporter: Reporter) -> dict[str, Any]:
    """Score and judge a version on the workspace's questions as a sync does, and write its report.

    `name` None: the candidate. Publishes nothing.
    """
    version = workspace.versions.resolve(name) if name else workspace.versions.candidate_id()
    if version is None:
        raise NothingPublished("no index version has been built yet; run `rag sync`")
    start = time.perf_counter()
    with (
        workspace.store.lock("evaluate"),
        workspace.activity.running("evaluate", progress=reporter("evaluate")) as progress,
    ):
        made = evaluate(workspace, version, progress=progress)
    seconds = round(time.perf_counter() - start, 3)
    counts = {"questions": made.scores.questions.height}
    workspace.costs.record(run_id="", source=None, stage="evaluate", seconds=seconds, bytes_written=0, counts=counts)
    return {
        "version": version,
        "outcome": made.verdict.outcome,
        "passed": made.verdict.passed,
        "reasons": list(made.verdict.reasons),
        "questions": made.scores.questions.height,
        "means": made.scores.means,
        "advice": _advice(made.scores.means),
        "report": str(report_path(workspace, version)),
        "seconds": seconds,
    }


def _advice(means: Mapping[str, float]) -> str | None:
    """Return what to do where too many questions are declined that have an answer; None: nothing."""
    if (answered := means.get("answered", 1.0)) >= ANSWERED:
        return None
    return f"{answered:.0%} of the questions with an answer are answered; `rag eval --fit` fits when to decline to them"


def fit_answering(workspace: Workspace, name: str | None, *, reporter: Reporter) -> dict[str, Any]:
    """Fit the threshold of [answer] to the workspace's questions, and write it into rag.toml.

    `name` None: on the live version.

    Raises:
        NothingPublished: there is no version to ask.
        QuestionSetError: the questions are too few.
    """
    version = workspace.versions.resolve(name or "live")
    questions = workspace_questions(workspace)
    told = answer_probabilities(workspace, version, questions, reporter("ask"))
    before = shares_at(Extractive.as_set(workspace.embedder, workspace.settings.answer).threshold, told)
    fitted = fit_threshold(told)
    set_value(workspace.settings.home, "answer", "threshold", fitted.threshold)
    counts = {"answerable": len(told.answerable), "unanswerable": len(told.unanswerable)}
    return {"version": version, "before": before._asdict(), "fitted": fitted._asdict()} | counts


def _evaluate_benchmark(
    workspace: Workspace, path: Path, *, modes: Sequence[Mode], split: str, reporter: Reporter
) -> dict[str, Any]:
    folder = load_folder(path, split)
    seconds: dict[str, float] = {}

    def open_search(folder: BeirFolder) -> BeirSearch:
        retriever = index_corpus(workspace, folder, reporter, seconds).retriever
        return lambda question, mode, k: retriever.search(question, mode=mode, k=k)

    scores = evaluate_folder(folder, open_search, modes=modes, reporter=reporter)
    return scores | {
        "seconds": {name: round(value, 3) for name, value in seconds.items()} | {"total": scores["seconds"]}
    }


def _asks_in_other_languages(workspace: Workspace, folder: BeirFolder) -> bool:
    """Return whether questions are in a language that [model] does not read, beyond doubt and more than by chance."""
    languages, asked = workspace.embedder.card.languages, [folder.questions[key].question for key in folder.qrels]
    others = sum(not may_be(question, languages) for question in asked) if languages else 0
    return others >= max(1, SHARE * len(asked))


def index_corpus(parent: Workspace, folder: BeirFolder, reporter: Reporter, seconds: dict[str, float]) -> Workspace:
    """Bring a corpus through the ordinary stages, in a workspace of its own; what an earlier run made is reused.

    Args:
        parent: where that workspace lies, and whose settings it has. As a benchmark's questions are known beforehand,
            `cross_language = "auto"` goes by their languages too.
        folder: what is indexed.
        reporter: makes a progress callback for each stage.
        seconds: gets those that each stage took.
    """
    home = parent.settings.data / "evals" / "beir" / f"{folder.name}-{folder.fingerprint}"
    workspace = _BeirWorkspace(parent, folder, home)
    if workspace.settings.model.cross_language == "auto" and _asks_in_other_languages(workspace, folder):
        model = workspace.settings.model.model_copy(update={"cross_language": True})
        workspace.settings = workspace.settings.model_copy(update={"model": model})
    pipeline = Pipeline(workspace)
    pipeline.fetch(CORPUS, progress=reporter("fetch"))
    pipeline.extract(CORPUS, progress=reporter("extract"))
    pipeline.chunk(CORPUS, progress=reporter("chunk"))
    pipeline.embed(CORPUS, progress=reporter("embed"))
    workspace.versions.promote(pipeline.build().version, why="benchmark")
    seconds.update(pipeline.seconds)
    return workspace


def _evaluate_questions(
    workspace: Workspace, path: Path, *, modes: Sequence[Mode], reporter: Reporter
) -> dict[str, Any]:
    live = workspace.versions.live_id()
    if live is None:
        raise NothingPublished("a question set is scored on the live version, and there is none; run `rag sync` first")
    questions = load_questions([path])
    scores = {mode: score_version(workspace, live, questions, mode=mode, progress=reporter(mode)) for mode in modes}
    measures = dict.fromkeys(name for one in scores.values() for name in one.means)  # a mode may lack some
    return {
        "dataset": path.stem,
        "version": live,
        "docs": workspace.versions.manifest(live)["counts"]["documents"],
        "queries": len(questions),
        "modes": {mode: {name: one.means.get(name) for name in measures} for mode, one in scores.items()},
        "problems": sorted({problem for one in scores.values() for problem in (*one.unlocated, *one.failed)}),
    }
