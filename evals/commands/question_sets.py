"""What `rag questions` does, as plain values."""

from pathlib import Path
from typing import Any

from evals.candidate_evaluation import scores_of
from evals.gate.floors import floors_of, pin
from evals.questions.accepted_feedback import accept_proposal
from evals.questions.labels import asked_documents, locate
from evals.questions.question import fingerprint, load_questions
from evals.questions.sets import SYNTHETIC, floors_path, generate_questions, question_files, workspace_questions
from evals.questions.synthetic import TAG, question_rows, write_questions
from rag_platform.core.errors import QuestionSetError
from rag_platform.workspace import Workspace

__all__ = ["accept_proposal", "check_questions", "list_questions", "pin_floors", "propose_questions"]


def list_questions(workspace: Workspace) -> list[dict[str, Any]]:
    """Return every question as a row."""
    return [
        {
            "id": question.id,
            "question": question.question,
            "answerable": question.answerable,
            "split": question.split,
            "tags": list(question.tags),
            "principal": question.principal,
            "as_of": question.as_of.isoformat() if question.as_of else None,
        }
        for question in workspace_questions(workspace)
    ]


def check_questions(workspace: Workspace, version: str) -> dict[str, Any]:
    """Read all sets, and name the quotes that are not in a version's documents."""
    questions = workspace_questions(workspace)
    labels = locate(questions, asked_documents(questions, workspace.versions.open(version)))
    return {
        "version": version,
        "files": [str(path) for path in question_files(workspace)],
        "questions": len(questions),
        "fingerprint": fingerprint(questions),
        "lost": [label.problem for label in labels if label.problem],
    }


def pin_floors(workspace: Workspace, version: str, *, allow_regression: bool) -> dict[str, Any]:
    """Pin the floors that a version reaches on today's questions."""
    if not workspace_questions(workspace):
        raise QuestionSetError("there are no questions to pin scores of; add a set, or run `rag questions propose`")
    floors = floors_of(scores_of(workspace, version), workspace.settings.gate)
    home = workspace.settings.home
    pin(home, floors, allow_regression=allow_regression)
    return {
        "path": str(floors_path(home)),
        "version": version,
        "fingerprint": floors.fingerprint,
        "floors": dict(floors.floors),
    }


def propose_questions(workspace: Workspace, version: str, count: int, *, llm: bool | None) -> dict[str, Any]:
    """Make questions and write them, unless that would overwrite what somebody wrote."""
    path = workspace.settings.home / "questions" / SYNTHETIC
    _refuse_edited(path)
    questions, problem = generate_questions(workspace, version, count, llm=llm)
    if not questions:
        raise QuestionSetError("the documents hold no sentence that a question could be made of; nothing was written")
    write_questions(path, questions)
    warning = (
        f"the language model was given up, and the other questions are of drawn words: {problem}" if problem else None
    )
    return {"path": str(path), "version": version, "questions": question_rows(questions), "warning": warning}


def _refuse_edited(path: Path) -> None:
    """Refuse to replace a file that holds anything that was not made here."""
    own = [question.id for question in load_questions([path]) if TAG not in question.tags] if path.exists() else []
    if own:
        raise QuestionSetError(
            f"{path} holds questions of your own, first: {own[0]!r}. Nothing was written. Move them to another file "
            "of the folder, or remove this one."
        )
