"""A published workspace to which many kinds of caller speak."""

import re
from pathlib import Path

import httpx
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.fixed_gate import FixedGate

SETTINGS = """
[retrieval]
mode = "lexical"
[[sources]]
id = "notes"
kind = "folder"
path = "notes"
collection = "handbook"
min_words = 1
[[sources]]
id = "pay"
kind = "folder"
path = "pay"
collection = "wages"
min_words = 1
principals = ["group:board"]
[[sources]]
id = "teaching"
kind = "upload"
min_words = 1
"""
TEXTS = {"notes": "The ferry runs from six until dusk.", "pay": "The ferry warden earns nine crowns."}
QUESTION = "When does the ferry run?"


def publish(home: Path, embedder: OnnxEmbedder, settings: str = "") -> Workspace:
    """Make a workspace with a live version: public notes, wages for the board, a collection of uploads.

    `settings` are further ones of its rag.toml.
    """
    (home / "rag.toml").write_text(SETTINGS + settings)
    for name, text in TEXTS.items():
        (home / name).mkdir()
        (home / name / "a.md").write_text(f"# Of {name}\n\n{text}\n")
    made = opened(home, embedder)
    uploads = made.collections()
    uploads.create("Physics")
    uploads.add("physics", "waves.md", [b"# Waves\n\nThe ferry makes waves of half a metre.\n"])
    assert sync(made, gate=FixedGate(made)).moved
    return made


def opened(home: Path, embedder: OnnxEmbedder) -> Workspace:
    """Open a workspace with this model."""
    workspace = open_workspace(home)
    workspace.embedder = embedder
    return workspace


def client_of(workspace: Workspace, *scopes: str, principals: tuple[str, ...] = (), **limits: object) -> TestClient:
    """Return the client of a new token with these scopes."""
    tokens = Tokens(workspace.journal)
    token = tokens.create(f"of-{len(tokens.list())}", scopes or ("read", "ask"), principals, **limits)
    app = application(workspace)
    client = TestClient(app, headers={"authorization": f"Bearer {token}"})
    client.event_hooks = {"response": [Described(app.openapi())]}
    return client


class Described:
    """Fails where an answer is not as the OpenAPI document describes it."""

    def __init__(self, document: dict) -> None:
        self.document = document
        self.paths = {re.compile(re.sub(r"{\w+}", "[^/]+", path)): path for path in document["paths"]}

    def __call__(self, response: httpx.Response) -> None:
        """Check an answer."""
        path = next((one for form, one in self.paths.items() if form.fullmatch(response.request.url.path)), None)
        operation = self.document["paths"].get(path, {}).get(response.request.method.lower())
        kind = response.headers.get("content-type", "").partition(";")[0]
        if operation is None or "json" not in kind or response.status_code == 304:
            return
        described = operation["responses"].get(str(response.status_code), operation["responses"]["default"])
        assert kind in described.get("content", {}), (path, response.status_code, kind, described)
        response.read()
        schema = described["content"][kind]["schema"] | {"components": self.document["components"]}
        Draft202012Validator(schema).validate(response.json())
