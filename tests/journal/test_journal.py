import multiprocessing
import sqlite3
import sys
from contextlib import closing
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from rag_platform.core.answers import Answer, Citation, Disagreement, JudgedClaim
from rag_platform.core.errors import DocumentForgotten, NotFound, StorageError
from rag_platform.core.hits import Filters
from rag_platform.journal.answer_judgements import Feedback, Judgement
from rag_platform.journal.answer_preferences import AnswerPreferences
from rag_platform.journal.journal import Journal
from rag_platform.journal.migrations import MIGRATIONS
from rag_platform.journal.proposals import Proposals
from rag_platform.journal.receipts import Receipt
from rag_platform.people.chats import Chats
from rag_platform.storage.relational.postgres import PostgresDatabase
from rag_platform.storage.sqlite import SqliteFile


@pytest.fixture
def journal(database):
    return Journal(database)


@pytest.fixture
def answer(hits):
    citation = Citation(
        1,
        "doc-1",
        hits[0].chunk_id,
        "u",
        "Leave",
        "25 days — हिन्दी",
        (109, 130),
        "ab",
        datetime(2026, 3, 1, tzinfo=UTC),
        highlight=(109, 116),
    )
    also = replace(citation, n=0, language="de", highlight=None)
    answer = Answer(
        "How many?", "25 days [1]", False, (citation,), "v1", "extractive", "", tuple(hits), {"total": 3.5}, ("w",)
    )
    claims = (
        JudgedClaim("25 days", (0, 7), "supported", 0.8, "nli:tiny", (1,)),
        JudgedClaim("30 days", None, "contradicted", None, "words 1", (1,)),
    )
    newest = datetime(2026, 5, 12, tzinfo=UTC)
    disagreement = Disagreement(citation, replace(citation, n=0), 2, 1, "against", newest)
    more = {"claims": claims, "disagreements": (disagreement,), "searched": 3}
    return replace(answer, verdict="yes", also=(also,), **more)


def test_a_receipt_tells_everything_again(journal, answer, hits):
    filters = Filters(collections=("a",), since=datetime(2026, 1, 1, tzinfo=UTC))
    receipt = journal.receipt(journal.record(answer, mode="rerank", filters=filters, principal="ann", prompt_hash="p"))
    assert receipt.citations == answer.citations
    for name in ("verdict", "also", "claims", "disagreements", "searched"):
        assert getattr(receipt, name) == getattr(answer, name)
    assert (receipt.question, receipt.answer, receipt.version, receipt.model) == (
        "How many?",
        "25 days [1]",
        "v1",
        "extractive",
    )
    assert (receipt.mode, receipt.principal, receipt.prompt_hash, receipt.warnings) == ("rerank", "ann", "p", ("w",))
    assert receipt.filters["collections"] == ["a"] and receipt.filters["since"].startswith("2026-01-01")
    assert [hit["chunk_id"] for hit in receipt.hits] == [hit.chunk_id for hit in hits]
    assert receipt.hits[0]["revision"] == "revision-1" and "lexical" in receipt.hits[0]["scores"]
    assert receipt.took_ms == {"total": 3.5} and receipt.asked_at.tzinfo is not None
    assert journal.receipt("nothing") is None


def test_every_answer_that_used_a_document(journal, answer):
    used = journal.record(answer, mode="rerank")
    journal.record(replace(answer, citations=()), mode="rerank")
    assert [receipt.id for receipt in journal.receipts(doc_id="doc-1")] == [used]
    assert len(journal.receipts()) == 2 and journal.receipts(limit=1)[0].answer


def test_a_chat_is_read_only_by_who_began_it(journal, answer):
    chat = Chats(journal).begin("How many?", principal="ann")
    Chats(journal).say(chat, "user", "How many?")
    Chats(journal).say(chat, "assistant", "25 days [1]", journal.record(answer, mode="rerank"))
    assert [(m.role, m.content) for m in Chats(journal).messages(chat, "ann")] == [
        ("user", "How many?"),
        ("assistant", "25 days [1]"),
    ]
    assert Chats(journal).messages(chat, "bob") == [] == Chats(journal).messages(chat)


def test_a_later_judgement_replaces_an_earlier_one(journal, answer):
    receipt = journal.record(answer, mode="rerank")
    feedback = Feedback(journal)
    assert feedback.of(receipt) is None
    feedback.give(receipt, good=True)
    feedback.give(receipt, good=False, comment="wrong year")
    assert feedback.of(receipt) == Judgement(False, "", "wrong year")


def write_many(where, answer, count):
    journal = Journal(where if isinstance(where, Path) else PostgresDatabase(*where, MIGRATIONS))
    for _ in range(count):
        journal.record(answer, mode="rerank")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_many_processes_write_what_did_not_exist(request, tmp_path, answer, monkeypatch, kind):
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # else each runs a page that a test left
    if kind == "postgres":
        pytest.importorskip("psycopg")
    made = tmp_path / "app.sqlite" if kind == "sqlite" else (request.getfixturevalue("postgres"), "many")
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write_many, args=(made, answer, 25)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    journal = Journal(made if kind == "sqlite" else PostgresDatabase(*made, MIGRATIONS))
    assert len(journal.receipts(limit=1000)) == 75


