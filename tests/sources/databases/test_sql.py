import sqlite3
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
import sqlalchemy

from rag_platform.core.errors import FetchError, MissingExtra, SettingsError, SourceError
from rag_platform.core.ports import Item, Validators
from rag_platform.sources.databases.sql import Sql, SqlSource
from rag_platform.text.row_templates import fill, filled_tags, normal, readable

TABLE = """
create table posts (id integer, title text, body text, tags text, day text);
insert into posts values (1, 'One', 'First.', '["a", "b"]', '2026-03-02');
insert into posts values (2, null, null, '{"x": 1}', '2026-03-02 10:00:00+01:00');
"""


@pytest.fixture
def make(tmp_path):
    def make(script=TABLE, environ=None, **options):
        connection = sqlite3.connect(tmp_path / "posts.db")
        connection.executescript(f"drop table if exists posts;{script}")
        connection.close()
        options = {
            "url": "sqlite:///posts.db",
            "query": "select * from posts order by id",
            "key": "id",
            "template": "# {title}\n\n{body}\n\nTags: {tags}",
            **options,
        }
        return Sql(SqlSource(id="posts", kind="sql", **options), tmp_path, environ=environ or {})

    return make


def test_rows_become_documents(make):
    source = make(title="{title} ({id})", published_at="day")
    first, second = source.list().items
    assert first.uri == "sql://posts/1"
    assert source.fetch(first, Validators()).content == b"# One\n\nFirst.\n\nTags: a, b"
    assert first.metadata == {"type": "row", "title": "One (1)", "published_at": "2026-03-02T00:00:00+00:00"}
    assert second.content == b"# \n\n\n\nTags: x: 1"
    assert second.metadata["published_at"] == "2026-03-02T09:00:00+00:00"
    assert source.fetch(first, Validators()).content_type == "text/markdown; charset=utf-8"


def test_an_address_of_ones_own(make):
    assert next(item.uri for item in make(uri="https://forum.org/t/{id}").list().items) == "https://forum.org/t/1"


def test_rows_without_a_key_or_with_anothers_are_noted(make):
    listing = make(TABLE + "insert into posts (id, title) values (null, 'x'), (1, 'again');").list()
    assert [item.uri for item in listing.items] == ["sql://posts/1", "sql://posts/2"]
    assert listing.items[0].content.startswith(b"# One")
    assert [uri for uri, _ in listing.failed] == ["sql://posts/row 1", "sql://posts/1"]
    assert listing.complete


@pytest.mark.parametrize("option", [{"key": "nr"}, {"template": "{nr}"}, {"title": "{nr}"}, {"updated_at": "nr"}])
def test_an_unknown_column_names_the_known_ones(make, option):
    with pytest.raises(SourceError, match="no column nr; it has: id, title, body, tags, day"):
        make(**option).list()


@pytest.mark.parametrize(
    "query",
    ["select", "select * from nowhere", "delete from posts", "drop table posts", "insert into posts (id) values (9)"],
)
def test_a_wrong_query_is_an_error_and_writes_nothing(make, query):
    with pytest.raises(SourceError, match=r"check `url` and `query`|returns no rows"):
        make(query=query).list()
    with pytest.raises(SourceError, match=r"check `url` and `query`|returns no rows"):
        make(query=query).list()
    assert len(make().list().items) == 2


def test_a_colon_and_a_percent_sign_are_themselves(make):
    query = "select id, title, '10:30 :x 5%' as body, '' as tags from posts where title like 'O%'"
    assert b"10:30 :x 5%" in make(query=query).list().items[0].content


def test_a_missing_file_is_an_error_and_is_not_created(make, tmp_path):
    with pytest.raises(SourceError, match="there is no SQLite file"):
        make(url="sqlite:///none.db").list()
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("url", ["sqlite://", "nonsense", "nonsense://x", "sqlite:///:memory:"])
def test_a_wrong_address_is_an_error(make, url):
    with pytest.raises(SourceError, match="source 'posts' could not be read"):
        make(url=url).list()


def test_a_file_that_is_no_database_is_an_error(make, tmp_path):
    (tmp_path / "text.db").write_bytes(b"this is text, and long enough to be taken for a header" * 20)
    with pytest.raises(SourceError, match="not a database"):
        make(url="sqlite:///text.db").list()


def test_a_missing_driver_is_named(make):
    with pytest.raises(SourceError, match="oracledb"):
        make(url="oracle://a@b/c").list()


def test_a_missing_driver_of_ours_names_its_extra(make, monkeypatch):
    def without_driver(*args, **kwargs):
        raise ModuleNotFoundError("No module named 'psycopg'")

    monkeypatch.setattr(sqlalchemy, "create_engine", without_driver)
    with pytest.raises(MissingExtra, match=r"pip install .*\[postgres\]"):
        make(url="postgresql://a@b/c").list()


def test_a_variable_is_put_in(make):
    assert len(make(url="sqlite:///${NAME}.db", environ={"NAME": "posts"}).list().items) == 2
    assert len(make(url="${URL}", environ={"URL": "sqlite:///posts.db"}).list().items) == 2


