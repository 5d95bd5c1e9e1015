"""Question sets: what people ask, and which quotes of which documents answer it.

A set is a JSONL file, one question per line::

    {"id": "keep", "question": "How many versions are kept?", "answer": "ten",
     "relevant": [{"uri": "settings.md", "quote": "The last ten versions stay"}]}

Optional keys: `answerable` (default true; false: the right answer is to abstain), `tags`, `language`,
`principal` (who asks; default everyone), `as_of` (when it is asked; default now), `split` ("dev" decides in the gate,
"train" is for tuning). `answer` is one accepted answer or a list of them.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import QuestionSetError
from rag_platform.core.ids import digest

SHORTEST_QUOTE = 8
"""Characters, spaces not counted: a shorter quote would be found where nobody meant it."""
SPLITS = ("train", "dev")
SPLIT_FROM = 50
"""A smaller set is all dev: every question is needed to guard."""
TRAIN_SHARE = 5
"""Of a larger set one question in so many is for tuning, by the hash of its id."""
_KEYS = {
    "id", "question", "relevant", "answer", "answerable", "tags", "language", "principal", "as_of", "split",
}  # fmt: skip
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Relevant:
    """A place that answers a question."""

    uri: str
    """The document's uri, or the end of it from a slash on: ``guide/settings.md``."""
    quote: str
    """Words of the document; empty (never in a file): the whole document."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something people ask."""

    id: str
    question: str
    relevant: tuple[Relevant, ...] = ()
    answers: tuple[str, ...] = ()
    """Accepted answers."""
    answerable: bool = True
    tags: tuple[str, ...] = ()
    language: str | None = None
    principal: str | None = None
    """Who asks; None: everyone."""
    as_of: datetime | None = None
    """When it is asked: what was published later is not searched, and age is counted from here. None: now."""
    split: str = "dev"


def load_questions(paths: Iterable[Path]) -> tuple[Question, ...]:
    """Read question sets; `QuestionSetError` names the file, line, key and value of all that is wrong."""
    questions: dict[str, Question] = {}
    problems: list[str] = []
    for path in paths:
        for where, line in _lines(path):
            question, wrong = parse(line)
            problems.extend(f"{where}: {problem}" for problem in wrong)
            if question and question.id in questions:
                problems.append(f"{where}: id = {question.id!r}: another question has this id; ids must differ")
            elif question:
                questions[question.id] = question
    if problems:
        more = [f"… and {len(problems) - _MOST_PROBLEMS} more"] if len(problems) > _MOST_PROBLEMS else []
        raise QuestionSetError("\n".join(problems[:_MOST_PROBLEMS] + more))
    large = len(questions) >= SPLIT_FROM
    return tuple(
        question if question.split else replace(question, split=_split_of(question.id) if large else "dev")
        for question in questions.values()
    )


def _split_of(question_id: str) -> str:
    return "dev" if int(digest("split", question_id), 16) % TRAIN_SHARE else "train"


def fingerprint(questions: Iterable[Question]) -> str:
    """Hash all that scores depend on, whatever the order; scores of different sets are never compared."""
    return digest(
        "questions",
        *sorted(
            json.dumps(
                [
                    question.id,
                    question.question,
                    sorted((label.uri, label.quote) for label in question.relevant),
                    sorted(question.answers),
                    question.answerable,
                    question.language,
                    question.principal,
                    question.as_of.isoformat() if question.as_of else None,
                    question.split,
                ],
                ensure_ascii=False,
            )
            for question in questions
        ),
    )


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (file:line, line) of lines that hold something."""
    try:
        # a file's own lines, unlike splitlines(), are not cut at U+2028 and its like inside strings
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield f"{path}:{number}", line
    except FileNotFoundError:
        raise QuestionSetError(f"{path}: there is no such question set; correct gate.questions or add it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionSetError(f"{path}: cannot be read as UTF-8 text: {error}") from error


def parse(line: str) -> tuple[Question | None, list[str]]:
    """Return the question of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return None, [f"not valid JSON ({error}); expected one object per line"]
    if not isinstance(row, dict):
        return None, [f'{line.strip()[:60]!r}: expected an object such as {{"id": …, "question": …}}']
    problems = [*_shape(row)]
    if problems:
        return None, problems
    answer = row.get("answer") or ()
    question = Question(
        id=row["id"].strip(),
        question=row["question"].strip(),
        relevant=tuple(Relevant(label["uri"].strip(), label["quote"].strip()) for label in row.get("relevant") or ()),
        answers=(answer,) if isinstance(answer, str) else tuple(answer),
        answerable=row.get("answerable", True),
        tags=tuple(row.get("tags") or ()),
        language=row.get("language"),
        principal=row.get("principal"),
        as_of=_moment(row["as_of"]) if row.get("as_of") else None,
        split=row.get("split") or "",
    )
    problems = [*_meaning(question)]
    return (None, problems) if problems else (question, [])


