"""The link of whoever runs the workspace: once, not for long, and nothing to others."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from rag_platform.journal.journal import Journal
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.secret_keys import new_key, read_key
from rag_platform.people.tokens import Tokens

NOW = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.fixture
def links(database):
    return AdminLinks(Journal(database))


def token_of(link):
    return link.partition("token=")[2]


def test_a_link_opens_one_session(links):
    link = links.create("http://127.0.0.1:8501/", now=NOW)
    assert link.startswith("http://127.0.0.1:8501/?token=link_")
    session = links.redeem(token_of(link), 12, now=NOW)
    assert session.expires_at == NOW + timedelta(hours=12)
    assert links.redeem(token_of(link), 12, now=NOW) is None
    assert links.is_session(session.secret, now=NOW + timedelta(hours=11))
    assert not links.is_session(session.secret, now=NOW + timedelta(hours=13))
    assert not links.is_session(token_of(links.create("http://x", now=NOW)), now=NOW)  # a link is no session


def test_a_link_expires(links):
    link = links.create("http://x", now=NOW)
    assert links.redeem(token_of(link), 12, now=NOW + timedelta(minutes=61)) is None


def test_of_many_who_open_a_link_at_once_one_does(links):
    token = token_of(links.create("http://x", now=NOW))
    with ThreadPoolExecutor(8) as threads:
        opened = list(threads.map(lambda _: links.redeem(token, 1, now=NOW), range(8)))
    assert sum(session is not None for session in opened) == 1


def test_nothing_else_is_a_link_or_a_session(links, database, everything_in):
    token = token_of(links.create("http://x", now=NOW))
    secret = links.redeem(token_of(links.create("http://x", now=NOW)), 12, now=NOW).secret
    other = Tokens(Journal(database)).create("ci")
    for wrong in ("", "link_", token[:-1] + ("A" if token[-1] != "A" else "B"), token + "A", token.upper(), other):
        assert links.redeem(wrong, 12, now=NOW) is None and not links.is_session(wrong, now=NOW)
    kept = everything_in(database)
    assert secret.split("_", 2)[2] not in kept and token.split("_", 2)[2] not in kept


def test_all_can_be_ended(links):
    session = links.redeem(token_of(links.create("http://x")), 12)
    assert links.is_session(session.secret) and links.revoke_all() == 1
    assert not links.is_session(session.secret)


def test_a_secret_matches_its_own_hash_alone():
    key = new_key("link")
    assert read_key("link", key.text).matches(key.hash) and read_key("session", key.text) is None
    assert not key.matches(new_key("link").hash) and not key.matches(None) and not key.matches(b"")
