"""Whatever way somebody is shown a passage, the audit has it, once, under their name."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from mcp import Client
from starlette.testclient import TestClient

from rag_platform import python_api
from rag_platform.api.access import Caller
from rag_platform.api.application import application
from rag_platform.api.mcp.server import WorkspaceServer
from rag_platform.cli import run
from rag_platform.core.hits import Filters
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.erasure import forget as forgetting
from rag_platform.erasure.targets import recognise
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.sync import sync
from rag_platform.provenance.openings import open_document
from rag_platform.provenance.why import why
from rag_platform.terminal.session import Session
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.fixed_gate import FixedGate

QUESTION = "When does the ferry run?"


@pytest.fixture
def workspace(tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    for name, principals in (("open", "*"), ("closed", "user:ilse")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text(f"# Ferry\n\nThe {name} ferry runs from six until dusk.")
        with (tmp_path / "rag.toml").open("a") as file:
            file.write(f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\nmin_words = 1\n')
            file.write(f'principals = ["{principals}"]\n')
    opened = open_workspace(tmp_path)
    opened.embedder = tiny_embedder
    sync(opened, gate=FixedGate(opened))
    assert opened.audit.events() == []  # what a sync asks is nobody's
    return opened


def last(workspace: Workspace):
    """Return who, through what, what, and how many documents, of the only event since."""
    (event,) = workspace.audit.events()
    documents = {hit["doc_id"] for hit in event.shown["hits"]}
    return event.who["name"], event.who["interface"], event.kind, len(documents)


def test_a_search_and_an_answer_of_a_program(workspace: Workspace) -> None:
    workspace.retriever.search(QUESTION, who="user:ilse", filters=Filters(principals=("user:ilse",)))
    (event,) = workspace.audit.events()
    assert (event.kind, event.question, event.who["principals"]) == ("search", QUESTION, ["user:ilse"])
    assert len({hit["doc_id"] for hit in event.shown["hits"]}) == 2
    hit = workspace.retriever.search(QUESTION).hits[0]
    shown = workspace.audit.events()[0].shown["hits"][0]
    assert (shown["chunk_id"], shown["revision"], shown["raw_sha256"]) == (hit.chunk_id, hit.revision, hit.raw_sha256)
    answer = workspace.answerer.ask(QUESTION, who="user:ilse")
    event, *_ = workspace.audit.events()
    assert (event.kind, event.receipt, event.version) == ("answer", answer.receipt_id, answer.version)
    assert [one["span"] for one in event.shown["cited"]] == [list(one.span) for one in answer.citations]
    assert len(workspace.audit.events()) == 3  # the search of an answer is the answer's


def test_the_api(workspace: Workspace) -> None:
    token = Tokens(workspace.journal).create("robot")
    client = TestClient(application(workspace), headers={"authorization": f"Bearer {token}"})
    for call in (
        lambda: client.get("/v1/search", params={"q": QUESTION}),
        lambda: client.post("/v1/ask", json={"question": QUESTION}),
        lambda: client.get("/v1/why", params={"q": QUESTION, "uri": "open/a.md"}),
    ):
        before = len(workspace.audit.events())
        assert call().status_code == 200
        events = workspace.audit.events()
        assert len(events) == before + 1
        assert (events[0].who["name"], events[0].who["interface"]) == ("token:robot", "api")
    assert client.get("/v1/audit").status_code == 403


def test_agents(workspace: Workspace) -> None:
    caller = Caller("robot", "token:robot", (), frozenset({"read", "ask"}))
    server = WorkspaceServer(workspace.reached_by("mcp"), lambda _: caller, feedback=False).server()
    kinds = []

    async def asked() -> None:
        async with Client(server) as client:
            for name, given in (
                ("search", {"query": QUESTION}),
                ("ask", {"question": QUESTION}),
                ("why", {"question": QUESTION, "document": "open/a.md"}),
                ("fetch", {"id": "open/a.md"}),
            ):
                assert not (await client.call_tool(name, given)).is_error
                kinds.append(workspace.audit.events()[0])
            assert (await client.call_tool("fetch", {"id": "closed/a.md"})).is_error

    asyncio.run(asked())
    assert [event.kind for event in kinds] == ["search", "answer", "search", "open"]
    assert {(event.who["name"], event.who["interface"]) for event in kinds} == {("token:robot", "mcp")}
    assert workspace.audit.events()[0].refused and len(workspace.audit.events()) == 5


def test_the_terminal_chat_and_openings(workspace: Workspace) -> None:
    session = Session(workspace, principals=())
    *_, answer = session.ask(QUESTION)
    assert last(workspace)[1:3] == ("chat", "answer")
    ilse = workspace.retriever_of(None).search(QUESTION, filters=Filters(principals=("user:ilse",)))
    closed = next(hit.doc_id for hit in ilse.hits if hit.source == "closed")
    assert session.document(answer.hits[0]) is not None
    assert workspace.audit.events()[0].kind == "open" and not workspace.audit.events()[0].refused
    assert open_document(workspace, closed, (), who="visitor:1") is None
    event = workspace.audit.events()[0]
    assert event.refused and event.shown["hits"][0]["doc_id"] == closed and event.who["name"] == "visitor:1"


def test_why_as_of_and_the_python_api(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    why(workspace, QUESTION, "open/a.md")
    assert last(workspace)[1:3] == ("python", "search")
    workspace.retriever.as_of(workspace.versions.live_id()).search(QUESTION)
    workspace.answerer_as_of(workspace.versions.live_id()).ask(QUESTION)
    assert len(workspace.audit.events()) == 3
    monkeypatch.setattr(python_api, "_workspace", lambda _: workspace)
    python_api.search(QUESTION)
    python_api.ask(QUESTION)
    assert [event.kind for event in workspace.audit.events()[:2]] == ["answer", "search"]
    workspace.evaluator_of(workspace.versions.live_id()).ask(QUESTION)
    workspace.suggestions.starters((), 3) if hasattr(workspace.suggestions, "starters") else None
    assert len(workspace.audit.events()) == 5


def test_the_command_line(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def rag(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["rag", "--home", str(workspace.settings.home), *words])
        assert run() == 0
        return capsys.readouterr().out

    rag("search", QUESTION, "--mode", "lexical")
    assert last(workspace)[1:3] == ("cli", "search")
    assert "ferry run?" in rag("audit", "list") and "0 of them erased" in rag("audit", "verify")
    assert len(rag("audit", "export", "--format", "csv").splitlines()) == 2
    assert workspace.audit.events()[0].kind == "export"


def test_forgetting_reaches_the_audit_and_the_chain_holds(workspace: Workspace) -> None:
    workspace.answerer.ask(QUESTION, asker="user:ilse", filters=Filters(principals=("user:ilse",)))
    workspace.answerer.ask("What of the ferry?", asker="user:otto")
    report = forgetting.forget(workspace, recognise(workspace, "user:ilse"))
    assert report["proven"] and report["removed"]["answers"]["audit"] == 1
    assert workspace.audit.events(who="user:ilse") == [] and workspace.audit.verify().problems == ()
    assert len(workspace.audit.events(who="user:otto")) == 1
    forgetting.forget(workspace, recognise(workspace, "open/a.md"))
    assert all(event.question is None for event in workspace.audit.events())
    assert workspace.audit.verify().problems == ()


def test_an_answer_is_given_when_nothing_can_be_recorded(workspace: Workspace) -> None:
    workspace.retriever.search(QUESTION)
    path = workspace.audit.path
    with sqlite3.connect(path) as connection:
        connection.execute("drop table events")
    assert "not written to the audit" in " ".join(workspace.retriever.search(QUESTION).warnings)
    assert "not written to the audit" in " ".join(workspace.answerer.ask(QUESTION).warnings)
