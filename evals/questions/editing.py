"""The question sets of a workspace, changed one question at a time; what else a file holds stays as it was written.

Whoever changes a set reads documents as themselves: a quote must stand in a document that they may read, so that
nobody can find out by trying what others' documents say.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl

from evals.questions.labels import locate
from evals.questions.question import Question, parse
from evals.questions.sets import question_files
from rag_platform.core.errors import NotFound, QuestionSetError
from rag_platform.core.ids import digest
from rag_platform.storage.atomic import write_bytes
from rag_platform.workspace import Workspace

OWN = "page.jsonl"
"""The set of questions that were written on the page."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}\.jsonl")


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question as it stands in a set."""

    question: Question
    row: dict[str, Any]
    """As its file has it."""
    path: Path
    line_hash: str
    """Tells whether it is still as it was read."""


def stored_questions(workspace: Workspace) -> tuple[list[StoredQuestion], list[str]]:
    """Return all questions that can be read, and where others cannot: file, line and key, nothing of what they hold."""
    found: dict[str, StoredQuestion] = {}
    problems: list[str] = []
    for path in question_files(workspace):
        try:
            lines = [*_lines(path)]
        except (OSError, UnicodeDecodeError) as error:
            problems.append(f"{path.name}: {type(error).__name__}")
            continue
        for number, line in lines:
            question, wrong = parse(line)
            wrong = wrong or (["id"] if question and question.id in found else [])
            if wrong or question is None:
                problems += [f"{path.name}:{number}: {_key(one)}" for one in wrong]
            else:
                found[question.id] = StoredQuestion(question, json.loads(line), path, digest(line))
    return [*found.values()], problems


def save(
    workspace: Workspace,
    row: dict[str, Any],
    principals: Sequence[str],
    *,
    name: str = OWN,
    replacing: StoredQuestion | None = None,
) -> str:
    """Write a question into the set of that name, or in the place of another; returns its id.

    Args:
        workspace: whose sets these are.
        row: the question, as a set has it; without an id, or with an empty one, it gets one.
        principals: as whom its quotes are looked for in the live version.
        name: of a file in the folder `questions`.
        replacing: what it replaces.

    Raises:
        QuestionSetError: it is no valid question, or a quote is not in a document that they may read.
        NotFound: what it replaces was changed or deleted meanwhile.
    """
    row = {key: value for key, value in row.items() if value not in (None, "", [], ())} | {"id": row.get("id") or ""}
    with workspace.store.lock("questions"):
        known, _ = stored_questions(workspace)
        others = {one.question.id for one in known if not replacing or one.question.id != replacing.question.id}
        row["id"] = row["id"].strip() or _new_id(row.get("question") or "", others)
        if row["id"] in others:
            raise QuestionSetError(f"id = {row['id']!r}: another question has this id; ids must differ")
        validate(workspace, row, principals)
        if replacing:
            _replace(replacing, _line(row))
        else:
            _append(set_path(workspace, name), _line(row))
    return str(row["id"])


def validate(workspace: Workspace, row: dict[str, Any], principals: Sequence[str]) -> None:
    """Raise `QuestionSetError` when a row is no valid question, or a quote is in no document that they may read."""
    question, wrong = parse(json.dumps(row))
    if wrong := wrong or missing_quotes(workspace, [question] if question else [], principals):
        raise QuestionSetError("; ".join(wrong))


def delete(workspace: Workspace, one: StoredQuestion) -> None:
    """Take a question out of its set; `NotFound` when it was changed or deleted meanwhile."""
    with workspace.store.lock("questions"):
        _replace(one, "")


def import_set(workspace: Workspace, content: bytes, principals: Sequence[str], *, name: str) -> tuple[int, list[str]]:
    """Add the questions of a file to the set of that name, all of them or none; returns how many, and lost quotes.

    Raises:
        QuestionSetError: a line is no valid question, or has the id of another.
    """
    try:
        lines = [*enumerate(content.decode("utf-8-sig").split("\n"), start=1)]
    except UnicodeDecodeError as error:
        raise QuestionSetError(f"the file is not UTF-8 text: {error}; expected one JSON object per line") from error
    with workspace.store.lock("questions"):
        known = {one.question.id for one in stored_questions(workspace)[0]}
        made, problems = [], []
        for number, line in lines:
            if line.strip():
                question, wrong = parse(line)
                if question and question.id in known:
                    wrong = [f"id = {question.id!r}: there is one already"]
                problems += [f"line {number}: {one}" for one in wrong]
                if question and not wrong:
                    known.add(question.id)
                    made.append((question, line.strip()))
        if problems or not made:
            raise QuestionSetError("; ".join(problems[:5]) or "the file holds no question; expected one per line")
        _append(set_path(workspace, name), "".join(f"{line}\n" for _, line in made))
    return len(made), missing_quotes(workspace, [question for question, _ in made], principals)


def export_set(questions: Sequence[StoredQuestion]) -> bytes:
    """Return questions as a set has them."""
    return "".join(_line(one.row) for one in questions).encode()


def missing_quotes(workspace: Workspace, questions: Sequence[Question], principals: Sequence[str]) -> list[str]:
    """Name the quotes that are in no document of the live version which they may read; none before there is one."""
    live = workspace.versions.live_id()
    if live is None:
        return []
    catalog = workspace.versions.open(live).catalog
    hidden = catalog.unreadable(principals)
    readable = catalog.documents("doc_id", "uri", "text").filter(~pl.col("doc_id").is_in(hidden))
    return [label.problem for label in locate(questions, readable) if label.problem]


def set_path(workspace: Workspace, name: str) -> Path:
    """Return the file of a set: one there is, by its name, or a new one in the folder `questions`."""
    known = {path.name: path for path in question_files(workspace)}
    if name in known:
        return known[name]
    if not _NAME.fullmatch(name):
        raise QuestionSetError(f"{name!r} is no name of a set; expected letters, digits and dashes, as in mine.jsonl")
    return workspace.settings.home / "questions" / name


def _replace(one: StoredQuestion, line: str) -> None:
    lines = one.path.read_text(encoding="utf-8-sig").split("\n") if one.path.exists() else []
    places = [place for place, text in enumerate(lines) if text.strip() and digest(text) == one.line_hash]
    if not places:
        raise NotFound(f"the question {one.question.id!r} was changed or deleted meanwhile; look at it again")
    lines[places[0] : places[0] + 1] = [line.rstrip("\n")] if line else []
    write_bytes(one.path, "\n".join(lines).encode())


def _append(path: Path, lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    held = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    gap = "\n" if held and not held.endswith("\n") else ""
    write_bytes(path, f"{held}{gap}{lines}".encode())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1):
        if line.strip():
            yield number, line


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _key(problem: str) -> str:
    """Return what a problem is about, without what the line holds."""
    return "line" if problem.startswith(("'", '"')) else re.split(r" = |: | \(", problem)[0]


def _new_id(question: str, taken: set[str]) -> str:
    """Make an id of a question's first words."""
    words = re.findall(r"\w+", question.casefold())[:6]
    name = "-".join(words)[:48] or "question"
    choices = (f"{name}-{number}" if number > 1 else name for number in count(1))
    return next(one for one in choices if one not in taken)
