"""Which documents and answers were forgotten, so that nothing that rests on them is stored or read again."""

from collections.abc import Iterable, Sequence

from rag_platform.core.answers import Turn
from rag_platform.core.errors import DocumentForgotten
from rag_platform.core.ids import answer_digest
from rag_platform.storage.relational.app_database import Connection, Database


def refuse_forgotten(connection: Connection, documents: Iterable[str], history: Iterable[str]) -> None:
    """Raise `DocumentForgotten` for an answer that began before a document was forgotten and ends after.

    Args:
        connection: to the journal.
        documents: that the answer rests on (doc_id).
        history: marks of the answers that a model read to understand its question.
    """
    rests_on = [("forgotten_documents where doc_id = ?", doc_id) for doc_id in documents]
    rests_on += [("forgotten_answers where mark = ?", mark) for mark in history]
    for where, value in rests_on:
        if connection.execute(f"select 1 from {where}", (value,)).fetchone():
            raise DocumentForgotten("a document that the answer rests on was forgotten while it was written; ask again")


def without_forgotten(journal: Database, turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns without those whose answer was removed with a forgotten document."""
    with journal.reading() as connection:
        forgotten = {mark for (mark,) in connection.execute("select mark from forgotten_answers")}
    return [turn for turn in turns if answer_digest(turn.answer) not in forgotten]
