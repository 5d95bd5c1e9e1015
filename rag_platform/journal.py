"""What people asked and were answered: receipts, chats and feedback, in one SQLite file that many processes write."""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice, pairwise
from pathlib import Path

from rag_platform.errors import DocumentForgotten, NotFound
from rag_platform.journal_schema import MIGRATIONS
from rag_platform.records import Answer, Citation, Filters, Hit, Turn, answer_mark
from rag_platform.sqlite_file import SqliteFile


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that is needed to explain an answer later, and to give it again."""

    id: str
    asked_at: datetime
    principal: str
    """Who asked; empty: someone not signed in."""
    question: str
    mode: str
    k: int | None
    """How many hits were asked for; None: not recorded."""
    filters: dict
    settings: dict
    """What was in force: retrieval, answer, generator (no address, no key), half_lives, max_ages, embedder."""
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
    standalone: str
    """The question as it was understood from its chat; empty: as it was asked."""
    queries: tuple[str, ...]
    """What was searched for; empty: the question, in an older receipt."""
    history: tuple[str, ...]
    """Marks of the answers that a model read to understand the question; see `records.answer_mark`."""
    claims: int
    """Sentences that a source should support; 0 also in an older receipt."""
    unsupported: int
    """Those of them that none supports."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat."""

    role: str
    """"user" or "assistant"."""
    content: str
    receipt_id: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat, without what was said in it."""

    id: str
    title: str
    """The beginning of its first question."""
    created_at: datetime


class Journal(SqliteFile):
    """The file of receipts, chats and feedback."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it; bring its tables up to date."""
        super().__init__(path, MIGRATIONS)

    # --- receipts --------------------------------------------------------------------------------------

    def record(
        self,
        answer: Answer,
        *,
        mode: str,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        principal: str = "",
        prompt_hash: str = "",
        k: int | None = None,
        settings: dict | None = None,
        asked_at: datetime | None = None,
        history: Sequence[str] = (),
    ) -> str:
        """Keep an answer with all that led to it, and return the receipt's id.

        `history` are marks of the answers that a model read to understand the question.

        Raises:
            DocumentForgotten: one of its documents, or one of an answer that was read, was forgotten while the answer
                was written; nothing is kept.
        """
        receipt_id = secrets.token_hex(8)
        cited = {citation.doc_id for citation in answer.citations}
        documents = cited | {hit.doc_id for hit in answer.hits}
        row = {
            "id": receipt_id,
            "asked_at": (asked_at or datetime.now(UTC)).isoformat(),
            "principal": principal,
            "question": answer.question,
            "mode": mode,
            "k": k,
            "settings": _json(settings or {}),
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
            "standalone": answer.standalone,
            "queries": _json(answer.queries),
            "history": _json(history),
            "claims": answer.claims,
            "unsupported": answer.unsupported,
        }
        with self.writing() as connection:
            _refuse_forgotten(connection, documents, history)
            connection.execute(
                f"insert into receipts ({', '.join(row)}) values ({', '.join(':' + name for name in row)})", row
            )
            connection.executemany(
                "insert into receipt_documents (doc_id, receipt_id, cited) values (?, ?, ?)",
                [(doc_id, receipt_id, doc_id in cited) for doc_id in documents],
            )
        return receipt_id

    def receipt(self, receipt_id: str) -> Receipt | None:
        """Return a receipt; None when there is none of that id."""
        with self.reading() as connection:
            row = connection.execute("select * from receipts where id = ?", (receipt_id,)).fetchone()
        return _receipt(row) if row else None

    def find(self, beginning: str) -> Receipt:
        """Return the receipt whose id begins so; `NotFound` when there is none, or more than one."""
        with self.reading() as connection:
            rows = connection.execute(
                "select * from receipts where substr(id, 1, length(:id)) = :id limit 6", {"id": beginning}
            ).fetchall()
        if len(rows) == 1:
            return _receipt(rows[0])
        if not rows or not beginning:
            raise NotFound(f"no receipt has an id that begins with {beginning!r}; `rag receipt list` names the newest")
        some = ", ".join(row["id"] for row in rows[:5])
        raise NotFound(f"several receipts have an id that begins with {beginning!r}: {some}; give more of it")

    def receipts(
        self, limit: int = 100, doc_id: str | None = None, *, seen: bool = False, principal: str | None = None
    ) -> list[Receipt]:
        """Return the newest receipts; with `doc_id` those of answers that cite it, with `seen` also that had it.

        With `principal`, those of one person alone.
        """
        which = (
            ""
            if doc_id is None
            else ("join receipt_documents on receipt_id = receipts.id and doc_id = :doc_id and (cited or :seen)")
        )
        with self.reading() as connection:
            rows = connection.execute(
                f"select receipts.* from receipts {which} where :principal is null or principal = :principal "
                "order by asked_at desc limit :limit",
                {"limit": limit, "doc_id": doc_id, "seen": seen, "principal": principal},
            ).fetchall()
        return [_receipt(row) for row in rows]

    def citing(self, doc_id: str, principal: str | None = None) -> int:
        """Count the answers that cite a document; with `principal`, those that one person was given."""
        sql = (
            "select count(*) from receipt_documents join receipts on receipts.id = receipt_id "
            "where doc_id = ? and cited and coalesce(principal = ?, true)"
        )
        with self.reading() as connection:
            return connection.execute(sql, (doc_id, principal)).fetchone()[0]

    def chats_with(self, receipt_ids: Sequence[str], principal: str = "") -> dict[str, str]:
        """Return the chats of somebody in which these answers were given, by receipt."""
        sql = (
            "select receipt_id, chat_id from messages join chats on chats.id = chat_id where principal = ? "
            "and receipt_id in (select value from json_each(?))"
        )
        with self.reading() as connection:
            return dict(map(tuple, connection.execute(sql, (principal, json.dumps(list(receipt_ids))))))

    def documents(self) -> set[tuple[str, str, str]]:
        """Name the documents among the hits of all receipts: (source, uri, doc_id)."""
        fields = ", ".join(f"json_extract(hit.value, '$.{name}')" for name in ("source", "uri", "doc_id"))
        with self.reading() as connection:
            return set(map(tuple, connection.execute(f"select distinct {fields} from receipts, json_each(hits) hit")))

    def raw_bytes(self) -> set[str]:
        """Name, by their sha256, the bytes that the hits of all receipts were read from."""
        found = "select distinct json_extract(hit.value, '$.raw_sha256') from receipts, json_each(hits) hit"
        with self.reading() as connection:
            return {sha256 for (sha256,) in connection.execute(found)}

    def principals(self) -> set[str]:
        """Name everyone who asked, chatted or judged."""
        tables = " union ".join(f"select principal from {table}" for table in ("receipts", "chats", "feedback"))
        with self.reading() as connection:
            return {principal for (principal,) in connection.execute(tables)}

    # --- chats -----------------------------------------------------------------------------------------

    def begin_chat(self, title: str, principal: str = "") -> str:
        """Begin a chat and return its id, which cannot be guessed."""
        chat_id = secrets.token_urlsafe(12)
        with self.writing() as connection:
            connection.execute("insert into chats values (?, ?, ?, ?)", (chat_id, principal, title[:200], _now()))
        return chat_id

    def say(self, chat_id: str, role: str, content: str, receipt_id: str | None = None) -> None:
        """Add a message to a chat."""
        with self.writing() as connection:
            connection.execute(
                "insert into messages (chat_id, role, content, receipt_id, created_at) values (?, ?, ?, ?, ?)",
                (chat_id, role, content, receipt_id or None, _now()),
            )

    def chats(self, principal: str = "", words: str = "", limit: int = 100) -> list[Chat]:
        """Return somebody's chats, newest first: those whose titles hold each of the words, whatever their case."""
        wanted = words.casefold().split()
        with self.reading() as connection:
            rows = connection.execute(
                "select * from chats where principal = ? order by created_at desc", (principal,)
            ).fetchall()
        found = (row for row in rows if all(word in row["title"].casefold() for word in wanted))
        return [
            Chat(row["id"], row["title"], datetime.fromisoformat(row["created_at"])) for row in islice(found, limit)
        ]

    def messages(self, chat_id: str, principal: str = "") -> list[Message]:
        """Return a chat's messages, oldest first; none when the chat is somebody else's."""
        with self.reading() as connection:
            rows = connection.execute(
                "select messages.* from messages join chats on chats.id = chat_id "
                "where chat_id = ? and principal = ? order by messages.id",
                (chat_id, principal),
            ).fetchall()
        return [
            Message(row["role"], row["content"], row["receipt_id"], datetime.fromisoformat(row["created_at"]))
            for row in rows
        ]

    def turns(self, chat_id: str, principal: str = "") -> list[Turn]:
        """Return a chat's questions with their answers, oldest first; none when the chat is somebody else's."""
        said = self.messages(chat_id, principal)
        return [
            Turn(asked.content, answer.content)
            for asked, answer in pairwise(said)
            if (asked.role, answer.role) == ("user", "assistant")
        ]

    def remembered(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return the turns without those whose answer was removed with a document that was forgotten."""
        with self.reading() as connection:
            gone = {mark for (mark,) in connection.execute("select mark from forgotten_answers")}
        return [turn for turn in turns if answer_mark(turn.answer) not in gone]

    # --- feedback --------------------------------------------------------------------------------------

    def judge(self, receipt_id: str, good: bool, comment: str = "", principal: str = "") -> None:
        """Keep what a user thinks of an answer; a later judgement replaces an earlier one."""
        with self.writing() as connection:
            connection.execute(
                "insert or replace into feedback values (?, ?, ?, ?, ?)",
                (receipt_id, principal, good, comment[:2000], _now()),
            )

    def judgement(self, receipt_id: str, principal: str = "") -> bool | None:
        """Return what a user thought of an answer; None: nothing was said."""
        with self.reading() as connection:
            row = connection.execute(
                "select good from feedback where receipt_id = ? and principal = ?", (receipt_id, principal)
            ).fetchone()
        return bool(row["good"]) if row else None


def _refuse_forgotten(connection: sqlite3.Connection, documents: Iterable[str], history: Iterable[str]) -> None:
    """Keep no answer that began before a document was forgotten and ends after."""
    known = [("forgotten_documents where doc_id = ?", doc_id) for doc_id in documents]
    known += [("forgotten_answers where mark = ?", mark) for mark in history]
    for where, value in known:
        if connection.execute(f"select 1 from {where}", (value,)).fetchone():
            raise DocumentForgotten("a document that the answer rests on was forgotten while it was written; ask again")


def _hit(hit: Hit) -> dict:
    kept = ("rank", "score", "chunk_id", "doc_id", "uri", "title", "source", "section", "span")
    traced = ("revision", "raw_sha256", "run_id")
    return {name: getattr(hit, name) for name in kept + traced} | {"scores": asdict(hit.scores)}


def _receipt(row: sqlite3.Row) -> Receipt:
    values = dict(row)
    for name in ("filters", "settings", "hits", "citations", "warnings", "took_ms", "queries", "history"):
        values[name] = json.loads(values[name])
    return Receipt(
        **values
        | {
            "asked_at": datetime.fromisoformat(values["asked_at"]),
            "abstained": bool(values["abstained"]),
            "hits": tuple(values["hits"]),
            "citations": tuple(_citation(citation) for citation in values["citations"]),
            "warnings": tuple(values["warnings"]),
            "queries": tuple(values["queries"]),
            "history": tuple(values["history"]),
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