def test_a_variable_that_is_not_set_is_a_settings_error(make):
    with pytest.raises(SettingsError, match=r"sources\[posts\].url = .*the variable NOPE is not set"):
        make(url="postgresql://u:${NOPE}@h/d")


def test_secrets_stay_out_of_messages(make):
    secret = "p@ss/w:rd"
    source = make(url="postgresql://ann:${PASSWORD}@127.0.0.1:1/d", environ={"PASSWORD": secret})
    with pytest.raises(SourceError) as caught:
        source.list()
    shown = f"{caught.value!r} {caught.value.__cause__!r}"
    assert secret not in shown
    assert "p%40ss" not in shown


def test_a_password_of_special_characters_arrives_whole(make, monkeypatch):
    seen = []
    monkeypatch.setattr(sqlalchemy, "create_engine", lambda url, **kwargs: seen.append(url) or sqlalchemy.engine)
    with pytest.raises(AttributeError):
        make(url="postgres://ann:${PASSWORD}@h/d", environ={"PASSWORD": "p@ss/w:rd"}).list()
    assert (seen[0].password, seen[0].host, seen[0].drivername) == ("p@ss/w:rd", "h", "postgresql+psycopg")


def test_a_row_of_an_earlier_listing_cannot_be_fetched(make):
    with pytest.raises(FetchError, match="list the source again"):
        make().fetch(Item("sql://posts/1"), Validators())


def test_bytes_that_are_no_text_do_not_stop_the_rows(make):
    source = make(TABLE + "insert into posts values (3, cast(x'ff41' as text), x'ff00', '', '');")
    assert source.list().items[2].content.decode().startswith("# �A\n\n(2 bytes)")


def test_postgres_is_only_read(make, postgres):
    engine = sqlalchemy.create_engine(postgres, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("create sequence if not exists counter")
    source = make(url=postgres, query="select nextval('counter') as id", template="{id}")
    with pytest.raises(SourceError, match="read-only"):
        source.list()


def test_postgres_types(make, postgres):
    query = """select 1 as id, '{"a": [1, 2], "b": {"c": null}}'::jsonb as body, array['x', 'y'] as tags,
        timestamptz '2026-03-02 10:00+01' as day, 1.50::numeric as title, '5%' like '%5\\%' as yes"""
    (item,) = make(url=postgres, query=query, template="{title}|{tags}|{yes}|{body}", published_at="day").list().items
    assert item.content.decode() == "1.50|x, y|yes|\n- a: 1, 2\n- b: c:"
    assert item.metadata["published_at"] == "2026-03-02T09:00:00+00:00"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        (0, "0"),
        (True, "yes"),
        (Decimal("1.50"), "1.50"),
        (date(2026, 3, 2), "2026-03-02"),
        (datetime(2026, 3, 2, 10, tzinfo=UTC), "2026-03-02 10:00:00+00:00"),
        (b"caf\xc3\xa9", "café"),
        (b"\xff\x00", "(2 bytes)"),
        ("[not json", "[not json"),
        ("[1, 2]", "1, 2"),
        ("{}", ""),
        ('{"a": 1, "b": null}', "a: 1; b: "),
        ('[{"a": 1}, {"b": [1, {"c": 2}]}]', "\n- a: 1\n-\n  - b:\n    - 1\n    - c: 2"),
    ],
)
def test_values_as_people_read_them(value, expected):
    assert readable(value) == expected


def test_deep_json_does_not_break_the_row():
    assert readable("[" * 5000)
    assert readable("[" * 900 + "1" + "]" * 900)


def test_templates():
    assert fill("{{a}} {a} { b }", {"a": 1, "b": 2}) == "{a} 1 2"


def test_sqlite_itself_refuses_to_write(make):
    with pytest.raises(SourceError, match="a source only reads"):
        make(query="delete from posts").list()


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("status:{status}", ["status:open"]),
        ("status:{none}", []),
        ("{status} {none}", []),
        ("label:{labels}", ["label:a", "label:b"]),
        ("{labels}-{array}", ["a-x", "a-y", "b-x", "b-y"]),
        ("always", ["always"]),
        ("two {lines}", ["two lines of text"]),
    ],
)
def test_tags(template, expected):
    row = {"status": "open", "none": None, "labels": '["a", "", "b"]', "array": ["x", "y"], "lines": "lines\n of text"}
    assert filled_tags([template, template], row) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(" EXECUTED ", "passed"), ("Odd", "odd"), (None, None), (7, "7"), (["Executed", "A"], ["passed", "a"])],
)
def test_one_name_for_several_spellings(value, expected):
    assert normal(value, {"executed": "passed"}) == expected


def test_what_a_row_is_called_and_tagged(make):
    options = {
        "type": "{title} stage",
        "author": "{body}",
        "tags": ["{tags}", "day:{day}"],
        "values": {"title": {"ONE": "forum"}, "day": {}},
    }
    first = make(**options).list().items[0]
    assert first.metadata == {
        "type": "forum stage",
        "author": "First.",
        "tags": ["a", "b", "day:2026-03-02"],
    }
    assert first.content.startswith(b"# forum")


def test_what_is_no_date_is_handed_on_as_it_is(make):
    source = make(TABLE + "update posts set day = 'soon';", published_at="day")
    assert source.list().items[0].metadata["published_at"] == "soon"
