"""What people asked and were answered: receipts, chats and feedback, in one SQLite file that many processes write."""

import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rag_platform.errors import StorageError
from rag_platform.records import Answer, Citation, Filters, Hit

PATIENCE = 15.0
"""Seconds to wait for another process that is writing."""

# Numbered by their place and only ever appended: a file remembers how many it has had.
MIGRATIONS = (
    """
    create table receipts (
        id text primary key, asked_at text not null, principal text not null, question text not null,
        mode text not null, filters text not null, version text not null, model text not null,
        prompt_hash text not null, hits text not null, answer text not null, abstained integer not null,
        citations text not null, warnings text not null, took_ms text not null
    );
    create index receipts_asked_at on receipts (asked_at);
    create table receipt_documents (
        doc_id text not null, receipt_id text not null references receipts (id) on delete cascade,
        primary key (doc_id, receipt_id)
    ) without rowid;
    """,
    """
    create table chats (
        id text primary key, principal text not null, title text not null, created_at text not null
    );
    create table messages (
        id integer primary key, chat_id text not null references chats (id) on delete cascade,
        role text not null check (role in ('user', 'assistant')), content text not null,
        receipt_id text references receipts (id) on delete set null, created_at text not null
    );
    create index messages_chat on messages (chat_id, id);
    create table feedback (
        receipt_id text not null references receipts (id) on delete cascade, principal text not null,
        good integer not null, comment text not null, given_at text not null,
        primary key (receipt_id, principal)
    ) without rowid;
    """,
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that is needed to explain an answer later, and to give it again."""

    id: str
    asked_at: datetime
    principal: str
    """Who asked; empty: someone not signed in."""
    question: str
    mode: str
    filters: dict
    version: str
    model: str
    prompt_hash: str
    hits: tuple[dict, ...]
    """Rank, score and scores of each stage, chunk_id, doc_id, uri, title, source, section, span; revision, raw_sha256
    and run_id of the document."""
    answer: str
    abstained: bool
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    took_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat."""

    role: str
    """"user" or "assistant"."""
    content: str
    receipt_id: str | None
    created_at: datetime


class Journal:
    """The file of receipts, chats and feedback."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it; bring its tables up to date."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot make {path.parent}: {error.strerror}; no answer can be recorded") from error
        self._migrate()

    # --- receipts --------------------------------------------------------------------------------------

    def record(
        self,
        answer: Answer,
        *,
        mode: str,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        principal: str = "",
        prompt_hash: str = "",
    ) -> str:
        """Keep an answer with all that led to it, and return the receipt's id."""
        receipt_id = secrets.token_hex(8)
        row = {
            "id": receipt_id,
            "asked_at": _now(),
            "principal": principal,
            "question": answer.question,
            "mode": mode,
            "filters": _json(asdict(filters)),
            "version": answer.version,
            "model": answer.model,
            "prompt_hash": prompt_hash,
            "hits": _json([_hit(hit) for hit in answer.hits]),
            "answer": answer.answer,
            "abstained": answer.abstained,
            "citations": _json([asdict(citation) for citation in answer.citations]),
            "warnings": _json(answer.warnings),
            "took_ms": _json(answer.took_ms),
        }
        with self._writing() as connection:
            connection.execute(
                f"insert into receipts ({', '.join(row)}) values ({', '.join(':' + name for name in row)})", row
            )
            connection.executemany(
                "insert into receipt_documents values (?, ?)",
                [(doc_id, receipt_id) for doc_id in {citation.doc_id for citation in answer.citations}],
            )
        return receipt_id

    def receipt(self, receipt_id: str) -> Receipt | None:
        """Return a receipt; None when there is none of that id."""
        with self._reading() as connection:
            row = connection.execute("select * from receipts where id = ?", (receipt_id,)).fetchone()
        return _receipt(row) if row else None

    def receipts(self, limit: int = 100, doc_id: str | None = None) -> list[Receipt]:
        """Return the newest receipts; with `doc_id` only of answers that cite that document."""
        citing = "" if doc_id is None else "join receipt_documents on receipt_id = receipts.id and doc_id = :doc_id"
        with self._reading() as connection:
            rows = connection.execute(
                f"select receipts.* from receipts {citing} order by asked_at desc limit :limit",
                {"limit": limit, "doc_id": doc_id},
            ).fetchall()
        return [_receipt(row) for row in rows]

    # --- chats -----------------------------------------------------------------------------------------

    def begin_chat(self, title: str, principal: str = "") -> str:
        """Begin a chat and return its id, which cannot be guessed."""
        chat_id = secrets.token_urlsafe(12)
        with self._writing() as connection:
            connection.execute("insert into chats values (?, ?, ?, ?)", (chat_id, principal, title[:200], _now()))
        return chat_id

    def say(self, chat_id: str, role: str, content: str, receipt_id: str | None = None) -> None:
        """Add a message to a chat."""
        with self._writing() as connection:
            connection.execute(
                "insert into messages (chat_id, role, content, receipt_id, created_at) values (?, ?, ?, ?, ?)",
                (chat_id, role, content, receipt_id or None, _now()),
            )

    def messages(self, chat_id: str, principal: str = "") -> list[Message]:
        """Return a chat's messages, oldest first; none when the chat is somebody else's."""
        with self._reading() as connection:
            rows = connection.execute(
                "select messages.* from messages join chats on chats.id = chat_id "
                "where chat_id = ? and principal = ? order by messages.id",
                (chat_id, principal),
            ).fetchall()
        return [
            Message(row["role"], row["content"], row["receipt_id"], datetime.fromisoformat(row["created_at"]))
            for row in rows
        ]

    # --- feedback --------------------------------------------------------------------------------------

    def judge(self, receipt_id: str, good: bool, comment: str = "", principal: str = "") -> None:
        """Keep what a user thinks of an answer; a later judgement replaces an earlier one."""
        with self._writing() as connection:
            connection.execute(
                "insert or replace into feedback values (?, ?, ?, ?, ?)",
                (receipt_id, principal, good, comment[:2000], _now()),
            )

    def judgement(self, receipt_id: str, principal: str = "") -> bool | None:
        """Return what a user thought of an answer; None: nothing was said."""
        with self._reading() as connection:
            row = connection.execute(
                "select good from feedback where receipt_id = ? and principal = ?", (receipt_id, principal)
            ).fetchone()
        return bool(row["good"]) if row else None

    # --- the file --------------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            try:
                connection.row_factory = sqlite3.Row
                connection.execute("pragma foreign_keys = on")
                connection.execute("pragma synchronous = normal")
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise StorageError(f"{self.path}: {error}; is the disk full, or the file damaged?") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as connection:
            connection.execute("begin immediate")  # wait for the lock here, not in the middle
            try:
                yield connection
            except BaseException:
                connection.execute("rollback")
                raise
            connection.execute("commit")

    def _migrate(self) -> None:
        with self._reading() as connection:
            if connection.execute("pragma journal_mode").fetchone()[0] != "wal":
                connection.execute("pragma journal_mode = wal")
            if self._applied(connection) == len(MIGRATIONS):
                return
        with self._writing() as connection:
            for number in range(self._applied(connection), len(MIGRATIONS)):
                for statement in MIGRATIONS[number].split(";"):
                    connection.execute(statement)
                connection.execute(f"pragma user_version = {number + 1}")

    def _applied(self, connection: sqlite3.Connection) -> int:
        applied = connection.execute("pragma user_version").fetchone()[0]
        if applied > len(MIGRATIONS):
            raise StorageError(f"{self.path} was written by a newer release of rag-platform; update this one")
        return applied


def _hit(hit: Hit) -> dict:
    kept = ("rank", "score", "chunk_id", "doc_id", "uri", "title", "source", "section", "span")
    traced = ("revision", "raw_sha256", "run_id")
    return {name: getattr(hit, name) for name in kept + traced} | {"scores": asdict(hit.scores)}


def _receipt(row: sqlite3.Row) -> Receipt:
    values = dict(row)
    for name in ("filters", "hits", "citations", "warnings", "took_ms"):
        values[name] = json.loads(values[name])
    return Receipt(
        **values
        | {
            "asked_at": datetime.fromisoformat(values["asked_at"]),
            "abstained": bool(values["abstained"]),
            "hits": tuple(values["hits"]),
            "citations": tuple(_citation(citation) for citation in values["citations"]),
            "warnings": tuple(values["warnings"]),
        }
    )


def _citation(stored: dict) -> Citation:
    published = stored["published_at"]
    moment = datetime.fromisoformat(published) if published else None
    return Citation(**stored | {"span": tuple(stored["span"]), "published_at": moment})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=lambda moment: moment.isoformat())


def _now() -> str:
    return datetime.now(UTC).isoformat()
