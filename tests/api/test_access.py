"""Who may do what: tokens, roles, readers, and the one local user."""

import re
from types import SimpleNamespace

import httpx
import pytest
from starlette.requests import Request

from rag_platform.api.access import authenticate
from rag_platform.api.problems import Problem
from rag_platform.config.settings import AccessSettings, HttpSettings, Settings
from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.journal.journal import Journal
from rag_platform.operations.serving.server import trusts_local
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import open_workspace
from tests.test_command_line import rag_json


@pytest.fixture
def tokens(database):
    return Tokens(Journal(database))


def test_a_token_is_known_by_its_secret_and_kept_as_a_hash(tokens, database, everything_in):
    token = tokens.create("ci", ["edit"], ["group:staff"], who="ilse")
    holder = tokens.holder(token)
    assert (holder.name, holder.scopes, holder.principals, holder.created_by) == (
        "ci",
        ("edit",),
        ("group:staff",),
        "ilse",
    )
    assert tokens.list() == [holder]
    assert token.split("_", 2)[2] not in everything_in(database)
    for wrong in ("", "rag_", token[:-1] + ("A" if token[-1] != "A" else "B"), token + "A", token.upper(), "é" * 60):
        assert tokens.holder(wrong) is None
    restore = tokens.revoke("ci")
    assert tokens.holder(token) is None and not tokens.any()
    restore()
    assert tokens.holder(token) == holder
    tokens.revoke("ci")
    with pytest.raises(NotFound):
        tokens.revoke("ci")


def test_a_token_that_cannot_be_is_refused(tokens):
    tokens.create("ci")
    for name in ("ci", "", "a b"):
        with pytest.raises(SettingsError):
            tokens.create(name)
    with pytest.raises(SettingsError, match="--scope write: expected read, ask, edit, widget, metrics, admin"):
        tokens.create("x", ["read", "write"])
    with pytest.raises(SettingsError, match="--scope is missing"):
        tokens.create("x", [])
    with pytest.raises(SettingsError, match="manages the whole workspace"):
        tokens.create("x", ["admin"], collections=["physics"])
    with pytest.raises(SettingsError, match="with --collection"):
        tokens.create("x", ["read"], ["within:physics"])


@pytest.fixture(scope="module")
def server(workspace, serve):
    collections = open_workspace(workspace).collections()
    collections.create("Open")
    collections.create("Staff", principals=["group:staff"])
    collections.create("Students", principals=["group:students"])
    with serve(workspace) as address:
        yield address


OUTSIDE = [
    ({"x-forwarded-for": "10.0.0.9"}, "proxy"),
    ({"forwarded": "for=10.0.0.9"}, "proxy"),
    ({"host": "evil.example:80"}, "evil.example"),
    ({"host": "127.0.0.1.evil.example"}, "evil.example"),
    ({"host": "evil.example@127.0.0.1"}, "evil.example"),
    ({"host": "[::1"}, "not this machine"),
    ({"host": "127.0.0.1:x"}, "not this machine"),
    ({"host": ""}, "not this machine"),
    ({"origin": "https://evil.example"}, "evil.example"),
    ({"origin": "http://[::1"}, "page of"),
    ({"origin": "null"}, "null"),
    ({"sec-fetch-site": "cross-site"}, "page of others"),
]


@pytest.mark.parametrize(("headers", "told"), OUTSIDE)
def test_where_the_local_user_is_trusted_nobody_else_is_taken_for_them(server, headers, told):
    assert httpx.get(f"{server}/v1/collections").status_code == 200
    refused = httpx.post(f"{server}/v1/collections", json={"title": "CSRF"}, headers=headers)
    assert refused.status_code == 403 and told in refused.json()["detail"]


