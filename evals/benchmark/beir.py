"""Folders in the layout of BEIR: a corpus, questions, and which documents answer them.

``corpus.jsonl`` {_id, title, text}, ``queries.jsonl`` {_id, text, metadata}, ``qrels/<split>.tsv`` (question, document,
grade; a header is optional) as of Thakur et al., "BEIR", NeurIPS 2021. A row that cannot be read is reported and left
out. The corpus is offered as a source, so that the ordinary stages index it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.questions.question import Question, Relevant
from rag_platform.core.errors import QuestionSetError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Item, Listing, Validators


@dataclass(frozen=True, slots=True)
class BeirDocument:
    """A document of the corpus."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BeirFolder:
    """All that such a folder holds; ids are text, also where the file has numbers."""

    name: str
    split: str
    documents: Mapping[str, BeirDocument]
    questions: Mapping[str, Question]
    """Every question, also those without judgements; what is relevant to them are whole documents."""
    qrels: Mapping[str, Mapping[str, int]]
    """Question -> document -> grade, of questions that are there; a grade of 0 or less is not relevant."""
    problems: tuple[str, ...] = field(default=())
    """Rows that were left out, with their file, line and reason."""

    @property
    def fingerprint(self) -> str:
        """Hash the corpus: other questions need no other index."""
        return digest("beir", *(part for key, row in self.documents.items() for part in (key, row.title, row.text)))

    @property
    def answered(self) -> bool:
        """Whether answers can be scored: there are gold answers, or questions without any answer."""
        return any(question.answers or not question.answerable for question in self.questions.values())


class BeirSource:
    """The corpus as a source: one plain text per document, whose uri is its id."""

    def __init__(self, folder: BeirFolder) -> None:
        self._folder = folder

    def list(self) -> Listing:
        """Name all documents, also the empty ones: the stages say what becomes of them."""
        return Listing([_item(key, row) for key, row in self._folder.documents.items()], complete=True)

    def fetch(self, item: Item, validators: Validators) -> Fetched:  # noqa: ARG002  as the port prescribes
        """Return the text that the listing gave."""
        return Fetched(item.content or b"", content_type="text/plain; charset=utf-8")


def load_folder(path: Path, split: str = "test") -> BeirFolder:
    """Read a folder; `QuestionSetError` when it lacks a file or holds nothing to score."""
    problems: list[str] = []
    documents = {
        key: BeirDocument(_text(row.get("title")), _text(row.get("text")))
        for key, row in _rows(path / "corpus.jsonl", problems)
    }
    texts = {key: row for key, row in _rows(path / "queries.jsonl", problems) if _has_text(key, row, path, problems)}
    qrels = _qrels(path / "qrels" / f"{split}.tsv", texts, documents, problems)
    if not documents or not qrels:
        raise QuestionSetError(
            f"{path}: nothing to score: {len(documents)} documents and {len(qrels)} questions with judgements could "
            f"be read; first problem: {problems[0] if problems else 'the files are empty'}"
        )
    questions = {key: _question(key, row, qrels.get(key, {})) for key, row in texts.items()}
    return BeirFolder(path.resolve().name, split, documents, questions, qrels, tuple(problems))


def _item(key: str, row: BeirDocument) -> Item:
    # the title goes before every chunk, so it stands in the text only where the text would be empty
    content = (row.text if row.text.strip() else row.title).encode("utf-8", "replace")
    metadata = {"title": row.title, "type": "text"} if row.title else {"type": "text"}
    return Item(uri=key, fingerprint=digest(row.title, content), metadata=metadata, content=content)


def _lines(path: Path, problems: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (file:line, line): only a line feed ends a line, as texts may hold other separators."""
    if not path.is_file():
        there = ", ".join(sorted(found.stem for found in path.parent.glob("*.tsv")))
        hint = f"; splits there: {there}" if path.suffix == ".tsv" and there else ""
        raise QuestionSetError(
            f"{path}: there is no such file{hint}; expected corpus.jsonl, queries.jsonl and qrels/<split>.tsv"
        )
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            where = f"{path.name}:{number}"
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                problems.append(f"{where}: not UTF-8 ({error.reason}); left out")
                continue
            if line.strip():
                yield where, line


def _rows(path: Path, problems: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (id, row) of the objects of a JSONL file, the first of each id."""
    seen: set[str] = set()
    for where, line in _lines(path, problems):
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            problems.append(f"{where}: not valid JSON ({error}); left out")
            continue
        key = _key(row)
        if not key:
            problems.append(f"{where}: no `_id`; expected an object with `_id` and `text`; left out")
        elif key in seen:
            problems.append(f"{where}: _id = {key!r} was there before; the first one counts")
        else:
            seen.add(key)
            yield key, row


def _key(row: object) -> str:
    return _text(row.get("_id", row.get("id"))).strip() if isinstance(row, dict) else ""


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _has_text(key: str, row: dict[str, Any], path: Path, problems: list[str]) -> bool:
    if _text(row.get("text")).strip():
        return True
    problems.append(f"{(path / 'queries.jsonl').name}: _id = {key!r}: its text is empty; left out")
    return False


def _question(key: str, row: dict[str, Any], grades: Mapping[str, int]) -> Question:
    given = row.get("metadata")
    metadata = given if isinstance(given, dict) else {}
    answerable = metadata.get("answerable") is not False
    return Question(
        id=key,
        question=_text(row["text"]).strip(),
        relevant=tuple(Relevant(document, "") for document, grade in grades.items() if grade > 0),
        answers=_answers(metadata) if answerable else (),
        answerable=answerable,
    )


def _answers(metadata: dict[str, Any]) -> tuple[str, ...]:
    """Return the accepted answers: `answers`, `answer` and `long_answer`, whichever there are."""
    given = metadata.get("answers")
    answers = [*(given if isinstance(given, list) else [given]), metadata.get("answer"), metadata.get("long_answer")]
    return tuple(dict.fromkeys(answer for answer in answers if isinstance(answer, str) and answer.strip()))


def _qrels(
    path: Path, questions: Mapping[str, Any], documents: Mapping[str, Any], problems: list[str]
) -> dict[str, dict[str, int]]:
    """Read judgements; those of unknown questions are left out, those of unknown documents count as not found."""
    qrels: dict[str, dict[str, int]] = {}
    for where, line in _lines(path, problems):
        fields = line.rstrip("\r\n").split("\t") if "\t" in line else line.split()
        if len(fields) == 4:  # as in TREC: question, iteration, document, grade
            fields.pop(1)
        grade = _grade(fields)
        if grade is None:
            if not where.endswith(":1"):  # the header
                problems.append(f"{where}: {line.strip()[:60]!r}: expected question, document, grade; left out")
        elif fields[0].strip() not in questions:
            problems.append(f"{where}: there is no question {fields[0].strip()!r}; left out")
        else:
            question, document = fields[0].strip(), fields[1].strip()
            if document not in documents:
                problems.append(f"{where}: there is no document {document!r}; it counts as not found")
            qrels.setdefault(question, {})[document] = grade
    return qrels


def _grade(fields: list[str]) -> int | None:
    try:
        return int(float(fields[2])) if len(fields) == 3 else None
    except (ValueError, OverflowError):
        return None
