"""Agents with an identity provider's token, and how a client finds that provider."""

import json
import re

import pytest
from fastapi.testclient import TestClient

from rag_platform.api.application import application
from tests.api.published import publish
from tests.api.test_signed_tokens import PEOPLE, token_of
from tests.app.identity_provider import identity_provider

ACCEPT = {"accept": "application/json, text/event-stream"}
LISTING = {"jsonrpc": "2.0", "id": 1, "method": "resources/list"}


@pytest.fixture(scope="module")
def provider():
    with identity_provider(PEOPLE) as server:
        yield server


@pytest.fixture(scope="module")
def client(tmp_path_factory, tiny_embedder, provider):
    settings = f'[access]\nissuer = "{provider.address}"\naudience = "rag"\n'
    made = publish(tmp_path_factory.mktemp("signed"), tiny_embedder, settings)
    with TestClient(application(made)) as connected:
        yield connected


def listed(client, token):
    answer = client.post("/mcp", json=LISTING, headers=ACCEPT | {"authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    said = json.loads(re.search(r"^data: (.*)$", answer.text, re.MULTILINE)[1])
    return {one["name"].split("/")[0] for one in said["result"]["resources"]}


def test_an_agent_reads_as_the_person_whose_token_it_has(client, provider):
    assert "pay" in listed(client, token_of(provider, "ilse"))
    assert "pay" not in listed(client, token_of(provider, "edda"))


def test_a_client_without_a_token_is_led_to_the_provider(client, provider):
    refused = client.post("/mcp", json=LISTING, headers=ACCEPT)
    assert refused.status_code == 401
    address = re.fullmatch(r'Bearer resource_metadata="(.*)"', refused.headers["www-authenticate"])[1]
    told = client.get(address).json()
    assert told["authorization_servers"] == [provider.address]
    assert told["resource"] == "http://testserver/mcp" and told["scopes_supported"] == ["read", "ask"]


def test_without_a_provider_there_is_none_to_be_led_to(tmp_path, tiny_embedder):
    workspace = publish(tmp_path, tiny_embedder)
    refused = TestClient(application(workspace)).get("/.well-known/oauth-protected-resource/mcp")
    assert refused.status_code == 404
