"""Grids over real publications: each cell an answer from its document alone, asked once, as their owner may read."""

import csv
import io
import threading

import pytest

from rag_platform.access.decisions import Target
from rag_platform.core.errors import NotFound, RuleRefused, SettingsError
from rag_platform.core.hits import Filters
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.operations.asking.sharing import Sharer
from rag_platform.operations.grids import filling
from rag_platform.operations.grids.cell_text import cell_text
from rag_platform.operations.grids.filling import BRIEF, begin_filling, fill_waiting, keep_filling
from rag_platform.operations.grids.grid_csv import grid_csv, harmless
from rag_platform.operations.grids.grid_making import change_grid, documents_found, documents_in, make_grid, newcomers
from rag_platform.operations.grids.grid_view import record_shown, shown_grid
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import open_workspace
from tests.chat_server import END, ROLE, chunk, refusal
from tests.operations.grids.conftest import BOARD, ILSE
from tests.pipeline.fixed_gate import FixedGate

RENT, NOTICE = "What is the monthly rent?", "With what notice may the tenant end the lease?"
BOTH = (ILSE, BOARD)


def documents(workspace, principals=BOTH):
    return documents_in(workspace, Filters(principals=principals))


def grid_of(workspace, *questions, principals=BOTH, **options):
    sharer = Sharer(ILSE, principals, ILSE)
    asked = [(one, "") for one in questions or (RENT, NOTICE)]
    grid_id = make_grid(workspace, sharer, "Leases", asked, documents(workspace, principals), **options)
    return workspace.grids.find(grid_id, {ILSE})


def fill(workspace, grid, principals=BOTH):
    """Fill it here, and not in the background."""
    workspace.grid_cells.want(grid.id, ILSE, principals, filling.datetime.now(filling.UTC))
    fill_waiting(workspace, grid.id)
    return shown_grid(workspace, workspace.grids.find(grid.id, {ILSE}), principals)


def told(shown):
    """What stands in each cell: by the document's title the answers, in the order of the columns."""
    return {
        row.title.removeprefix("Lease of the "): [
            cell_text(cell.receipt).short if cell.receipt and cell.state == "answered" else cell.state
            for column in shown.columns
            for cell in (shown.cells[column.id, row.doc_id],)
        ]
        for row in shown.rows
    }


def receipts(workspace):
    return len(workspace.journal.receipts(-1))


def reopened(workspace, settings):
    """The workspace with further settings."""
    home, embedder = workspace.settings.home, workspace.embedder
    with (home / "rag.toml").open("a") as file:
        file.write(settings)
    opened = open_workspace(home)
    opened.embedder = embedder
    return opened


def write(workspace, name, text):
    (workspace.settings.home / "open" / f"{name}.md").write_text(f"# Lease of the {name}\n\n{text}\n")
    assert sync(workspace, gate=FixedGate(workspace)).moved


def test_each_cell_is_an_answer_from_its_document_alone_with_receipt_and_citations(workspace):
    grid = grid_of(workspace)
    before = shown_grid(workspace, grid, BOTH)
    assert (before.count, before.missing, before.answered, before.seconds) == (3, 6, 0, None)
    shown = fill(workspace, grid)
    said = told(shown)
    assert "1,250" in said["harbour"][0] and "980" in said["mill"][0] and "7,400" in said["palace"][0]
    assert "three months" in said["harbour"][1] and "nine months" in said["palace"][1]
    assert said["mill"][1] == "nothing", "no answer in this document"
    assert (shown.missing, shown.stale, shown.answered, shown.grid.filling) == (0, 0, 6, False)
    for (_, doc_id), cell in shown.cells.items():
        assert {hit["doc_id"] for hit in cell.receipt.hits} <= {doc_id} and cell.receipt.principal == ILSE
        assert all(one.doc_id == doc_id for one in cell.receipt.citations)
        assert cell.state == "nothing" or cell.receipt.citations
    shown_to = workspace.audit.events(who=ILSE)
    assert len(shown_to) == 6 and all(one.kind == "answer" and one.receipt for one in shown_to)
    assert workspace.unanswered.asked(30) == [], "that one document has no answer is no gap of the corpus"


