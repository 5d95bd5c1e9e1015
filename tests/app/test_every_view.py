"""Every view over real documents and over none, in a real browser: light and dark, on a desk and on a phone."""

import os
import re
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import polars as pl
import pytest

from app.documents.address import TABS
from app.navigation import VIEWS
from app.rendering import place
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.sharing import Sharer
from rag_platform.operations.grids.filling import fill_waiting
from rag_platform.operations.grids.grid_making import documents_found, make_grid
from rag_platform.operations.watching.looking import look_first
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import open_workspace
from tests.app.browsing import ROOT, in_browser, page_over, settled, tab_of
from tests.app.first_minutes import empty_workspace
from tests.app.looking import LOOKS, looks_at, wrong
from tests.app.real import CHANGED, QUESTIONS, make_workspace

DATA = os.environ.get("RAG_SHARED_DATA")
pytestmark = [*in_browser, pytest.mark.skipif(not DATA, reason="RAG_SHARED_DATA names no folder of test data")]

ALWAYS = {
    "ask": "/",
    "search": "/search",
    "document-gone": "/document?doc=none",
    "watches": "/watches",
    "grids": "/grids",
    "new-grid": "/grids?new=1",
    "assistants": "/assistants",
    "new-assistant": "/assistants?edit=new",
    "new-template": "/assistants?template=new",
    "collections": "/collections",
    "sources": "/collections?show=sources",
    "add": "/collections?show=sources&add=feed",
    "add-any": "/collections?add=git",
    "quality": "/quality?part=overview",
    "versions": "/quality?part=versions",
    "compare": "/quality?part=compare",
    "report": "/quality?part=report",
    "questions": "/quality?part=questions",
    "proposed": "/quality?part=proposed",
    "new-question": "/quality?part=edit",
    "feedback": "/quality?part=feedback",
    "operate": "/operate?part=now",
    "sources-health": "/operate?part=sources",
    "asked": "/operate?part=asked",
    "holding": "/operate?part=holding",
    "costs": "/operate?part=costs",
    "review": "/operate?part=review",
    "decided": "/operate?part=decided",
    "audit": "/operate?part=audit",
    "people": "/admin?part=people",
    "reading": "/admin?part=reading",
    "tokens": "/admin?part=tokens",
    "limits": "/admin?part=limits",
    "servers": "/admin?part=servers",
    "backups": "/admin?part=backups",
}
"""Addresses that every workspace has."""
ADDRESSES = ALWAYS | {
    "chat": "/?{chat}",
    "chat-more": "/?{chat}",
    "beside": "/?{chat}",
    "side-by-side": "/?{chat}",
    "shared": "/?{shared}",
    "assistant": "/?{assistant}",
    "within": "/?{within}",
    "found": "/search?{asked}",
    "why": "/search?{asked}&why=" + CHANGED,
    "document": "/document?{passage}",
    "original": "/document?{passage}&tab=original",
    "about": "/document?{passage}&tab=about",
    "history": "/document?{passage}&tab=history",
    "revisions": "/document?{changed}&tab=history",
    "older": "/document?{changed}&{first}",
    "passages": "/document?{passage}&tab=passages",
    "cited": "/document?{passage}&tab=cited",
    "pdf": "/document?{pdf}",
    "watch": "/watches?{watch}",
    "grid": "/grids?{grid}",
    "cell": "/grids?{grid}&{cell}",
    "column": "/grids?{grid}&{column}",
    "row": "/grids?{grid}&{row}",
    "grid-settings": "/grids?{grid}",
    "grid-export": "/grids?{grid}",
    "grid-documents": "/grids?{grid}",
    "new-grid-found": "/grids?new=1&find=energy",
    "own-assistant": "/assistants?{own}",
    "collection": "/collections?collection=physics-first-year",
    "source": "/collections?source=proposals",
    "change": "/collections?change=proposals",
    "missing": "/collections?{missing}",
    "compared": "/quality?part=compare&{compared}",
    "report": "/quality?part=report&{version}",
    "question": "/quality?part=edit&id=q0",
}
"""Of each view of a workspace with documents; what stands in braces is of the workspace."""


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
    documents = workspace.retriever.live().documents()
    pdf, changed = (documents.filter(pl.col("uri").str.ends_with(end))["doc_id"][0] for end in (".pdf", CHANGED))
    hit = workspace.retriever.search(QUESTIONS[0], k=1).hits[0]
    chat = chat_of(workspace)
    workspace.assistants.put("", "Energy", Assistant(about="What the reports say", starters=QUESTIONS[:2]))
    (assistant,) = workspace.assistants.of([""])
    watch = workspace.watches.begin("", QUESTIONS[0], datetime.now(UTC))
    assert look_first(workspace, watch) == []
    workspace.access.rules.join("group:auditors", ["user:ilse", "group:staff"], who="test", why="They asked for it")
    Tokens(workspace.journal).create("robot", principals=["group:auditors"], who="test")
    unanswered = workspace.answerer.ask("Who won the football cup in 1954?")
    assert unanswered.abstained
    first, live = workspace.versions.moves()[0]["version"], workspace.versions.live_id()
    queries = {
        **grid_of(workspace),
        "chat": {"chat": chat},
        "shared": {"shared": workspace.chats.share(chat)},
        "assistant": {"assistant": assistant.id},
        "own": {"edit": assistant.id},
        "within": {"collection": "physics-first-year", "document": hit.doc_id},
        "watch": {"watch": watch},
        "asked": {"q": QUESTIONS[1]},
        "pdf": {"doc": pdf},
        "changed": {"doc": changed},
        "passage": place(hit.doc_id, hit.span),
        "version": {"version": live},
        "first": {"version": first},
        "compared": {"a": first, "b": live},
        "missing": {"missing": workspace.journal.record(unanswered, mode="rerank")},
    }
    return {name: urlencode(query) for name, query in queries.items()}


