"""Removal from what else is below data/: evaluations and reports, the records of runs, logs, synthetic questions."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from rag_platform.core.errors import StorageError
from rag_platform.erasure.targets import Remains
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.sqlite import PATIENCE

FORGOTTEN = "(forgotten)"
SYNTHETIC = "synthetic"
"""Tag of questions that were made from documents."""
_OWN = (
    "raw",
    "documents",
    "chunks",
    "embeddings",
    "access",
    "locks",
    "forgotten",
    "uploads",
    "evals/beir",
    "index/versions",
)
"""What other modules of this package see to, and corpora of benchmarks, which are nobody's documents."""
_ID = re.compile(r"[0-9a-f]{16}")
_WORD = re.compile(r"[^\s\"'<>(){},;]+")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>|#]")
_LINES = (".jsonl", ".md", ".log", ".txt", ".csv")


class Scrubber:
    """Takes out of any value what reveals the documents: their passages, their addresses, records that name them."""

    def __init__(self, remains: Remains, prints: Fingerprints) -> None:
        self._remains = remains
        self._prints = prints
        escaped = {_MARKDOWN.sub(r"\\\g<0>", address) for address in remains.addresses}  # as reports write them
        self._addresses = {*remains.addresses, *escaped}
        self._spaced = [address for address in self._addresses if _WORD.fullmatch(address) is None]

    def value(self, value: Any) -> Any:
        """Return a value of JSON without it."""
        match value:
            case dict():
                return {self.text(key): self.value(inner) for key, inner in value.items()}
            case list():
                return [self.value(inner) for inner in value if not self._names(inner)]
            case str():
                return self.text(value)
        return value

    def text(self, text: str) -> str:
        """Return a text without it; one that is JSON stays JSON."""
        if text[:1] in ("{", "[") and self.found(text):
            try:
                return json.dumps(self.value(json.loads(text)), ensure_ascii=False)
            except ValueError:
                pass
        text = self._prints.without(text, FORGOTTEN)
        for address in sorted(self._named(text), key=len, reverse=True):
            text = _without_address(text, address)
        return text

    def found(self, text: str) -> bool:
        """Return whether there is anything to take out."""
        ids = self._remains.doc_ids.intersection(_ID.findall(text))
        return bool(ids or self._named(text)) or self._prints.quotes(text)

    def _named(self, text: str) -> set[str]:
        """Return the addresses that a text has, reading each of its words once."""
        words = _WORD.findall(text)
        ended = (word.rstrip(".:!?`*") for word in words)
        return self._addresses.intersection((*words, *ended)) | {one for one in self._spaced if one in text}

    def _names(self, value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        documents = value.get("documents")  # of a question that a version is introduced with
        about = (value.get("doc_id"), *(documents if isinstance(documents, list) else ()))
        return any(one in self._remains.doc_ids for one in about if isinstance(one, str)) or (
            value.get("uri") in self._addresses
        )


def erase_traces(data: Path, scrubber: Scrubber) -> dict[str, int]:
    """Remove what reveals the documents from all other files; returns files removed and changed, rows changed."""
    counts = {"files_removed": 0, "files_changed": 0, "rows_changed": 0}
    for path in other_files(data):
        if _is_sqlite(path):
            counts["rows_changed"] += _scrub_database(path, scrubber)
            continue
        text = path.read_bytes().decode("utf-8", "ignore")
        if not scrubber.found(text):
            continue
        if path.suffix in (".json", *_LINES):
            changed = scrubber.text(text) if path.suffix == ".json" else _by_lines(text, scrubber)
            path.write_text(changed, "utf-8") if path.suffix == ".log" else write_bytes(path, changed.encode())
            counts["files_changed"] += 1
        elif "evals" in path.parts:  # made again by the next evaluation
            path.unlink()
            counts["files_removed"] += 1
    return counts


def erase_questions(home: Path, scrubber: Scrubber) -> tuple[int, list[str]]:
    """Remove the synthetic questions that rest on the documents.

    Returns:
        How many were removed, and the ids of those that people wrote, which are theirs to change.
    """
    removed, own = 0, []
    for path in sorted((home / "questions").glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").split("\n")
        resting = {line: _question(line) for line in lines if scrubber.found(line)}
        going = [line for line, row in resting.items() if SYNTHETIC in (row.get("tags") or ())]
        own += [str(row.get("id")) for line, row in resting.items() if line not in going]
        removed += len(going)
        left = [line for line in lines if line not in going]
        if going and not any(left):
            path.unlink()
        elif going:
            write_bytes(path, "\n".join(left).encode())
    return removed, own


def other_files(data: Path) -> Iterator[Path]:
    """Yield the files that no other module of this package sees to."""
    for path in sorted(data.rglob("*")):
        place = path.relative_to(data).as_posix()
        own = any(place.startswith(f"{name}/") for name in _OWN) and path.name != "evaluation.json"
        if path.is_file() and not own and not place.startswith(("app.sqlite", "audit.sqlite", "forgotten.jsonl")):
            yield path


def _by_lines(text: str, scrubber: Scrubber) -> str:
    scrubbed = "\n".join(scrubber.text(line) for line in text.split("\n"))
    return scrubbed if not scrubber.found(scrubbed) else scrubber.text(scrubbed)


def _without_address(text: str, address: str) -> str:
    """Replace an address where it is whole, not as the end or the beginning of another."""
    place = text.find(address)
    while place >= 0:
        end = place + len(address)
        before, after = text[place - 1 : place], text[end : end + 1]
        alone = not (before.isalnum() or before in tuple("/._-") or after.isalnum() or after in tuple("/_-"))
        if alone:
            text = text[:place] + FORGOTTEN + text[end:]
        place = text.find(address, place + (len(FORGOTTEN) if alone else 1))
    return text


def _question(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _scrub_database(path: Path, scrubber: Scrubber) -> int:
    """Scrub each text of a database that another program keeps, such as Dagster's records of runs."""
    scrub: Callable[[str], str] = scrubber.text
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            connection.create_function("found", 1, lambda text: isinstance(text, str) and scrubber.found(text))
            connection.create_function("scrubbed", 1, scrub)
            connection.execute("pragma secure_delete = on")
            changed = sum(_scrub_column(connection, *place) for place in _text_columns(connection))
            if changed:
                connection.execute("vacuum")
                connection.execute("pragma wal_checkpoint(truncate)")
            return changed
    except sqlite3.Error as error:
        raise StorageError(f"{path}: {error}; stop what is using it, then run `rag forget` again") from error


def _text_columns(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    tables = connection.execute("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    return [
        (table, column[1])
        for (table,) in tables.fetchall()
        for column in connection.execute(f'pragma table_info("{table}")').fetchall()
        if any(kind in column[2].upper() for kind in ("TEXT", "CHAR", "CLOB", "JSON"))
    ]


def _scrub_column(connection: sqlite3.Connection, table: str, column: str) -> int:
    return connection.execute(
        f'update "{table}" set "{column}" = scrubbed("{column}") where found("{column}")'
    ).rowcount
