"""The receipt of an answer: all that explains it later, and its row in the journal."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from rag_platform.core.answers import Citation, Disagreement, JudgedClaim, Verdict
from rag_platform.core.hits import Hit
from rag_platform.storage.relational.app_database import Database, Row

_JSON_COLUMNS = (
    *("filters", "settings", "hits", "citations", "warnings", "took_ms", "queries", "history"),
    *("claims", "also", "disagreements"),
)
_HIT_FIELDS = (
    *("rank", "score", "chunk_id", "doc_id", "uri", "title", "source", "section", "span"),
    *("revision", "raw_sha256", "run_id"),
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that is needed to explain an answer later, and to replay it."""

    id: str
    asked_at: datetime
    principal: str
    """Who asked; empty: someone not signed in."""
    question: str
    mode: str
    k: int | None
    """How many hits were asked for; None: not recorded."""
    filters: dict[str, Any]
    settings: dict[str, Any]
    """What was in force: retrieval, answer, generator (no address, no key), half_lives, max_ages, trust, embedder."""
    version: str
    model: str
    prompt_hash: str
    hits: tuple[dict[str, Any], ...]
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
    """What was searched for."""
    history: tuple[str, ...]
    """Marks of the answers that a model read to understand the question; see `records.answer_digest`."""
    claims: tuple[JudgedClaim, ...]
    """Sentences that a source should support, each with its state, and the check that gave it."""
    reasoning: str
    """The model's reasoning."""
    verdict: Verdict = ""
    """"yes" or "no", where a quote told it for sure."""
    also: tuple[Citation, ...] = ()
    """Quotes in other languages."""
    disagreements: tuple[Disagreement, ...] = ()
    """What sources say against what is quoted."""
    searched: int | None = None
    """How many documents could have answered it, where it was abstained from."""
    request_id: str = ""
    """Of the HTTP request that asked, as in the server's log and its traces; empty: it was none."""

    @property
    def documents(self) -> frozenset[str]:
        """The documents (doc_id) that it was written from."""
        return frozenset(hit["doc_id"] for hit in self.hits) | {citation.doc_id for citation in self.citations}

    @property
    def revisions(self) -> dict[str, str]:
        """The revision of each document that was found, by doc_id, as it was then."""
        return {hit["doc_id"]: hit["revision"] for hit in self.hits}


def receipts_by_id(journal: Database, ids: Iterable[str]) -> dict[str, Receipt]:
    """Return those of the receipts that there are, by id."""
    with journal.reading() as connection:
        sql = "select * from receipts where id in (select value from json_each(?))"
        rows = connection.execute(sql, (json.dumps([*ids]),)).fetchall()
    return {row["id"]: receipt_of(row) for row in rows}


def hit_record(hit: Hit) -> dict[str, Any]:
    """Return what a receipt keeps of a hit: everything but its text."""
    return {name: getattr(hit, name) for name in _HIT_FIELDS} | {"scores": asdict(hit.scores)}


def receipt_to_row(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as a row of the table of receipts, by column."""
    row = {column.name: getattr(receipt, column.name) for column in fields(Receipt)}
    return row | {"asked_at": receipt.asked_at.isoformat()} | {name: _json(row[name]) for name in _JSON_COLUMNS}


def receipt_of(row: Row) -> Receipt:
    """Read a row of the table of receipts."""
    values = {column.name: row[column.name] for column in fields(Receipt)}
    values |= {name: json.loads(values[name]) for name in _JSON_COLUMNS}
    values |= {name: tuple(values[name]) for name in ("hits", "warnings", "queries", "history")}
    values["asked_at"] = datetime.fromisoformat(values["asked_at"])
    values["abstained"] = bool(values["abstained"])
    values["claims"] = tuple(map(_claim, values["claims"]))
    values["disagreements"] = tuple(map(_disagreement, values["disagreements"]))
    values |= {name: tuple(map(_citation, values[name])) for name in ("citations", "also")}
    return Receipt(**values)


def _citation(stored: dict[str, Any]) -> Citation:
    published, marked = stored["published_at"], stored["highlight"]
    moment = datetime.fromisoformat(published) if published else None
    places = {"span": tuple(stored["span"]), "highlight": tuple(marked) if marked else None}
    return Citation(**stored | places | {"published_at": moment})


def _disagreement(stored: dict[str, Any]) -> Disagreement:
    newest_at = datetime.fromisoformat(stored["newest_at"]) if stored["newest_at"] else None
    quotes = {side: _citation(stored[side]) for side in ("said", "against")}
    return Disagreement(**stored | quotes | {"newest_at": newest_at})


def _claim(stored: dict[str, Any]) -> JudgedClaim:
    span = tuple(stored["span"]) if stored["span"] else None
    return JudgedClaim(**stored | {"span": span, "citations": tuple(stored["citations"])})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> object:
    return value.isoformat() if isinstance(value, datetime) else asdict(value)
