"""Access tokens of an identity provider on loopback: its keys prove whose they are, [access] what they may."""

import time

import pytest
from fastapi.testclient import TestClient
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from rag_platform.api.application import application
from rag_platform.config.settings import AccessSettings
from rag_platform.core.errors import AccessDenied, IssuerSilent, SignInExpired
from rag_platform.people.signed_tokens import SignedTokens
from tests.api.published import QUESTION, opened, publish
from tests.app.identity_provider import identity_provider

PEOPLE = {
    "ilse": {"email": "ilse@example.org", "email_verified": True, "groups": ["board"]},
    "edda": {"email": "edda@example.org", "email_verified": True, "groups": ["editors"]},
    "mallory": {"email": "mallory@example.org", "email_verified": False},
}


@pytest.fixture(scope="module")
def provider():
    with identity_provider(PEOPLE) as server:
        yield server


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder, provider):
    settings = f'[access]\nissuer = "{provider.address}"\naudience = "rag"\neditors = ["group:editors"]\n'
    return publish(tmp_path_factory.mktemp("signed"), tiny_embedder, settings)


def token_of(provider, name, key=None, header=None, **changes):
    claims = provider.claims(name, "") | {"aud": "rag"} | changes
    return jwt.encode({"alg": "RS256", "kid": "1"} | (header or {}), claims, key or provider.key)


@pytest.fixture
def ask(workspace, provider):
    def client(name, **more):
        token = token_of(provider, name, **more)
        return TestClient(application(workspace), headers={"authorization": f"Bearer {token}"})

    return client


def test_groups_of_a_token_decide_what_is_read_and_its_role_what_is_done(ask, workspace):
    ilse, edda = ask("ilse"), ask("edda")
    assert [one["source"] for one in ilse.get("/v1/documents").json()["documents"]] == ["notes", "pay", "teaching"]
    assert [one["source"] for one in edda.get("/v1/documents").json()["documents"]] == ["notes", "teaching"]
    assert ilse.post("/v1/collections", json={"title": "Mine"}).status_code == 403
    assert edda.post("/v1/collections", json={"title": "Ours"}).status_code == 201
    assert edda.get("/v1/versions").status_code == 403
    receipt = ilse.post("/v1/ask", json={"question": QUESTION}).json()["receipt_id"]
    assert workspace.journal.receipt(receipt).principal == "user:ilse@example.org"  # as on the page
    assert workspace.audit.events(limit=1)[0].who["name"] == "user:ilse@example.org"


def test_scopes_of_a_token_take_away_and_never_add(ask):
    reads = ask("edda", scope="openid read")
    assert reads.get("/v1/documents").status_code == 200
    assert reads.post("/v1/ask", json={"question": QUESTION}).status_code == 403
    assert ask("ilse", scope="admin edit").post("/v1/collections", json={"title": "x"}).status_code == 403
    assert ask("ilse", scope="openid profile").post("/v1/ask", json={"question": QUESTION}).status_code == 200


def test_tokens_that_prove_nothing_are_refused(ask, provider):
    now, other = int(time.time()), RSAKey.generate_key(2048, {"kid": "1"})
    shared = OctKey.generate_key(256)
    wrong = {
        "another's key": {"key": other},
        "no key of that name": {"header": {"kid": "2"}},
        "a secret for a key": {"key": shared, "header": {"alg": "HS256"}},
        "another audience": {"aud": "page"},
        "no audience": {"aud": None},
        "another issuer": {"iss": "https://evil.example"},
        "expired": {"exp": now - 120},
        "without end": {"exp": None},
        "not yet": {"nbf": now + 600},
    }
    for why, given in wrong.items():
        refused = ask("ilse", **given).get("/v1/documents")
        assert refused.status_code == 401, (why, refused.text)
        assert refused.headers["www-authenticate"] == "Bearer"
    assert ask("mallory").get("/v1/documents").status_code == 403
    unsigned = token_of(provider, "ilse").split(".")
    client = ask("ilse")
    client.headers["authorization"] = f"Bearer eyJhbGciOiJub25lIn0.{unsigned[1]}."
    assert client.get("/v1/documents").status_code == 401


