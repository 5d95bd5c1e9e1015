"""A client that `openapi-python-client` generates from the API's description, and what it can do over loopback."""

import importlib
import json
import pkgutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from rag_platform.people.tokens import Tokens
from tests.api.openai.conftest import listening
from tests.api.published import QUESTION, publish

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
BYTES = dict.fromkeys(("image/webp", WORD), "application/octet-stream")
CONFIG = {
    "content_type_overrides": BYTES | {"application/atom+xml": "text/plain", "text/csv": "text/plain"},
    "post_hooks": [],
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory, tiny_embedder):
    """Serve a workspace, and generate and import a client of it."""
    pytest.importorskip("openapi_python_client")
    folder = tmp_path_factory.mktemp("generated")
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (home := folder / "home").mkdir()
    workspace = publish(home, tiny_embedder)
    token = Tokens(workspace.journal).create("ci", ["ask", "edit"])
    with listening(workspace) as address:
        root = address.removesuffix("/v1")
        options = ("--url", f"{root}/openapi.json", "--config", "config.json", "--meta", "none", "--fail-on-warning")
        command = [sys.executable, "-m", "openapi_python_client", "generate", *options]
        ran = subprocess.run(
            [*command, "--output-path", "ragged_client"], check=False, cwd=folder, capture_output=True, text=True
        )
        assert ran.returncode == 0 and "WARNING" not in ran.stdout, ran.stdout + ran.stderr
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(folder)
            package = importlib.import_module("ragged_client")
            yield SimpleNamespace(package=package, address=root, token=token)


def _module(name):
    return importlib.import_module(f"ragged_client.{name}")


@pytest.fixture(scope="module")
def client(generated):
    with generated.package.AuthenticatedClient(base_url=generated.address, token=generated.token) as client:
        yield client


def test_all_of_it_can_be_imported(generated):
    names = [one.name for one in pkgutil.walk_packages(generated.package.__path__, "ragged_client.")]
    operations = [name for name in names if name.startswith("ragged_client.api.") and name.count(".") == 3]
    assert len(operations) >= 106
    for name in names:
        importlib.import_module(name)


def test_it_searches_and_asks(client):
    found = _module("api.search_and_ask.search").sync(client=client, q="ferry")
    assert {hit.source: "six until dusk" in hit.text for hit in found.hits} == {"notes": True, "teaching": False}
    of_both = _module("api.search_and_ask.search").sync(client=client, q="ferry", source=["notes", "teaching"])
    assert len(of_both.hits) == len(found.hits) == 2
    question = _module("models").AskRequest(question=QUESTION)
    answer = _module("api.search_and_ask.ask").sync(client=client, body=question)
    assert "six until dusk" in answer.answer and answer.citations[0].title == "Of notes"
    receipt = _module("api.receipts.show_receipt").sync(id=answer.receipt_id, client=client)
    assert receipt.question == QUESTION


def test_it_keeps_a_chat_and_gets_the_bytes_of_a_document(client):
    models = _module("models")
    chat = _module("api.chats.begin_chat").sync(client=client, body=models.ChatTitle(title="Ferries"))
    asked = models.ChatQuestion(question=QUESTION)
    assert _module("api.chats.ask_in_chat").sync(id=chat.id, client=client, body=asked).citations
    read = _module("api.chats.read_chat").sync(id=chat.id, client=client)
    assert [one.role for one in read.messages] == ["user", "assistant"]
    listed = _module("api.documents.list_documents").sync(client=client, source=["notes"])
    original = _module("api.documents.read_original").sync(id=listed.documents[0].doc_id, client=client)
    assert b"# Of notes" in original.payload.read()


def test_what_is_wrong_is_a_document_of_its_own(client):
    told = _module("api.versions.list_versions").sync(client=client)
    assert isinstance(told, _module("models").ProblemDocument) and told.status == 403
    assert "scope 'admin'" in told.expected
