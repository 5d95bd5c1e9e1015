"""What `rag eval` does: score a BEIR-style folder in a workspace of its own, or a question set on the live version."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evals.answers import ABSTENTION, ANSWERING
from evals.beir import BeirFolder, BeirSource, load_folder
from evals.benchmark import BeirSearch, evaluate_folder
from evals.questions import load_questions
from evals.release import score_version
from rag_platform.parts import Workspace
from rag_platform.pipeline import Pipeline
from rag_platform.ports import Progress, Source, silent
from rag_platform.settings import MODES, FolderSource, Mode, Settings

SOURCE = "corpus"
"""Name of a folder's corpus as a source."""

Reporter = Callable[[str], Progress]


def evaluate_path(
    workspace: Workspace,
    path: Path,
    *,
    modes: Sequence[Mode] = MODES,
    split: str = "test",
    answers: bool = False,
    reporter: Reporter = lambda _stage: silent,
) -> dict[str, Any]:
    """Score a BEIR-style folder, or a question set (.jsonl) on the live version.

    Args:
        workspace: Its settings and models are used; its data only for a question set.
        path: The folder or the question set.
        modes: Ways of searching.
        split: Which of a folder's qrels.
        answers: Also score the answers to a folder's questions, in the first of the modes, where it says which are
            right. Those of a question set are always scored.
        reporter: Makes a progress callback for each stage.

    Returns:
        dataset, docs, queries, modes (mode -> measure -> value) and more, as JSON can hold it.

    Raises:
        QuestionSetError: The folder or question set cannot be used; the message says why.
        NothingPublished: A question set is asked, and there is no live version.
    """
    if not path.is_dir():
        return _evaluate_questions(workspace, path, modes, reporter)
    folder = load_folder(path, split)
    indexed = FolderWorkspace(workspace, folder)

    def open_search(_folder: BeirFolder) -> BeirSearch:
        retriever = indexed.retriever_of(indexed.index(reporter))
        return lambda question, mode, k: retriever.search(question, mode=mode, k=k)

    result = evaluate_folder(folder, open_search, modes=modes, reporter=reporter)
    if answers and folder.answered:
        asked, version = tuple(folder.questions.values()), indexed.versions.candidate_id()
        scores = score_version(indexed, version, asked, mode=modes[0], progress=reporter("answers"))
        result["answers"] = {name: scores.means.get(name) for name in (*ANSWERING, *ABSTENTION)}
    return result


class FolderWorkspace(Workspace):
    """A workspace kept for a folder's corpus, its only source, with the other settings of the one beside it."""

    def __init__(self, workspace: Workspace, folder: BeirFolder) -> None:
        super().__init__(_settings(workspace.settings, folder))
        self._corpus = BeirSource(folder)

    def source(self, source_id: str) -> Source:  # noqa: ARG002  there is one
        """Open the corpus."""
        return self._corpus

    def index(self, reporter: Reporter = lambda _stage: silent) -> str:
        """Bring the corpus through the ordinary stages and return the version; a second time little is left to do."""
        pipeline = Pipeline(self)
        pipeline.fetch(SOURCE, allow_mass_delete=True, progress=reporter("fetch"))
        pipeline.extract(SOURCE, progress=reporter("extract"))
        pipeline.chunk(SOURCE, progress=reporter("chunk"))
        pipeline.embed(SOURCE, progress=reporter("embed"))
        return pipeline.build().version


def _settings(settings: Settings, folder: BeirFolder) -> Settings:
    name = re.sub(r"[^\w-]", "_", folder.name) or "folder"
    home = settings.data / "evals" / "beir" / f"{name}-{folder.fingerprint}"
    corpus = FolderSource(kind="folder", id=SOURCE, path=home, min_words=0)
    return settings.model_copy(update={"home": home, "sources": (corpus,)})


def _evaluate_questions(workspace: Workspace, path: Path, modes: Sequence[Mode], reporter: Reporter) -> dict[str, Any]:
    questions = load_questions([path])
    live = workspace.versions.live()
    scores = {mode: score_version(workspace, live.id, questions, mode=mode, progress=reporter(mode)) for mode in modes}
    measures = dict.fromkeys(name for values in scores.values() for name in values.means)
    return {
        "dataset": path.stem,
        "version": live.id,
        "docs": live.documents().height,
        "queries": len(questions),
        "modes": {mode: {name: values.means.get(name) for name in measures} for mode, values in scores.items()},
        "problems": sorted({problem for values in scores.values() for problem in (*values.unlocated, *values.failed)}),
    }