def test_what_fails_in_a_transaction_is_undone_and_odd_characters_are_kept(database):
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        connection.execute("insert into preferences values (?, ?, ?)", ("ann", "mode", "x"))
        _ = 1 / 0
    odd = "100 % ? :name ' \N{SNOWMAN} \0"
    with database.writing() as connection:
        connection.execute("insert into preferences values ('ann', 'a:b?%', :value)", {"value": odd})
    with database.reading() as connection:
        (row,) = connection.execute("select name, value from preferences").fetchall()
    assert (row["name"], row[1].replace("\ufffd", "\0")) == ("a:b?%", odd)


def layout(path):
    """Return the columns of each table, and the text of each index, whatever their order and white space."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        columns = {name: {row[1:] for row in connection.execute(f"pragma table_xinfo({name})")} for name in tables}
        indices = {" ".join(sql.split()) for (sql,) in connection.execute(INDICES)}
        return columns, indices, connection.execute("pragma user_version").fetchone()


INDICES = "select sql from sqlite_master where type = 'index' and sql is not null"


def test_a_file_that_eight_steps_made_is_opened_and_keeps_its_rows(tmp_path, answer):
    path, new = tmp_path / "app.sqlite", tmp_path / "new.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parent / "schema_8.sql").read_text(encoding="utf-8"))
    receipt = Journal(new).record(answer, mode="rerank", k=4)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("attach ? as new", (str(new),))
        eighth = {row[1] for row in connection.execute("pragma table_info(receipts)")}
        columns = ", ".join(column.name for column in fields(Receipt) if column.name in eighth)
        connection.execute(f"insert into receipts ({columns}) select {columns} from new.receipts")
        connection.execute("insert into receipt_documents select * from new.receipt_documents")
        connection.execute("insert into chats values ('c', 'ann', 'Leave', '2026-05-01T00:00:00+00:00', '')")
        connection.execute(
            "insert into tokens values ('t', 'ci', 'reader', '[]', x'00', '2026-05-01T00:00:00+00:00', '')"
        )
    journal = Journal(path)
    assert journal.receipt(receipt).citations == answer.citations and journal.receipts(doc_id="doc-1")
    Feedback(journal).give(receipt, good=False)
    with journal.reading() as connection:
        counts = [
            connection.execute(f"select count(*) from {name}").fetchone()[0]
            for name in ("chats", "tokens", "proposals")
        ]
    assert counts == [1, 1, 1]


def test_the_first_step_makes_what_eight_steps_made(tmp_path):
    path, new = tmp_path / "app.sqlite", tmp_path / "new.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parent / "schema_8.sql").read_text(encoding="utf-8"))
    SqliteFile(new, MIGRATIONS[:8])
    assert layout(new) == layout(path)
    SqliteFile(path, MIGRATIONS)
    Journal(new)
    assert layout(new) == layout(path)


def test_the_better_of_two_answers_is_proposed_until_the_other_is(journal, answer, monkeypatch):
    monkeypatch.setattr("rag_platform.journal.proposals.unreadable", lambda *_: frozenset())
    one, other = (journal.record(replace(answer, hits=(), citations=()), mode="rerank") for _ in range(2))
    preferred, proposals = AnswerPreferences(journal), Proposals(journal, versions=None)
    preferred.prefer(one, other, "user:ann")
    assert [(each.id, each.good) for each in proposals.list()] == [(one, True)]
    preferred.prefer(other, one, "user:ann")
    assert [each.id for each in proposals.list()] == [other] and proposals.count() == 1
    Feedback(journal).give(other, good=False, reason="wrong")
    assert [(each.good, each.reason) for each in proposals.list()] == [(False, "wrong")]


def test_a_receipt_is_found_by_the_beginning_of_its_id(journal, answer):
    ids = [journal.record(answer, mode="rerank", k=4, settings={"retrieval": {"depth": 3}}) for _ in range(40)]
    receipt = journal.find(ids[0][:12])
    assert (receipt.id, receipt.k, receipt.settings) == (ids[0], 4, {"retrieval": {"depth": 3}})
    with pytest.raises(NotFound, match="no receipt"):
        journal.find("x")
    with pytest.raises(NotFound, match="no receipt"):
        journal.find("")
    shared = next(digit for digit in "0123456789abcdef" if sum(one.startswith(digit) for one in ids) > 1)
    with pytest.raises(NotFound, match="several receipts"):
        journal.find(shared)


def test_an_answer_from_a_document_that_was_forgotten_meanwhile_is_not_kept(journal, answer):
    with journal.writing() as connection:
        connection.execute("insert into forgotten_documents values ('doc-2')")
    with pytest.raises(DocumentForgotten, match="ask again"):
        journal.record(answer, mode="rerank")
    assert journal.receipts() == []


def test_a_file_of_a_newer_release_is_left_alone(tmp_path):
    path = tmp_path / "app.sqlite"
    Journal(path)
    with sqlite3.connect(path) as connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    with pytest.raises(StorageError, match="newer release"):
        Journal(path)


def test_a_damaged_file_says_so(tmp_path):
    path = tmp_path / "app.sqlite"
    path.write_bytes(b"this is no database, not at all" * 100)
    with pytest.raises(StorageError, match="not a database"):
        Journal(path)
