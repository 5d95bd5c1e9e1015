"""PostgreSQL as the database of app data: what it says when something is wrong, and that it comes back."""

import sys

import pytest

from rag_platform.api.problems import problem_document
from rag_platform.core.errors import DatabaseUnavailable, MissingExtra, SettingsError, StorageError
from rag_platform.journal.journal import Journal
from rag_platform.journal.migrations import MIGRATIONS
from rag_platform.people.tokens import Tokens
from rag_platform.storage.relational import postgres as adapter
from rag_platform.storage.relational.copied_tables import scrub_texts, texts_of
from rag_platform.storage.relational.postgres import PostgresDatabase, connected, engine_of
from tests.postgres_server import start, stop

pytest.importorskip("psycopg")


def test_what_is_wrong_with_a_server_is_in_the_log_alone_and_its_password_nowhere(postgres, caplog):
    place = postgres.partition("host=")[2]
    wrong = {
        "postgresql://rag:hidden@127.0.0.1:1/rag": ("127.0.0.1", "rag"),
        postgres.replace("reader@", "nobody:hidden@"): (place, "nobody"),
        postgres.replace("/postgres?", "/absent?"): (place, "absent"),
    }
    for address, names in wrong.items():
        caplog.clear()
        with pytest.raises(DatabaseUnavailable, match="does not answer") as told:
            PostgresDatabase(address, "rag", MIGRATIONS)
        status, document = problem_document(told.value)
        assert status == 503 and told.value.seconds
        assert all(name in caplog.text for name in names) and "hidden" not in caplog.text
        assert not any(name in str(document).replace("rag-", "") for name in {*names, "hidden"} - {"rag"})
    with pytest.raises(SettingsError, match="expected an address"):
        PostgresDatabase("mysql://db/rag", "rag", MIGRATIONS)


def test_what_a_statement_says_of_the_server_is_in_the_log_alone(postgres_database, caplog):
    with pytest.raises(StorageError, match="refused a statement") as told, postgres_database.reading() as connection:
        connection.execute("select 1 from table_of_secrets")
    assert "table_of_secrets" in caplog.text and "table_of_secrets" not in str(told.value)


def test_a_driver_that_is_missing_and_connections_that_are_all_used_are_told(postgres, monkeypatch):
    monkeypatch.setattr(adapter, "_KEPT", 1)
    monkeypatch.setattr(adapter, "_SPARE", 0)
    monkeypatch.setattr(adapter, "PATIENCE", 1)
    engine = engine_of.__wrapped__(postgres)
    with connected(engine, "public"), pytest.raises(DatabaseUnavailable, match="uses all 1 of its own"):
        connected(engine, "public").__enter__()
    engine.dispose()
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(
        MissingExtra, match=r"\[scale\] database needs the package 'psycopg'.*Install it with:.*postgres"
    ):
        engine_of.__wrapped__(postgres)


def test_a_server_that_was_restarted_is_used_again_and_meanwhile_it_is_told(postgres, postgres_database):
    tokens = Tokens(Journal(postgres_database))
    kept = tokens.create("kept")
    stop(postgres)
    try:
        with pytest.raises(DatabaseUnavailable, match="Is it running"):
            tokens.holder(kept)
    finally:
        start(postgres)
    assert tokens.holder(kept).name == "kept"


def test_tables_of_a_newer_release_are_refused(postgres_database, postgres):
    with postgres_database.writing() as connection:
        connection.execute("update steps set applied = 999")
    with pytest.raises(StorageError, match="newer release"):
        PostgresDatabase(postgres, postgres_database.schema, MIGRATIONS)


def test_texts_of_a_schema_are_changed_wherever_they_stand_and_nowhere_else(postgres_database, everything_in):
    journal = Journal(postgres_database)
    tokens = Tokens(journal)
    for name in ("heron@ann", "another"):
        tokens.create(name)
    changed = scrub_texts(postgres_database, lambda text: "heron" in text, lambda _: "(forgotten)")
    assert changed == 1 and {one.name for one in tokens.list()} == {"(forgotten)", "another"}
    assert "heron" not in everything_in(postgres_database) and not any(
        "heron" in one for one in texts_of(postgres_database)
    )
