"""The question sets of a workspace: where they lie, and what it gets when it has none."""

from collections import Counter
from pathlib import Path

import polars as pl

from evals.questions.labels import asked_documents, locate, named_documents
from evals.questions.llm_questions import QuestionWriter
from evals.questions.question import Question, load_questions
from evals.questions.synthetic import TAG, generate, replace_questions, write_questions
from rag_platform.llm import OpenAICompatible
from rag_platform.workspace import Workspace

SYNTHETIC = "synthetic.jsonl"


def question_files(workspace: Workspace) -> list[Path]:
    """Return the files of a workspace's questions: those its settings name, and ``questions/*.jsonl``."""
    home = workspace.settings.home
    named = [home / path for path in workspace.settings.gate.questions]
    return [*dict.fromkeys([*named, *sorted((home / "questions").glob("*.jsonl"))])]


def floors_path(home: Path) -> Path:
    """Return where a workspace keeps the floors that are pinned for its questions."""
    return home / "questions" / "floors.json"


def workspace_questions(workspace: Workspace) -> tuple[Question, ...]:
    """Return the questions of a workspace."""
    return load_questions(question_files(workspace))


def first_questions(workspace: Workspace, version: str) -> Path | None:
    """Make questions for a workspace that has no set at all; returns the new file, if one was written."""
    count = workspace.settings.gate.synthetic
    if not count or question_files(workspace):
        return None
    questions, _ = generate_questions(workspace, version, count)
    path = workspace.settings.home / "questions" / SYNTHETIC
    if questions:
        write_questions(path, questions)
    return path if questions else None


def renew_questions(workspace: Workspace, live: str | None) -> int:
    """Replace the synthetic questions whose text the live version no longer has; returns how many.

    The sources took it away, or the gate would have refused that version. Pinned floors are of the questions they were
    pinned for, so these then stay.
    """
    path = workspace.settings.home / "questions" / SYNTHETIC
    if live is None or not path.exists() or floors_path(workspace.settings.home).exists():
        return 0
    questions = load_questions([path])
    labels = locate(questions, asked_documents(questions, workspace.versions.open(live)))
    lost = {label.question_id for label in labels if label.problem}
    stale = {question.id for question in questions if question.id in lost and TAG in question.tags}
    if stale:
        kept = {question.id for question in questions} - stale
        made, _ = generate_questions(workspace, live, len(questions) + len(stale))
        new = [question for question in made if question.id not in kept][: len(stale)]
        replace_questions(path, stale, new)
    return len(stale)


def question_each_source(workspace: Workspace, live: str | None) -> int:
    """Give each source of the live version that has too few questions some of its own; returns how many.

    They are made of what people are shown now, so a source is asked for what it said while it was good. With pinned
    floors none are made: the floors are of the questions they were pinned for.
    """
    wanted = workspace.settings.gate.per_source if workspace.settings.gate.synthetic else 0
    if live is None or not wanted or floors_path(workspace.settings.home).exists():
        return 0
    documents = workspace.versions.open(live).catalog.documents("doc_id", "source", "uri")
    sources = dict(documents.select("doc_id", "source").iter_rows())
    asked = workspace_questions(workspace)
    if not asked:  # an empty file says that none are wanted
        return 0
    have = Counter(
        source for found in named_documents(asked, documents).values() for source in {sources[key] for key in found}
    )
    ids, made = {question.id for question in asked}, list[Question]()
    for source in sorted({*sources.values()}):
        if have[source] < wanted:
            new, _ = generate_questions(workspace, live, wanted, source=source)
            made += [question for question in new if question.id not in ids][: wanted - have[source]]
    path = workspace.settings.home / "questions" / SYNTHETIC
    if made and path.exists():
        replace_questions(path, (), made)
    elif made:
        write_questions(path, made)
    return len(made)


def generate_questions(
    workspace: Workspace, version: str, count: int, *, source: str | None = None, llm: bool | None = None
) -> tuple[list[Question], str | None]:
    """Make questions from a version's documents; returns them and why the language model was given up, if it was.

    `source`: of that one only. `llm` None: with the language model when one is set.
    """
    settings, opened = workspace.settings.generator, workspace.versions.open(version)
    ask = (
        QuestionWriter(OpenAICompatible(settings, settings.api_key))
        if llm or (llm is None and settings.base_url)
        else None
    )
    documents = opened.documents()
    if source:
        documents = documents.filter(pl.col("source") == source)
    questions = generate(documents, opened.whole_view.word_weight, count, ask)
    return questions, ask.problem if ask else None
