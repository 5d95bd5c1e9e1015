"""The figures beside what an answer cites: those of its pages and those that it names, for who may read them."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from rag_platform.core.errors import ExtractionError
from rag_platform.core.hits import Filters
from rag_platform.pipeline.sync import sync
from rag_platform.provenance import cited_figures as module
from rag_platform.provenance.cited_figures import cited_figures, draw_figure
from rag_platform.provenance.cited_text import cited_state
from tests.api.published import opened, publish
from tests.figured_report import BESIDE, HOSTILE, MILL, NAMES, OTHER, figured_report
from tests.pictured_files import Picture, pictured
from tests.pipeline.fixed_gate import FixedGate

BOARD = ("group:board",)
RUNS = "The turbine below the weir runs since the spring and feeds the pumps of the waterworks."
TURBINE = "Figure 7: The turbine of the waterworks."


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    """Wages that only the board reads, among them a report with figures; notes that everybody reads."""
    home = tmp_path_factory.mktemp("figures")
    publish(home, tiny_embedder)
    (home / "pay" / "report.pdf").write_bytes(figured_report())
    (home / "pay" / "turbine.docx").write_bytes(pictured("docx", (RUNS, Picture("red"), TURBINE, Picture("green"))))
    workspace = opened(home, tiny_embedder)
    assert sync(workspace, gate=FixedGate(workspace)).moved
    return workspace


@pytest.fixture(scope="module")
def receipt(workspace):
    """Of an answer to the board that cites one passage of the report."""
    said = workspace.answerer.ask(BESIDE, filters=Filters(principals=BOARD))
    return workspace.journal.receipt(said.receipt_id)


def citing(workspace, receipt, *quotes, name=".pdf"):
    """Return the receipt as if the answer quoted these of the report, or of another file."""
    one = next(cited for cited in receipt.citations if cited.uri.endswith(name))
    document = workspace.versions.live().catalog.document(one.doc_id, BOARD)
    cited = []
    for n, quote in enumerate(quotes, 1):
        start = document.text.index(quote)
        page = sum(begin <= start for begin in document.pages) or None
        cited.append(replace(one, n=n, quote=quote, span=(start, start + len(quote)), page=page))
    return replace(receipt, citations=tuple(cited))


def said(figures):
    return [(one.citation.n, one.page, one.caption) for one in figures]


def test_the_figure_of_a_cited_page_is_beside_it_and_a_table_is_none(workspace, receipt):
    found = cited_figures(workspace, citing(workspace, receipt, BESIDE, OTHER, BESIDE), BOARD)
    assert said(found) == [(1, 2, HOSTILE), (2, 3, MILL)]  # the chart, which the second names too, once
    assert cited_figures(workspace, citing(workspace, receipt, "Wages of the keepers"), BOARD) == ()


def test_a_figure_that_a_quote_names_is_found_on_another_page(workspace, receipt):
    assert said(cited_figures(workspace, citing(workspace, receipt, NAMES), BOARD)) == [(1, 2, HOSTILE)]


def test_who_may_not_read_the_document_finds_none(workspace, receipt):
    assert cited_figures(workspace, citing(workspace, receipt, BESIDE), ("everyone",)) == ()


def test_a_text_that_is_no_longer_the_cited_one_has_none(workspace, receipt):
    cited = citing(workspace, receipt, BESIDE)
    changed = replace(cited, hits=tuple(hit | {"revision": "another"} for hit in cited.hits))
    assert cited_figures(workspace, changed, BOARD) == ()


def test_there_are_no_more_than_so_many(workspace, receipt, monkeypatch):
    monkeypatch.setattr(module, "MOST", 1)
    assert said(cited_figures(workspace, citing(workspace, receipt, OTHER, BESIDE), BOARD)) == [(1, 2, HOSTILE)]


def test_a_document_that_is_not_drawn_has_none_and_is_not_opened(workspace, monkeypatch):
    answer = workspace.answerer.ask("When does the ferry run?")
    receipt = workspace.journal.receipt(answer.receipt_id)
    assert receipt.citations
    monkeypatch.setattr(module, "cited_state", lambda *_: pytest.fail("a document without pages was opened"))
    assert cited_figures(workspace, receipt, BOARD) == ()


def test_a_figure_is_drawn_from_the_bytes_that_the_platform_holds(workspace, receipt):
    cited = citing(workspace, receipt, BESIDE)
    (figure,) = cited_figures(workspace, cited, BOARD)
    standing = cited_state(workspace, cited, figure.citation.doc_id, BOARD)
    drawn = draw_figure(workspace, standing, figure)
    with Image.open(io.BytesIO(drawn.picture)) as shown:
        assert shown.format == "WEBP" and shown.size == (drawn.width, drawn.height)
    assert drawn.width > drawn.height


def test_a_figure_of_a_file_without_pages_is_the_picture_that_lies_in_it(workspace):
    asked = workspace.answerer.ask("Since when does the turbine run?", filters=Filters(principals=BOARD))
    cited = citing(workspace, workspace.journal.receipt(asked.receipt_id), RUNS, name=".docx")
    (figure,) = cited_figures(workspace, cited, BOARD)
    assert (figure.page, figure.caption) == (None, TURBINE)
    drawn = draw_figure(workspace, cited_state(workspace, cited, figure.citation.doc_id, BOARD), figure)
    with Image.open(io.BytesIO(drawn.picture)) as shown:
        red, green, _ = shown.convert("RGB").getpixel((20, 15))
    assert red > 200 > green
    assert cited_figures(workspace, cited, ("everyone",)) == ()


def test_what_only_calls_itself_a_pdf_is_not_drawn(workspace, receipt, monkeypatch):
    cited = citing(workspace, receipt, BESIDE)
    (figure,) = cited_figures(workspace, cited, BOARD)
    standing = cited_state(workspace, cited, figure.citation.doc_id, BOARD)
    monkeypatch.setattr(type(workspace.store.blobs), "get", lambda *_: b"<script>no PDF</script>")
    with pytest.raises(ExtractionError, match="expected a PDF or an image"):
        draw_figure(workspace, standing, figure)


def test_an_image_that_is_cited_is_itself_the_figure(workspace, receipt, monkeypatch):
    monkeypatch.setattr(module, "drawn_kind", lambda _: "image")
    cited = citing(workspace, receipt, BESIDE)
    (figure,) = cited_figures(workspace, cited, BOARD)
    assert (figure.page, figure.caption, figure.span) == (2, "", cited.citations[0].span)
