"""Two servers over one workspace, with app data in PostgreSQL: what one does, the other knows at once."""

import os
import shutil
import socket
import uuid

import httpx
import pytest

from rag_platform.core.errors import WorkspaceBusy
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline import stage_reports
from rag_platform.pipeline.stages import Pipeline
from rag_platform.pipeline.sync import sync
from tests.api.published import QUESTION, opened, publish
from tests.app.browsing import in_browser, page_over, tab_of
from tests.pipeline.fixed_gate import FixedGate

pytestmark = pytest.mark.scale


@pytest.fixture
def home(tmp_path, postgres, embedder):
    pytest.importorskip("psycopg")
    schema = f"several{uuid.uuid4().hex[:12]}"
    scale = f'[scale]\ndatabase = "{postgres}"\nschema_name = "{schema}"\n[access]\nquestions_per_minute = 3\n'
    publish(tmp_path, embedder, scale)
    return tmp_path


def test_what_one_server_does_the_other_knows_at_once(home, serve, embedder):
    workspace = opened(home, embedder)
    token = Tokens(workspace.journal).create("crew", ["read", "ask"], ["user:ann"])
    with serve(home) as first, serve(home) as second:
        headers = {"authorization": f"Bearer {token}"}
        one, other = (httpx.Client(base_url=base, headers=headers, timeout=120) for base in (first, second))
        with one, other:
            chat = one.post("/v1/chats", json={"title": "The ferry"}).json()["id"]
            said = one.post(f"/v1/chats/{chat}/messages", json={"question": QUESTION}).json()
            read = other.get(f"/v1/chats/{chat}").json()
            assert "receipt_id" in said, said
            assert [message["content"] for message in read["messages"]] == [QUESTION, said["answer"]]
            assert other.get(f"/v1/receipts/{said['receipt_id']}").status_code == 200

            assert other.post("/v1/ask", json={"question": QUESTION}).status_code == 200
            assert one.post("/v1/ask", json={"question": QUESTION}).status_code == 200
            statuses = [client.post("/v1/ask", json={"question": QUESTION}).status_code for client in (one, other)]
            assert statuses == [429, 429], "three questions a minute, whoever answers them"

            (home / "notes" / "a.md").write_text("# Of notes\n\nThe ferry runs from seven until dusk.\n")
            assert sync(workspace, gate=FixedGate(workspace)).moved and workspace.versions.live_id() != said["version"]
            for client in (one, other):
                while (found := client.get("/v1/search", params={"q": "ferry"}).json())["version"] == said["version"]:
                    assert any("six" in hit["snippet"] for hit in found["hits"]), "until then the one before answers"
                assert found["version"] == workspace.versions.live_id()

            Tokens(workspace.journal).revoke("crew")
            assert [client.get("/v1/chats").status_code for client in (one, other)] == [401, 401]
    assert not (home / "data" / "app.sqlite").exists()


def test_a_machine_that_syncs_keeps_another_from_the_source_and_is_named(home, embedder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copyfile(home / "rag.toml", elsewhere / "rag.toml")
    shutil.copytree(home / "notes", elsewhere / "notes")
    one, other = opened(home, embedder), opened(elsewhere, embedder)
    told = f"process {os.getpid()} on {socket.gethostname()} is writing 'notes'"
    with one.store.lock("notes"), pytest.raises(WorkspaceBusy, match=told):
        stage_reports.fetch(Pipeline(other), "notes", stage_reports.FetchOptions())
    assert stage_reports.fetch(Pipeline(other), "notes", stage_reports.FetchOptions())


@pytest.mark.browser
@in_browser[1]
def test_the_page_of_one_process_shows_what_another_wrote_and_the_other_way_round(home, embedder, browser):
    elsewhere = opened(home, embedder)
    elsewhere.chats.begin("Begun elsewhere")
    with page_over(home) as address, tab_of(browser, address) as tab:
        tab.get_by_text("Begun elsewhere").first.wait_for()
        box = tab.get_by_placeholder("Ask about your documents")
        box.fill(QUESTION)
        box.press("Enter")
        tab.locator(".answer", has_text="six").wait_for()
        (receipt,) = elsewhere.journal.receipts(-1)
        assert receipt.question == QUESTION
        assert {chat.title for chat in elsewhere.chats.of()} == {"Begun elsewhere", QUESTION}
    assert not (home / "data" / "app.sqlite").exists()
