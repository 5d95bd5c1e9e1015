"""The journal: the receipts of all answers, in one database that many processes write.

Feedback, proposed questions, chats and tokens are tables of the same database; each has a module of its own.
"""

import json
import secrets
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.answers import Answer
from rag_platform.core.errors import NotFound
from rag_platform.core.hits import Filters
from rag_platform.journal.forgotten import refuse_forgotten
from rag_platform.journal.migrations import MIGRATIONS
from rag_platform.journal.receipts import Receipt, hit_record, receipt_of, receipt_to_row
from rag_platform.monitoring.tracing import request_id
from rag_platform.storage.relational.app_database import ALL, Connection, Database
from rag_platform.storage.sqlite import SqliteFile


class Journal:
    """The receipts, and what belongs to them."""

    def __init__(self, database: Database | Path) -> None:
        """Keep them in a database of `MIGRATIONS`, or in a file, which is made if it is not there."""
        self._database = SqliteFile(database, MIGRATIONS) if isinstance(database, Path) else database

    def reading(self) -> AbstractContextManager[Connection]:
        """Give a connection; see `Database`."""
        return self._database.reading()

    def writing(self, *, erasing: bool = False) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction; see `Database`."""
        return self._database.writing(erasing=erasing)

    def compact(self) -> None:
        """Leave nothing of what was removed behind; see `Database`."""
        self._database.compact()

    def record(
        self,
        answer: Answer,
        *,
        mode: str,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        principal: str = "",
        prompt_hash: str = "",
        k: int | None = None,
        settings: dict[str, Any] | None = None,
        asked_at: datetime | None = None,
        history: Sequence[str] = (),
    ) -> str:
        """Store an answer with all that led to it, and return the receipt's id.

        `history` are marks of the answers that a model read to understand the question.

        Raises:
            DocumentForgotten: one of its documents, or one of an answer that was read, was forgotten while the answer
                was written; nothing is stored.
        """
        receipt = Receipt(
            id=secrets.token_hex(8),
            asked_at=asked_at or datetime.now(UTC),
            principal=principal,
            question=answer.question,
            mode=mode,
            k=k,
            filters=asdict(filters),
            settings=settings or {},
            version=answer.version,
            model=answer.model,
            prompt_hash=prompt_hash,
            hits=tuple(map(hit_record, answer.hits)),
            answer=answer.answer,
            abstained=answer.abstained,
            citations=answer.citations,
            warnings=answer.warnings,
            took_ms=answer.took_ms,
            standalone=answer.standalone,
            queries=answer.queries,
            history=tuple(history),
            claims=answer.claims,
            reasoning=answer.reasoning,
            verdict=answer.verdict,
            also=answer.also,
            disagreements=answer.disagreements,
            searched=answer.searched,
            request_id=request_id.get(),
        )
        self._insert(receipt)
        return receipt.id

    def _insert(self, receipt: Receipt) -> None:
        row, cited = receipt_to_row(receipt), {citation.doc_id for citation in receipt.citations}
        columns, places = ", ".join(row), ", ".join(f":{name}" for name in row)
        with self.writing() as connection:
            refuse_forgotten(connection, receipt.documents, receipt.history)
            connection.execute(f"insert into receipts ({columns}) values ({places})", row)
            connection.executemany(
                "insert into receipt_documents (doc_id, receipt_id, cited) values (?, ?, ?)",
                [(doc_id, receipt.id, doc_id in cited) for doc_id in receipt.documents],
            )

    def receipt(self, receipt_id: str) -> Receipt | None:
        """Return a receipt; None when there is none of that id."""
        with self.reading() as connection:
            row = connection.execute("select * from receipts where id = ?", (receipt_id,)).fetchone()
        return receipt_of(row) if row else None

    def find(self, prefix: str) -> Receipt:
        """Return the receipt whose id begins with `prefix`; `NotFound` when there is none, or more than one."""
        with self.reading() as connection:
            rows = connection.execute(
                "select * from receipts where substr(id, 1, length(:id)) = :id limit 6", {"id": prefix}
            ).fetchall()
        if len(rows) == 1:
            return receipt_of(rows[0])
        if not rows or not prefix:
            raise NotFound(f"no receipt has an id that begins with {prefix!r}; `rag receipt list` names the newest")
        some = ", ".join(row["id"] for row in rows[:5])
        raise NotFound(f"several receipts have an id that begins with {prefix!r}: {some}; give more of it")

    def receipts(
        self,
        limit: int = 100,
        doc_id: str | None = None,
        *,
        seen: bool = False,
        principal: str | None = None,
        before: tuple[str, str] | None = None,
    ) -> list[Receipt]:
        """Return the newest receipts.

        Args:
            limit: most of them; -1: all.
            doc_id: only of answers that cite this document.
            seen: with `doc_id`, also of answers that had it among their hits.
            principal: only of what this person asked.
            before: only what comes after this one in the list: when it was asked (ISO 8601), and its id.
        """
        at, last = before or (None, None)
        documents = "join receipt_documents on receipt_id = receipts.id and doc_id = :doc_id and (cited or :seen)"
        with self.reading() as connection:
            rows = connection.execute(
                f"select receipts.* from receipts {documents if doc_id is not None else ''} "
                "where (:principal is null or principal = :principal) "
                "and (:at is null or (asked_at, receipts.id) < (:at, :last)) "
                "order by asked_at desc, receipts.id desc limit :limit",
                {
                    "limit": limit if limit >= 0 else ALL,
                    "doc_id": doc_id,
                    "seen": seen,
                    "principal": principal,
                    "at": at,
                    "last": last,
                },
            ).fetchall()
        return [receipt_of(row) for row in rows]

    def count_citing(self, doc_ids: Iterable[str], principal: str | None = None) -> int:
        """Count the answers that cite one of these documents; with `principal`, those to this person's questions."""
        sql = (
            "select count(distinct receipt_id) from receipt_documents join receipts on receipts.id = receipt_id "
            "where cited and doc_id in (select value from json_each(?)) and coalesce(principal = ?, true)"
        )
        with self.reading() as connection:
            return int(connection.execute(sql, (json.dumps(list(doc_ids)), principal)).fetchone()[0])
