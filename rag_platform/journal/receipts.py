"""What people asked and were answered: receipts and feedback, in one SQLite file that many processes write.

The chats of that file are in `chats.py`, the questions that feedback proposes in `proposals.py`.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from rag_platform.core.answers import Answer, Citation, Turn
from rag_platform.core.errors import DocumentForgotten, NotFound
from rag_platform.core.hits import Filters, Hit
from rag_platform.core.ids import answer_digest
from rag_platform.journal.schema import MIGRATIONS
from rag_platform.storage.sqlite import SqliteFile


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
    reasoning: str
    """What the model thought aloud; empty also in an older receipt."""

    @property
    def documents(self) -> frozenset[str]:
        """The documents (doc_id) that it was written from."""
        return frozenset(hit["doc_id"] for hit in self.hits) | {citation.doc_id for citation in self.citations}


Reason = Literal["wrong", "incomplete", "outdated", "source", "unanswered", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)
"""Why an answer is bad: it is wrong, something is missing, it is out of date, its source is the wrong one, the
documents do hold an answer, or something else."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody thinks of an answer."""

    good: bool
    reason: str
    """One of `REASONS`; empty: none was given."""
    comment: str


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
            "reasoning": answer.reasoning,
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
        return receipt_of(row) if row else None

    def find(self, beginning: str) -> Receipt:
        """Return the receipt whose id begins so; `NotFound` when there is none, or more than one."""
        with self.reading() as connection:
            rows = connection.execute(
                "select * from receipts where substr(id, 1, length(:id)) = :id limit 6", {"id": beginning}
            ).fetchall()
        if len(rows) == 1:
            return receipt_of(rows[0])
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
        return [receipt_of(row) for row in rows]

    def citing(self, doc_ids: Iterable[str], principal: str | None = None) -> int:
        """Count the answers that cite one of these documents; with `principal`, those that one person was given."""
        sql = (
            "select count(distinct receipt_id) from receipt_documents join receipts on receipts.id = receipt_id "
            "where cited and doc_id in (select value from json_each(?)) and coalesce(principal = ?, true)"
        )
        with self.reading() as connection:
            return connection.execute(sql, (json.dumps(list(doc_ids)), principal)).fetchone()[0]

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

    def remembered(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return the turns without those whose answer was removed with a document that was forgotten."""
        with self.reading() as connection:
            gone = {mark for (mark,) in connection.execute("select mark from forgotten_answers")}
        return [turn for turn in turns if answer_digest(turn.answer) not in gone]

    # --- feedback --------------------------------------------------------------------------------------

    def judge(
        self, receipt_id: str, good: bool, comment: str = "", principal: str = "", reason: Reason | None = None
    ) -> None:
        """Keep what a user thinks of an answer; a later judgement replaces an earlier one.

        An answer that is bad, and an abstention that is judged, become a proposed question: see `proposals.py`.
        """
        with self.writing() as connection:
            connection.execute(
                "insert or replace into feedback (receipt_id, principal, good, comment, given_at, reason) "
                "values (?, ?, ?, ?, ?, ?)",
                (receipt_id, principal, good, comment[:2000], _now(), reason or ""),
            )
            _propose(connection, receipt_id)

    def unjudge(self, receipt_id: str, principal: str = "") -> None:
        """Take back what a user thought of an answer."""
        with self.writing() as connection:
            connection.execute("delete from feedback where receipt_id = ? and principal = ?", (receipt_id, principal))
            _propose(connection, receipt_id)

    def judgement(self, receipt_id: str, principal: str = "") -> Judgement | None:
        """Return what a user thought of an answer; None: nothing was said."""
        with self.reading() as connection:
            row = connection.execute(
                "select * from feedback where receipt_id = ? and principal = ?", (receipt_id, principal)
            ).fetchone()
        return Judgement(bool(row["good"]), row["reason"], row["comment"]) if row else None


def _propose(connection: sqlite3.Connection, receipt_id: str) -> None:
    """Propose the question of a receipt while somebody finds its answer bad, or judges an abstention."""
    judged = "select 1 from feedback join receipts on id = receipt_id where receipt_id = ? and (not good or abstained)"
    if connection.execute(judged, (receipt_id,)).fetchone():
        made = (receipt_id, _now())
        connection.execute("insert or ignore into proposals (receipt_id, proposed_at) values (?, ?)", made)
    else:
        connection.execute("delete from proposals where receipt_id = ? and state = 'open'", (receipt_id,))


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


def receipt_of(row: sqlite3.Row) -> Receipt:
    """Read a row of the table of receipts."""
    values = {column.name: row[column.name] for column in fields(Receipt)}
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