def test_new_keys_are_fetched_but_not_for_everyone_who_asks(provider):
    moment = [time.time()]
    tokens = SignedTokens(AccessSettings(issuer=provider.address, audience="rag"), clock=lambda: moment[0])
    assert tokens.person(token_of(provider, "ilse"))[0].id == "user:ilse@example.org"
    old, provider.key = provider.key, RSAKey.generate_key(2048, {"kid": "9", "use": "sig"})
    try:
        renewed = token_of(provider, "ilse", header={"kid": "9"})
        with pytest.raises(SignInExpired):
            tokens.person(renewed)  # fetched a moment ago
        moment[0] += 31
        assert tokens.person(renewed)[0].name == "ilse@example.org"
    finally:
        provider.key = old


def test_an_issuer_that_is_another_or_silent_is_said(provider):
    with pytest.raises(AccessDenied, match="cannot be had"):
        tokens = SignedTokens(AccessSettings(issuer=f"{provider.address}/", audience="rag"))
        tokens.person(token_of(provider, "ilse"))
    for wrong in ({"issuer": "https://a.example"}, {"issuer": "http://a.example", "audience": "rag"}):
        with pytest.raises(ValueError, match="expected"):
            AccessSettings(**wrong)


def test_pages_of_named_origins_may_ask(workspace, tiny_embedder):
    with (workspace.settings.home / "rag.toml").open("a") as file:
        file.write('\n[http]\norigins = ["https://portal.example.org"]\n')
    client = TestClient(application(opened(workspace.settings.home, tiny_embedder)))
    sent = "authorization, mcp-protocol-version"
    asked = {"access-control-request-method": "POST", "access-control-request-headers": sent}
    allowed = client.options("/v1/ask", headers={"origin": "https://portal.example.org", **asked})
    assert allowed.status_code == 200
    assert allowed.headers["access-control-allow-origin"] == "https://portal.example.org"
    refused = client.get("/v1/search", headers={"origin": "https://portal.example.org"})
    assert refused.status_code == 401 and "etag" in refused.headers["access-control-expose-headers"]
    other = client.options("/v1/ask", headers={"origin": "https://evil.example", **asked})
    assert other.status_code == 400 and "access-control-allow-origin" not in other.headers


def test_a_silent_issuer_is_not_asked_again_by_everybody_who_sends_something():
    moment, asked = [time.time()], []
    tokens = SignedTokens(AccessSettings(issuer="http://127.0.0.1:9", audience="rag"), clock=lambda: moment[0])
    keys = tokens._keys
    fetch, keys._document = keys._document, lambda url: asked.append(url) or fetch(url)
    sent = jwt.encode({"alg": "RS256", "kid": "1"}, {}, RSAKey.generate_key(2048))
    for seconds in (0, 1, 28, 3):
        moment[0] += seconds
        with pytest.raises(IssuerSilent, match="cannot be had") as silent:
            tokens.person(sent)
        assert silent.value.seconds == {0: 30, 1: 29, 28: 1, 3: 30}[seconds]
    assert len(asked) == 2  # the second, half a minute after the first


def test_who_holds_a_token_while_the_issuer_is_silent_is_told_when_to_come_back(workspace, provider, tiny_embedder):
    served = opened(workspace.settings.home, tiny_embedder)
    access = served.settings.access.model_copy(update={"issuer": "http://127.0.0.1:9"})
    served.settings = served.settings.model_copy(update={"access": access})
    headers = {"authorization": f"Bearer {token_of(provider, 'ilse')}"}
    with TestClient(application(served), headers=headers) as client:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        answers = [client.get("/v1/documents"), client.get("/v1/models"), client.post("/mcp", json=asked)]
    for answer in answers:
        assert answer.status_code == 503 and 1 <= int(answer.headers["retry-after"]) <= 30, answer.text
        assert "Send it again in" in answer.text and "127.0.0.1:9" not in answer.text


def test_a_token_for_metrics_alone_reads_nothing(workspace, provider, tiny_embedder):
    served = opened(workspace.settings.home, tiny_embedder)
    served.settings = served.settings.model_copy(
        update={"access": served.settings.access.model_copy(update={"admins": ("group:board",)})}
    )
    app = application(served)
    for name, found in (("ilse", [200, 403]), ("edda", [403, 403])):
        headers = {"authorization": f"Bearer {token_of(provider, name, scope='metrics')}"}
        assert [
            TestClient(app, headers=headers).get(path).status_code for path in ("/metrics", "/v1/documents")
        ] == found