def test_only_what_is_missing_or_changed_is_asked(workspace):
    grid = grid_of(workspace)
    fill(workspace, grid)
    asked = receipts(workspace)
    assert fill(workspace, grid).missing == 0 and receipts(workspace) == asked
    write(workspace, "mill", "The monthly rent is 1,010 crowns, for the roof was mended.")
    shown = shown_grid(workspace, grid, BOTH)
    stale = {doc_id for (_, doc_id), cell in shown.cells.items() if cell.stale}
    assert [row.title for row in shown.rows if row.doc_id in stale] == ["Lease of the mill"]
    assert (shown.missing, shown.stale) == (0, 2)
    assert "980" in told(shown)["mill"][0], "what was answered stays to be read until it is asked again"
    assert shown.seconds > 0
    assert "1,010" in told(fill(workspace, grid))["mill"][0] and receipts(workspace) == asked + 2
    column = workspace.grids.columns(grid.id)[1]
    workspace.grids.change_column(grid.id, ILSE, column.id, "Who shares the garden?")
    assert shown_grid(workspace, grid, BOTH).missing == 3
    fill(workspace, grid)
    assert receipts(workspace) == asked + 5


def test_a_row_whose_document_may_be_read_no_more_is_withheld_and_not_asked(workspace):
    grid = grid_of(workspace)
    fill(workspace, grid)
    (palace,) = set(documents(workspace)) - set(documents(workspace, (ILSE,)))
    workspace.access.rules.set(Target("document", palace), deny=["*"], who="user:ada", why="closed")
    shown = shown_grid(workspace, grid, BOTH)
    assert (shown.count, shown.withheld) == (2, 1) and "palace" not in str(shown.rows) + str(shown.cells)
    assert "7,400" not in grid_csv(shown, quotes=True).decode()
    asked = receipts(workspace)
    workspace.grids.add_column(grid.id, ILSE, "What is the deposit?")
    assert fill(workspace, grid).count == 2 and receipts(workspace) == asked + 2
    workspace.access.rules.remove(Target("document", palace), who="user:ada", why="opened")
    assert shown_grid(workspace, grid, BOTH).count == 3


def test_a_reader_sees_the_rows_that_they_may_read_and_nothing_of_the_others(workspace):
    with pytest.raises(RuleRefused, match="groups that you are in"):
        grid_of(workspace, readers=["user:bo"])
    assert workspace.grids.of({ILSE}) == [], "a grid that is refused is not half made"
    grid = grid_of(workspace)
    fill(workspace, grid)
    change_grid(workspace, grid, Sharer(ILSE, BOTH, ILSE, editor=True), "Rents", readers=["user:bo"])
    found = workspace.grids.find(grid.id, {"user:bo"})
    shown = shown_grid(workspace, found, ("user:bo",))
    assert sorted(told(shown)) == ["harbour", "mill"] and shown.withheld == 1 and found.name == "Rents"
    assert workspace.audit.events(limit=1)[0].shown["readers"] == ["user:bo"]


def test_a_document_that_is_published_no_more_keeps_its_answers_and_is_asked_nothing(workspace):
    grid = grid_of(workspace)
    fill(workspace, grid)
    (workspace.settings.home / "open" / "mill.md").unlink()
    write(workspace, "harbour", "The monthly rent is 1,300 crowns.")
    workspace.grids.add_column(grid.id, ILSE, "What is the deposit?")
    shown = shown_grid(workspace, grid, BOTH)
    (mill,) = (row for row in shown.rows if not row.live)
    assert "980" in told(shown)[mill.title.removeprefix("Lease of the ")][0] and shown.missing == 2


def test_what_is_asked_goes_on_in_the_background_until_it_is_stopped(workspace, monkeypatch):
    grid, go, asked = grid_of(workspace), threading.Event(), threading.Semaphore(0)
    ask = filling._cell

    def waiting(*given):
        asked.release()
        assert go.wait(60)
        return ask(*given)

    monkeypatch.setattr(filling, "_cell", waiting)
    begin_filling(workspace, grid.id, ILSE, BOTH)
    assert asked.acquire(timeout=60)
    (thread,) = filling._THREADS
    begin_filling(workspace, grid.id, ILSE, BOTH)  # in another tab: nothing is asked twice
    workspace.grid_cells.stop(grid.id, ILSE)
    go.set()
    thread.join(60)
    assert receipts(workspace) == 1 and shown_grid(workspace, grid, BOTH).missing == 5
    workspace.grid_cells.want(grid.id, ILSE, BOTH, filling.datetime.now(filling.UTC))  # by a process that was killed
    ended = keep_filling(workspace)
    while workspace.grids.find(grid.id, {ILSE}).filling:
        asked.acquire(timeout=0.1)
    ended.set()
    assert shown_grid(workspace, grid, BOTH).missing == 0 and receipts(workspace) == 6


