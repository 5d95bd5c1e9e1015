"""A page's own name goes from the file to the citation."""

from rag_platform.answering.citations.citing import cite
from rag_platform.core.hits import page_name
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.documents.formats.pdf.test_annotations import pdf_of

TOML = '[[sources]]\nid = "books"\nkind = "folder"\npath = "books"\ninclude = ["*.pdf"]'


def test_a_citation_names_the_page_as_its_book_does(tmp_path, tiny_embedder):
    (tmp_path / "books").mkdir()
    labels = "/PageLabels << /Nums [0 << /S /r /St 4 >>] >>"
    (tmp_path / "books" / "preface.pdf").write_bytes(pdf_of("The herons nest in the reeds.", labels))
    (tmp_path / "books" / "plain.pdf").write_bytes(pdf_of("The gauge is calibrated every spring."))
    (tmp_path / "rag.toml").write_text(TOML)
    workspace = open_workspace(tmp_path)
    workspace.embedder = tiny_embedder
    pipeline = Pipeline(workspace)
    pipeline.sync_source("books")
    workspace.versions.promote(pipeline.build().version, why="test")
    found = {hit.uri: hit for hit in workspace.retriever.search("herons in the reeds", mode="lexical").hits}
    found |= {hit.uri: hit for hit in workspace.retriever.search("the gauge", mode="lexical").hits}
    named = {uri: (hit.page, hit.page_label, cite(hit, (0, 3)).page_label) for uri, hit in found.items()}
    assert named == {"books/preface.pdf": (1, "iv", "iv"), "books/plain.pdf": (1, None, None)}


def test_a_page_without_a_name_is_called_by_its_number():
    assert [page_name(*of) for of in ((1, "iv"), (3, None), (None, None))] == ["iv", "3", ""]
