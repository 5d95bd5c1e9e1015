"""Every view over real documents, in a real browser: light, dark and on a phone, and nothing goes wrong in it.

With RAG_SCREENSHOTS=folder, what is seen is kept there as pictures.
"""

import os
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import polars as pl
import pytest

from app.rendering import place
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.sharing import Sharer
from rag_platform.operations.grids.filling import fill_waiting
from rag_platform.operations.grids.grid_making import documents_found, make_grid
from rag_platform.operations.grids.grid_view import shown_grid
from rag_platform.operations.watching.looking import look_first
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.workspace import open_workspace
from tests.app.browsing import fits, in_browser, page_over, settled, tab_of, violations
from tests.app.real import QUESTIONS, make_workspace

DATA = os.environ.get("RAG_SHARED_DATA")
pytestmark = [*in_browser, pytest.mark.skipif(not DATA, reason="RAG_SHARED_DATA names no folder of test data")]

DESK, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
ADDRESSES = {
    "ask": "/",
    "chat": "/?{chat}",
    "shared": "/?{shared}",
    "assistant": "/?{assistant}",
    "search": "/search?{asked}",
    "document": "/document?{passage}",
    "original": "/document?{passage}&tab=original",
    "about": "/document?{passage}&tab=about",
    "history": "/document?{passage}&tab=history",
    "revisions": "/document?{changed}&tab=history",
    "older": "/document?{changed}&version={first}",
    "passages": "/document?{passage}&tab=passages",
    "cited": "/document?{passage}&tab=cited",
    "pdf": "/document?{pdf}",
    "watches": "/watches",
    "watch": "/watches?{watch}",
    "grids": "/grids",
    "grid": "/grids?{grid}",
    "cell": "/grids?{cell}",
    "new-grid": "/grids?new=1&find=energy",
    "assistants": "/assistants",
    "new-assistant": "/assistants?edit=new",
    "collections": "/collections",
    "collection": "/collections?collection=physics-first-year",
    "sources": "/collections?show=sources",
    "source": "/collections?source=proposals",
    "change": "/collections?change=proposals",
    "missing": "/collections?missing={missing}",
    "add": "/collections?show=sources&add=feed",
    "quality": "/quality",
    "versions": "/quality?part=versions",
    "report": "/quality?part=report&version={live}",
    "compare": "/quality?part=compare&a={first}&b={live}",
    "questions": "/quality?part=questions",
    "proposed": "/quality?part=proposed",
    "question": "/quality?part=edit",
    "feedback": "/quality?part=feedback",
    "operate": "/operate",
    "sources-health": "/operate?part=sources",
    "asked": "/operate?part=asked",
    "holding": "/operate?part=holding",
    "costs": "/operate?part=costs",
    "review": "/operate?part=review",
    "decided": "/operate?part=decided",
    "audit": "/operate?part=audit",
    "people": "/admin",
    "reading": "/admin?part=reading",
    "tokens": "/admin?part=tokens",
    "limits": "/admin?part=limits",
    "servers": "/admin?part=servers",
    "backups": "/admin?part=backups",
    "add-any": "/collections?add=git",
}
"""Of each view; what stands in braces is of the workspace."""


@pytest.fixture(scope="module")
def home(tmp_path_factory, model_folder):
    """A workspace of real documents."""
    return make_workspace(tmp_path_factory.mktemp("real") / "home", Path(DATA))


@pytest.fixture(scope="module")
def address(home):
    """The page over it."""
    with page_over(home) as running:
        yield running


@pytest.fixture(scope="module")
def known(home):
    """What the addresses name, as queries."""
    return named_in(open_workspace(home))


def named_in(workspace):
    """What the addresses name in a workspace of real documents, as queries; what is not there yet is made."""
    pdf, changed = (
        workspace.retriever.live().documents().filter(pl.col("uri").str.ends_with(ending))["doc_id"][0]
        for ending in (".pdf", min((workspace.settings.home / "proposals").iterdir()).name)
    )
    hit = workspace.retriever.search(QUESTIONS[0], k=1).hits[0]
    (chat,) = workspace.chats.of()
    workspace.assistants.put("", "Energy", Assistant(about="What the reports say", starters=QUESTIONS[:2]))
    (assistant,) = workspace.assistants.of([""])
    watch = workspace.watches.begin("", QUESTIONS[0], datetime.now(UTC))
    assert look_first(workspace, watch) == []
    unanswered = workspace.answerer.ask("Who won the football cup in 1954?")
    assert unanswered.abstained
    grid = shown_grid(workspace, workspace.grids.find(grid_of(workspace), [""]), ())
    queries = {
        "grid": {"grid": grid.grid.id},
        "cell": {"grid": grid.grid.id, "cell": f"{grid.columns[0].id}.{grid.rows[0].doc_id}"},
        "changed": {"doc": changed},
        "chat": {"chat": chat.id},
        "shared": {"shared": workspace.chats.share(chat.id)},
        "assistant": {"assistant": assistant.id},
        "watch": {"watch": watch},
        "asked": {"q": QUESTIONS[1]},
        "pdf": {"doc": pdf},
    }
    queries["passage"] = place(hit.doc_id, hit.span)
    versions = {"first": workspace.versions.moves()[0]["version"], "live": workspace.versions.live_id()}
    versions["missing"] = workspace.journal.record(unanswered, mode="rerank")
    return {name: urlencode(query) for name, query in queries.items()} | versions


def grid_of(workspace):
    """A grid of what a search finds, filled."""
    found = documents_found(workspace, QUESTIONS[0], Filters(), 6, None)
    asked = [(question, "") for question in QUESTIONS[:3]]
    grid = make_grid(workspace, Sharer("", (), "test"), "What they say", asked, found)
    workspace.grid_cells.want(grid, "", (), datetime.now(UTC))
    fill_waiting(workspace, grid)
    return grid


@pytest.mark.parametrize("view", ADDRESSES)
def test_a_view_shows_no_trouble_can_be_used_by_everyone_and_fits(browser, address, known, view):
    there = address + ADDRESSES[view].format(**known)
    for scheme in ("light", "dark"):
        with tab_of(browser, there, color_scheme=scheme, viewport=DESK) as tab:
            look(tab, f"{view}-{scheme}")
            if scheme == "light":
                tab.set_viewport_size(PHONE)
                look(tab, f"{view}-phone")


def look(tab, name):
    """Wait until nothing changes any more, and look for what is wrong."""
    settled(tab)
    if folder := os.environ.get("RAG_SCREENSHOTS"):
        tab.screenshot(path=Path(folder) / f"{name}.png")
    assert tab.locator("[data-testid=stException], .unexpected").count() == 0
    assert tab.trouble == []
    assert violations(tab) == []
    assert fits(tab)