def test_no_more_is_asked_within_a_minute_than_one_may(workspace):
    workspace = reopened(workspace, "[access]\ngrid_answers_per_minute = 4\n")
    grid, waited = grid_of(workspace), []

    def wait(seconds):
        waited.append(seconds)
        workspace.grid_cells.stop(grid.id, ILSE)

    workspace.grid_cells.want(grid.id, ILSE, BOTH, filling.datetime.now(filling.UTC))
    fill_waiting(workspace, grid.id, wait=wait)
    assert receipts(workspace) == 4 and len(waited) == 1 and 0 < waited[0] <= 5


def test_a_model_is_told_to_be_brief_and_what_was_written_without_it_is_stale(workspace, server):
    workspace = reopened(workspace, f'[generator]\nname = "tiny"\nbase_url = "{server.address}"\n')
    server.script = [[ROLE, chunk("1,250 crowns [1]"), *END]]
    grid = grid_of(workspace, RENT, principals=(ILSE,))
    shown = fill(workspace, grid, (ILSE,))
    assert told(shown)["harbour"] == ["1,250 crowns"] and (shown.missing, shown.stale) == (0, 0)
    assert BRIEF in str(server.requests)
    server.script = [refusal(400, "no")]
    write(workspace, "harbour", "The monthly rent is 1,300 crowns.")
    shown = fill(workspace, grid, (ILSE,))
    assert "1,300" in told(shown)["harbour"][0] and shown.stale == 1, "it is asked again when the server is back"


def test_a_grid_is_made_of_a_search_and_offers_what_came_since(workspace):
    found = documents_found(workspace, "lease of the mill", Filters(principals=BOTH), 1, ILSE)
    assert len(found) == 1 and found[0] in documents(workspace)
    with pytest.raises(NotFound, match="no document"):
        documents_in(workspace, Filters(documents=("nowhere",)))
    with pytest.raises(SettingsError, match="no generator 'none'"):
        grid_of(workspace, generator="none")
    grid_id = make_grid(
        workspace, Sharer(ILSE, BOTH, ILSE), "Mine", [(RENT, "")], found, collections=("open", "closed")
    )
    grid = workspace.grids.find(grid_id, {ILSE})
    assert len(newcomers(workspace, grid, BOTH)) == 2 and len(newcomers(workspace, grid, (ILSE,))) == 1
    (palace,) = set(documents(workspace)) - set(documents(workspace, (ILSE,)))
    workspace.grids.add_rows(grid_id, ILSE, [palace])
    workspace.grids.leave_out(grid_id, ILSE, palace)
    assert palace not in newcomers(workspace, grid, BOTH)


def test_a_file_of_a_grid_holds_answers_quotes_and_addresses_and_no_formula(workspace):
    write(workspace, "mill", 'The monthly rent is 980 crowns. The garden is "shared", they say.')
    grid = grid_of(workspace, RENT, '=HYPERLINK("http://evil.example";"rent")')
    shown = fill(workspace, grid)
    plain, quoted = (
        list(csv.reader(io.StringIO(grid_csv(shown, quotes=quotes).decode("utf-8-sig")))) for quotes in (False, True)
    )
    assert plain[0][:3] == ["Document", "Address", RENT] and plain[0][3].startswith("'=HYPERLINK")
    assert len(quoted[0]) == 6 and quoted[0][3] == f"{RENT}: quotes"
    (mill,) = (row for row in quoted if "mill" in row[0])
    assert "980" in mill[2] and "The monthly rent is 980 crowns." in mill[3] and mill[1] in mill[3]
    assert [harmless(one) for one in ("=1", "+1", " -1", "@a", "\t=1", "＝1", "1-2")] == [
        *("'=1", "'+1", "'-1", "'@a", "'=1", "'＝1", "1-2")
    ]
    record_shown(workspace, shown, BOTH, ILSE, "export")
    event = workspace.audit.events(limit=1)[0]
    assert event.kind == "export" and {hit["doc_id"] for hit in event.shown["hits"]} == {*documents(workspace)}


def test_what_is_forgotten_is_in_no_grid(workspace, everything_in):
    grid = grid_of(workspace)
    fill(workspace, grid)
    (palace,) = set(documents(workspace)) - set(documents(workspace, (ILSE,)))
    report = forget(workspace, recognise(workspace, palace))
    assert report["proven"]
    assert palace not in workspace.grids.rows(grid.id)
    assert palace not in {doc_id for _, doc_id in workspace.grid_cells.of(grid.id)}
    assert "7,400" not in everything_in(workspace.journal._database)
    assert forget(workspace, recognise(workspace, ILSE))["proven"]
    assert workspace.grids.of({ILSE}) == []