def test_tokens_read_as_they_were_made_to(server, workspace):
    tokens = Tokens(open_workspace(workspace).journal)
    made = rag_json(workspace, "token", "create", "e", "--scope", "edit", "--as", "group:staff")
    assert made.pop("token") and [token.name for token in tokens.list()] == ["e"]
    rag_json(workspace, "token", "revoke", "e")
    made = {
        "r": tokens.create("r", ["read"], ["group:students"]),
        "e": tokens.create("e", ["ask", "edit"], ["group:staff"]),
    }
    reader, editor = (httpx.Client(base_url=server, headers={"authorization": f"Bearer {made[n]}"}) for n in "re")
    with reader, editor:
        assert _ids(reader) == ["open", "students"]
        assert _ids(editor) == ["open", "staff"]
        for method, path in [
            ("POST", "/v1/collections"), ("DELETE", "/v1/collections/open"), ("PATCH", "/v1/collections/open"),
            ("POST", "/v1/collections/open/files"), ("DELETE", "/v1/collections/open/files/a"),
            ("POST", "/v1/sync"), ("GET", "/v1/sync"),
        ]:  # fmt: skip
            refused = reader.request(method, path)
            assert refused.status_code == 403 and "'edit'" in refused.json()["expected"], (method, path)
        assert editor.delete("/v1/collections/students").status_code == 404  # what it may not see, it may not change
        assert editor.post("/v1/collections/students/files", files={"f": ("a", b"x")}).status_code == 404
        assert editor.post("/v1/collections", json={"title": "Mine"}).json()["owner"] == "e"
        assert reader.get("/v1/search", params={"q": "x", "as": "group:staff"}).status_code == 403
        assert "'ask'" in reader.post("/v1/ask", json={"question": "x"}).json()["expected"]
        assert editor.post("/v1/ask", json={"question": "x", "as": "group:staff"}).status_code == 403
        assert reader.get("/v1/search", params={"q": "x"}).status_code == 503  # nothing is published yet

    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic dTpw"}):
        refused = httpx.get(f"{server}/v1/collections", headers=headers)
        assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
    assert httpx.get(f"{server}/healthz").json() == {"ok": True, "damaged": False}
    tokens.revoke("r")
    assert httpx.get(f"{server}/v1/collections", headers=dict(reader.headers)).status_code == 401


def _ids(client):
    return [one["id"] for one in client.get("/v1/collections").json()["collections"]]


@pytest.fixture
def asked(tmp_path):
    """Ask from an address, without a token."""
    journal = Journal(tmp_path / "app.sqlite")

    def ask(client, trusts_local=True):
        state = SimpleNamespace(
            workspace=SimpleNamespace(journal=journal), signed_tokens=None, trusts_local=trusts_local
        )
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "scheme": "http"}
        scope |= {"headers": [(b"host", b"127.0.0.1:8600")], "client": client, "server": ("0.0.0.0", 8600)}
        return authenticate(Request(scope | {"app": SimpleNamespace(state=state)}))

    return ask


def test_a_request_from_another_address_needs_a_token(asked):
    for client in (("127.0.0.1", 9), ("::1", 9), ("::ffff:127.0.0.1", 9)):
        assert asked(client).admin
    for client in (("192.168.1.7", 9), ("8.8.8.8", 9), ("::ffff:10.0.0.1", 9), None):
        with pytest.raises(Problem, match="another machine"):
            asked(client)


def test_loopback_alone_is_nobody(asked):
    """A proxy that rewrites Host and adds no header looks just like this machine's user."""
    with pytest.raises(Problem, match="no token") as refused:
        asked(("127.0.0.1", 9), trusts_local=False)
    assert refused.value.status == 401


def test_local_trust_ends_where_others_can_reach():
    trusting = Settings(access=AccessSettings(local=True))
    assert not trusts_local(Settings(), "127.0.0.1")
    assert trusts_local(trusting, "127.0.0.1") and trusts_local(trusting, "::1")
    for host in ("0.0.0.0", "::", "192.168.1.7", ""):
        assert not trusts_local(trusting, host)
    behind = trusting.model_copy(update={"http": HttpSettings(proxies=("127.0.0.1",))})
    assert not trusts_local(behind, "127.0.0.1")


def test_the_first_start_prints_a_link_that_opens_the_api_once(tmp_path, serve):
    (tmp_path / "rag.toml").write_text('[[sources]]\nid = "teaching"\nkind = "upload"\n')
    with serve(tmp_path, RAG_ACCESS__LOCAL="false") as address, httpx.Client(base_url=address) as client:
        assert client.get("/v1/collections").status_code == 401
        link = re.search(r"http://\S+/\?token=\S+", (tmp_path / "server.log").read_text())[0]
        assert client.head(link).status_code == 405  # looking does not use it up
        opened = client.get(link).json()
        assert client.get(link).status_code == 401 and client.get("/").status_code == 401
        client.headers["authorization"] = f"Bearer {opened['token']}"
        assert client.post("/v1/collections", json={"title": "Mine"}).status_code == 201
        rag_json(tmp_path, "link", "--revoke")
        assert client.get("/v1/collections").status_code == 401