def _shape(row: dict[str, Any]) -> Iterator[str]:
    """Name keys that are unknown or hold what they cannot."""
    for key in sorted(row.keys() - _KEYS):
        yield f"{key}: there is no such key; expected {', '.join(sorted(_KEYS))}"
    for key in ("id", "question"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            yield f"{key} = {row.get(key)!r}: expected text that is not empty"
    for key in ("language", "principal"):
        if not isinstance(row.get(key), str | None):
            yield f"{key} = {row[key]!r}: expected text or nothing"
    if not isinstance(row.get("answerable", True), bool):
        yield f"answerable = {row['answerable']!r}: expected true or false"
    if not isinstance(row.get("answer"), str | None) and not _texts(row["answer"]):
        yield f"answer = {row['answer']!r}: expected text or a list of texts"
    if row.get("tags") is not None and not _texts(row["tags"]):
        yield f"tags = {row['tags']!r}: expected a list of texts"
    yield from _relevant(row.get("relevant"))
    yield from _chosen(row)


def _chosen(row: dict[str, Any]) -> Iterator[str]:
    if row.get("split") not in (None, *SPLITS):
        yield f"split = {row['split']!r}: expected one of {', '.join(SPLITS)}"
    if row.get("as_of") is not None and _moment(row["as_of"]) is None:
        yield f"as_of = {row['as_of']!r}: expected a date such as 2026-05-31"


def _relevant(labels: object) -> Iterator[str]:
    expected = 'expected a list such as [{"uri": "guide.md", "quote": "words of that document"}]'
    if labels is not None and not isinstance(labels, list):
        yield f"relevant = {labels!r}: {expected}"
        return
    for place, label in enumerate(labels or ()):
        if not isinstance(label, dict) or label.keys() != {"uri", "quote"} or not _texts([*label.values()]):
            yield f"relevant[{place}] = {label!r}: {expected}"
        elif not label["uri"].strip():
            yield f"relevant[{place}].uri = {label['uri']!r}: expected the uri of a document, or the end of one"
        elif len("".join(label["quote"].split())) < SHORTEST_QUOTE:
            yield (
                f"relevant[{place}].quote = {label['quote']!r}: too short; "
                f"expected at least {SHORTEST_QUOTE} characters of the document, spaces not counted"
            )


def _meaning(question: Question) -> Iterator[str]:
    """Name what contradicts itself."""
    if question.answerable and not question.relevant:
        yield "relevant: empty; an answerable question needs at least one quote (or set answerable to false)"
    if not question.answerable and question.relevant:
        yield "relevant: expected none, because answerable is false"
    if not question.answerable and any(question.answers):
        yield f"answer = {question.answers[0]!r}: expected none, because answerable is false"


def _moment(value: object) -> datetime | None:
    """Read a date or a moment; without a zone it is UTC. None: it is neither."""
    try:
        read = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return read.replace(tzinfo=UTC) if read and read.tzinfo is None else read


def _texts(values: object) -> bool:
    return isinstance(values, Sequence) and not isinstance(values, str) and all(isinstance(v, str) for v in values)