def chat_of(workspace):
    """The chat, in a folder, whose last question has two answers, one of which somebody found wrong."""
    (chat,) = workspace.chats.of()
    workspace.folders.move(chat.id, "Reading")
    asked, said = workspace.chats.messages(chat.id)[-2:]
    again = workspace.answerer.ask(asked.content)
    anew = workspace.chats.say(chat.id, "assistant", again.answer, again.receipt_id, after=asked.id)
    workspace.branches.show(chat.id, anew)
    workspace.feedback.give(said.receipt_id, good=False, comment="It is another one.", reason="wrong")
    return chat.id


def grid_of(workspace):
    """What names a grid of what a search finds, filled, and within it an answer, a question and a document."""
    found = documents_found(workspace, QUESTIONS[0], Filters(), 6, None)
    asked = [(question, "") for question in QUESTIONS[:3]]
    grid = make_grid(workspace, Sharer("", (), "test"), "What they say", asked, found)
    workspace.grid_cells.want(grid, "", (), datetime.now(UTC))
    fill_waiting(workspace, grid)
    column, row = workspace.grids.columns(grid)[0].id, workspace.grids.rows(grid)[0]
    return {
        "grid": {"grid": grid},
        "cell": {"cell": f"{column}.{row}"},
        "column": {"column": column},
        "row": {"row": row},
    }


def opens(name, tab):
    tab.get_by_role("button", name=name, exact=True).click()
    tab.locator("[role=dialog], [data-testid=stPopoverBody]").first.wait_for()


def opens_beside(tab):
    tab.locator("a.cite").first.click()
    tab.frame_locator("aside.beside iframe").locator("mark#cited").wait_for()


BEFORE = {
    "beside": opens_beside,
    "side-by-side": partial(opens, "Side by side"),
    "chat-more": partial(opens, "More"),
    "grid-settings": partial(opens, "Settings"),
    "grid-export": partial(opens, "Export"),
    "grid-documents": partial(opens, "Add documents"),
}
"""What is done in some views before one looks."""


@pytest.mark.parametrize("view", ADDRESSES)
def test_a_view_shows_no_trouble_can_be_used_by_everyone_and_fits(browser, address, known, view):
    looks = looks_at([*ADDRESSES].index(view))
    scheme, size = looks[0]  # as it is opened; it changes under one's eyes to the others
    with tab_of(browser, address + ADDRESSES[view].format(**known), color_scheme=scheme, viewport=size) as tab:
        BEFORE.get(view, settled)(tab)
        assert [one for look in looks for one in wrong(tab, view, look)] == []


def test_every_view_of_an_empty_workspace_is_whole_too(browser, tmp_path):
    found = []
    with page_over(empty_workspace(tmp_path)) as address, tab_of(browser, address) as tab:
        for number, (view, there) in enumerate(ALWAYS.items()):
            settled(tab)
            tab.evaluate("(there) => window.followLinks(new URL(there, location.origin))", there)
            found += wrong(tab, f"empty-{view}", LOOKS[number % len(LOOKS)])
    assert found == []


def test_each_view_is_looked_at_and_each_part_of_one():
    named = "\n".join(ADDRESSES.values())
    there = [f"/{name}" for name in VIEWS if name != "ask"] + [f"&tab={tab}" for tab in TABS[1:]]
    for view in ("quality", "operate", "admin"):
        parts = re.findall(r'"(\w+)": show_', (ROOT / "app" / "views" / f"{view}.py").read_text())
        there += [f"/{view}?part={part}" for part in parts]
    assert len(there) > 30 and [one for one in there if one not in named] == []
