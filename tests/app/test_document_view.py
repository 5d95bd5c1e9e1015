"""The document view without a browser: what it shows, and to whom."""

import io
import re
import zipfile
from dataclasses import replace

import pytest
import streamlit as st
from hypothesis import example, given
from hypothesis import strategies as drawn

from app.changes.differences import difference_html
from app.documents.address import Address, address_of
from app.documents.page_html import WINDOW, page_html, text_html
from app.documents.text import PART, contents_html, document_html, part_of
from rag_platform.core.errors import ExtractionError
from rag_platform.core.ids import document_id
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.index.releases.document_history import document_state, revisions
from rag_platform.pipeline.stages import Pipeline
from rag_platform.provenance.originals import original
from rag_platform.text.outline import outline
from rag_platform.text.text_diff import Line
from rag_platform.text.word_alignment import shown_words, words_of
from rag_platform.workspace import open_workspace
from tests.app.test_rendering import Tags
from tests.app.viewing import html_of, view_of
from tests.documents.formats.pdf.test_annotations import pdf_of

VIEW = "views/document.py"
LEAVE = document_id("handbook", "handbook/leave.md")


@pytest.fixture(autouse=True)
def nothing_remembered():
    """What one test was shown is not kept for the next."""
    st.cache_data.clear()


@pytest.fixture
def page(home, embedder, monkeypatch):
    """The document view over a workspace, at an address."""
    return lambda doc=LEAVE, folder=home, **query: view_of(monkeypatch, embedder, folder, VIEW, doc=doc, **query)


def publish(home):
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.fetch("handbook", allow_mass_delete=True)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    return workspace


def rewrite(home, name, *changes):
    path = home / "docs" / name
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return publish(home)


def read_as(home, *principals):
    named = ", ".join(f'"{principal}"' for principal in principals)
    with (home / "rag.toml").open("a") as settings:
        settings.write(f"[access]\nlocal_principals = [{named}]\n")


# --- the text -----------------------------------------------------------------------------------------


def test_the_text_stands_beside_its_contents_and_its_original(page):
    shown = html_of(page())
    assert '<h2 class="title" dir="auto">Leave policy</h2>' in shown and "published 30 October 2026" in shown
    assert re.search(r'href="document\?doc=\w+&amp;at=\d+" data-to="s-\d+">Paid leave</a>', shown)
    assert 'class="as-is"' in shown and "title: Leave policy" in shown, "front matter is in the original alone"
    assert 'aria-current="page">Text</a>' in shown


def test_a_cited_span_is_marked_in_the_text_and_in_the_original(page, home):
    text = open_workspace(home).retriever.live().document(LEAVE).text
    start = text.index("Employees get 25 days")
    shown = html_of(page(start=start, end=start + len("Employees get 25 days of paid leave per year.")))
    assert '<mark id="cited">Employees get 25 days of paid leave per year.</mark>' in shown
    assert '<mark id="cited-there">Employees get 25 days of paid leave per year</mark>' in shown


def test_a_place_in_the_address_is_gone_to(page, home):
    text = open_workspace(home).retriever.live().document(LEAVE).text
    assert '<span id="here"></span><span class="hashes"' in html_of(page(at=text.index("## Sabbatical")))
    assert 'id="here"' not in html_of(page(at=10**9)) and 'id="here"' not in html_of(page(at="x"))


def test_an_address_is_read_as_it_is_written():
    address = Address("d", "history", 3, 9, "r", "v1", 4, 17, 2, "v1", "v&2")
    query = dict(pair.split("=") for pair in address.href.removeprefix("document?").split("&"))
    assert address_of({**query, "new": "v&2"}) == address and query["new"] == "v%262"
    assert address_of({"doc": "d", "tab": "<b>", "page": "-1", "at": "9" * 13, "part": "0"}) == Address("d")
    assert Address("d").href == "document?doc=d"
    assert "&lt;script&gt;</a>" in Address("d").link("<script>") and "&quot;" in Address('"').link("x", label='"')


def test_parts_of_a_text_lie_one_behind_the_other():
    text = "".join(f"line {n} {'x' * (n % 300)}\n" for n in range(4000)) + "y" * 250_000
    at, seen = 0, []
    while at < len(text):
        start, end = part_of(text, at)
        assert start == at and end > start and end - start <= 1.5 * PART
        assert part_of(text, end - 1) == (start, end)
        seen.append(text[start:end])
        at = end
    assert "".join(seen) == text and part_of("", 0) == (0, 0)


@given(
    drawn.text(drawn.sampled_from("ab<&>\n# "), max_size=40),
    drawn.one_of(drawn.none(), drawn.tuples(drawn.integers(0, 40), drawn.integers(0, 40))),
    drawn.integers(0, 30),
    drawn.one_of(drawn.none(), drawn.integers(0, 40)),
)
@example("<a>&lt;<b>", (3, 7), 0, None)
def test_a_document_is_shown_as_it_is_with_the_span_and_no_other_text_marked(text, span, offset, here):
    part = text[offset:]
    shown = document_html(part, span, [], offset, here)
    assert Tags(shown).text == part
    if span and offset <= span[0] < span[1] <= len(text):
        start, end = (place - offset for place in span)
        pieces = shown.split("<mark")[1:]
        assert "".join(Tags("<mark" + piece.split("</mark>")[0]).text for piece in pieces) == part[start:end]
        assert shown.count('id="cited"') == 1


def test_marks_and_headings_may_cross():
    shown = document_html("# One two\ntext\n", (6, 13), offset=0)
    assert shown == (
        '<span class="hashes" id="s-0"># </span><span class="heading level-1">One </span>'
        '<mark id="cited"><span class="heading level-1">two</span></mark><mark>\ntex</mark>t\n'
    )


def test_pages_are_named_where_they_begin():
    named = [f'<span class="page">Page {n}</span>' for n in (1, 2, 3)]
    assert document_html("one\ntwo\nthree", None, [0, 4, 8]) == f"{named[0]}one\n{named[1]}two\n{named[2]}three"
    assert document_html("two\n", None, [0, 4, 9], offset=4) == f"{named[1]}two\n"


def test_a_table_of_contents_is_bounded_and_escaped():
    text = "# <b>Top</b>\n" + "".join(f"## Part {n}\n### Bit\n" for n in range(40))
    headings, left_out = outline(text, most=50)
    assert (len(headings), left_out) == (41, 40) and {heading.level for heading in headings} == {1, 2}
    assert text[headings[3].start :].startswith("## Part 2")
    assert outline("```\n# no heading\n```\n# one\n")[0][0].title == "one"
    stored = type("Stored", (), {"pages": []})
    assert "&lt;b&gt;Top" in contents_html(headings, left_out, stored, Address("d"))


# --- who may read what ----------------------------------------------------------------------------------


@pytest.fixture
def rewritten(home):
    """Three versions: public, then of a group, then public again; the texts differ."""
    group = "private: true\nowner: group:staff"
    rewrite(home, "leave.md", ("date: 2026-10-30", f"date: 2026-10-30\n{group}"), ("25 days", "27 days"))
    return rewrite(home, "leave.md", (f"\n{group}", ""), ("27 days", "29 days"))


def test_an_earlier_revision_is_shown_only_to_who_might_read_it_then(page, home, rewritten):
    first, second, third = rewritten.versions.ids()
    known = html_of(page(tab="history"))
    assert known.count("<li>") == 2 and second not in known
    compared = html_of(page(tab="history", old=first))
    assert "<mark>25</mark> days" in compared and "<mark>29</mark> days" in compared
    assert "25 days" in html_of(page(version=first)) and "how the document was in version" in html_of(
        page(version=first)
    )
    for tab in ("text", "original", "about", "history", "passages", "cited"):
        refused = page(tab=tab, version=second, old=second, new=third)
        assert "27 days" not in html_of(refused) and refused.warning, tab
    read_as(home, "group:staff")
    assert html_of(page(tab="history")).count("<li>") == 3 and "27 days" in html_of(page(version=second))


def test_what_is_closed_today_is_closed_in_every_tab_and_version(page, home):
    private = ("date: 2026-10-30", "date: 2026-10-30\nprivate: true\nowner: group:staff")
    workspace = rewrite(home, "leave.md", private)
    first = workspace.versions.ids()[0]
    for tab in ("text", "original", "about", "history", "passages", "cited"):
        for version in ({}, {"version": first}):
            shown = page(tab=tab, **version)
            assert "This document is not here" in html_of(shown) and "paid leave" not in html_of(shown).lower()
            assert not shown.get("download_button")
    assert (
        revisions(workspace.versions, LEAVE, ()) == [] and document_state(workspace.versions, LEAVE, (), first) is None
    )


def test_what_was_closed_before_it_went_stays_closed(page, home):
    private = ("date: 2026-10-30", "date: 2026-10-30\nprivate: true\nowner: group:staff")
    rewrite(home, "leave.md", private)
    (home / "docs" / "leave.md").unlink()
    publish(home)
    assert "This document is not here" in html_of(page())
    read_as(home, "group:staff")
    assert "has been removed" in page().warning[0].value


def test_a_version_that_was_never_published_is_nobodys_to_see(page, home):
    (home / "docs" / "draft.md").write_text("# Draft\n\nNobody has decided on these plans for the canteen yet.\n")
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    candidate = pipeline.build().version
    draft = document_id("handbook", "handbook/draft.md")
    assert "This document is not here" in html_of(page(draft))
    assert "This document is not here" in html_of(page(draft, version=candidate))


def test_a_removed_document_keeps_its_original_until_it_is_forgotten(page, home):
    (home / "docs" / "leave.md").unlink()
    workspace = publish(home)
    kept = page(tab="original")
    assert "title: Leave policy" in html_of(kept) and kept.get("download_button")
    forget(workspace, recognise(workspace, "handbook/leave.md"))
    gone = page(tab="original")
    assert "This document is not here" in html_of(gone) and not gone.get("download_button")


# --- originals ------------------------------------------------------------------------------------------


def test_of_an_archive_only_the_documents_own_file_is_given(page, home):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("open.md", "# Open\n\nThe canteen serves soup on every working day.\n")
        archive.writestr("closed.md", "---\nprivate: true\n---\n# Closed\n\nThe safe's number is forty two.\n")
    (home / "docs" / "both.zip").write_bytes(packed.getvalue())
    workspace = publish(home)
    found = document_state(workspace.versions, document_id("handbook", "handbook/both.zip!/open.md"), ())
    given = original(workspace, found)
    assert given.content.startswith(b"# Open") and given.name == "open.md" and b"forty two" not in given.content
    assert "The canteen serves soup" in html_of(page(found.document.doc_id, tab="original"))


def test_a_message_that_may_carry_documents_is_not_given_whole(home):
    (home / "docs" / "note.eml").write_bytes(
        b"From: a@example.org\r\nSubject: Soup\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n"
        b"The canteen serves soup on every working day.\r\n"
    )
    workspace = publish(home)
    found = document_state(workspace.versions, document_id("handbook", "handbook/note.eml"), ())
    with pytest.raises(ExtractionError, match="documents of others"):
        original(workspace, found)


def test_an_original_of_a_kind_that_cannot_be_shown_can_be_downloaded(page, home):
    words = "<w:t>The canteen serves soup on every working day of the year.</w:t>"
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(home / "docs" / "soup.docx", "w") as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        body = f'<w:document xmlns:w="{main}"><w:body><w:p><w:r>{words}</w:r></w:p></w:body></w:document>'
        packed.writestr("word/document.xml", body)
    publish(home)
    shown = page(document_id("handbook", "handbook/soup.docx"), tab="original")
    assert "cannot show this kind of file" in html_of(shown) and "<h3>soup.docx</h3>" in html_of(shown)
    assert len(shown.get("download_button")) == 1


def test_lost_bytes_are_told_and_do_not_end_the_view(page, home):
    workspace = open_workspace(home)
    workspace.store.blobs.path(workspace.retriever.live().document(LEAVE).raw_sha256).unlink()
    shown = page()
    assert "The original cannot be shown" in html_of(shown) and "Employees get 25 days" in html_of(shown)


PAGE = b"""<!doctype html><html><head><title>t</title><style>body{background:url(http://x.example)}</style>
<meta http-equiv=refresh content="0;url=http://x.example"><base href=http://x.example></head><body onload=alert(1)>
<script>alert(1)</script><svg onload=alert(1)><text>svg</text></svg><a href="javascript:alert(1)">go</a>
<a href="http://x.example">out</a><img src=http://x.example/a.png alt="A chart" onerror=alert(1)>
<form action=http://x.example><input name=a><button>send</button></form><iframe src=http://x.example></iframe>
<p style="position:fixed" id=cited class=x>Prices <b>rose by four</b> percent &amp; more in the year 2024.</p>
<img src="data:image/svg+xml;base64,PHN2Zz4=" alt="odd"><img src="data:image/png;base64,iVBORw0K" alt="dot">
\xe2\x80\xaetxt.exe</body></html>"""


def test_a_page_is_shown_without_anything_that_acts_or_leads_away():
    shown, found = page_html(PAGE, "utf-8", words_of("prices rose by four percent & more"))
    body = shown.partition("<body>")[2]
    assert found and "default-src 'none'" in shown.partition("<style>")[0]
    for absent in ("script", "svg", "href", "http", "onload", "onerror", "style", "form", "input", "button", "iframe"):
        assert absent not in body.lower().replace("data:image/svg", ""), absent
    assert "svg+xml" not in body and "\u202e" not in body and "go" in body and 'alt="A chart"' in body
    assert 'src="data:image/png;base64,iVBORw0K"' in body
    assert '<mark id="cited">Prices </mark>' in body.replace("Prices</mark> ", "Prices </mark>")
    assert "<b><mark>rose by four</mark></b>" in body and body.count('id="cited"') == 1


def test_a_text_is_shown_as_it_is_and_what_is_invisible_is_named():
    shown, found = text_html(
        "a <b> \u202edcba\u200b four words stand here".encode(), None, words_of("four words stand")
    )
    assert shown.startswith('a &lt;b&gt; <span class="sign">U+202E</span>dcba<span class="sign">U+200B</span>')
    assert found and '<mark id="cited-there">four words stand</mark> here' in shown
    long = "x " * WINDOW + "four words stand here" + " y" * WINDOW
    shown, found = text_html(long.encode(), None, words_of("four words stand"))
    assert found and "four words stand</mark>" in shown and len(shown) < WINDOW + 100 and shown.startswith("…")


def test_the_words_of_a_link_are_those_one_sees():
    assert shown_words('see [the **plan**](https://x.example/a_(b) "title") now') == ["see", "the", "plan", "now"]


# --- history, passages, answers -------------------------------------------------------------------------


def test_any_two_revisions_are_compared_word_by_word(page, home):
    rewrite(home, "leave.md", ("25 days", "<i>26</i> days"))
    shown = html_of(page(tab="history"))
    assert "Compare with the one before" in shown and "One place changed: one line removed, one line added." in shown
    assert "get <mark>25</mark> days" in shown and "&lt;" in shown and "<i>" not in shown
    rewrite(home, "leave.md", ("<i>26</i> days", "30 days"))
    test = page(tab="history")
    assert [box.label for box in test.selectbox] == ["From", "To"]
    oldest = test.selectbox[0].options[-1]
    test.selectbox[0].select(oldest).run()
    assert "get <mark>25</mark> days" in html_of(test) and "get <mark>30</mark> days" in html_of(test)


def test_what_was_cited_can_be_read_as_it_was(page, home):
    before = open_workspace(home).retriever.live().document(LEAVE)
    workspace = rewrite(home, "leave.md", ("25 days", "26 days"))
    test = page(rev=before.revision)
    first = workspace.versions.ids()[0]
    assert "has changed since it was cited" in test.warning[0].value and f"version={first}" in html_of(test)
    assert "25 days" in html_of(page(rev=before.revision, version=first))
    assert not page(rev=before.revision, version=first).warning


def test_a_long_difference_is_cut():
    lines = [Line("new", (("x" * 5000, False),), None, n) for n in range(500)]
    shown = difference_html(lines)
    assert "… and 100 more lines" in shown and len(shown) < 400 * 2200


def test_passages_stand_as_they_were_cut_and_lead_to_their_place(page, home):
    catalog = open_workspace(home).retriever.live().catalog
    chunks = catalog.chunks_of(LEAVE)
    shown = html_of(page(tab="passages"))
    assert shown.count("<li value=") == chunks.height == catalog.chunk_count(LEAVE)
    last = chunks.row(-1, named=True)
    assert f"start={last['start']}&amp;end={last['end']}" in shown and "Sabbatical" in shown
    marked = html_of(page(start=last["start"], end=last["end"]))
    assert 'id="cited"' in marked and catalog.chunks_of(LEAVE, 1, 1)["ordinal"].to_list() == [1]


def test_everyone_sees_their_own_answers_and_admins_the_number_of_others(page, home):
    workspace = open_workspace(home)
    ask = "How many days of paid leave do employees get?"
    mine = workspace.answerer.ask(ask)
    chat = workspace.chats.begin(ask)
    workspace.chats.say(chat, "assistant", mine.answer, mine.receipt_id)
    theirs = replace(mine, question="What did the others ask?")
    workspace.journal.record(theirs, mode="rerank", principal="user:other")
    shown = html_of(page(tab="cited"))
    assert ask in shown and f"?chat={chat}" in shown and "25 days of paid leave" in shown
    assert "What did the others ask?" not in shown and "One answer to somebody else cites it." in shown
    with (home / "rag.toml").open("a") as settings:
        settings.write('[access]\nlocal_role = "reader"\n')
    shown = html_of(page(tab="cited"))
    assert ask in shown and "somebody else" not in shown


def test_all_that_is_known_is_told(page, home):
    shown = html_of(page(tab="about"))
    document = open_workspace(home).retriever.live().document(LEAVE)
    for value in (document.raw_sha256, document.revision, "handbook/leave.md", "30 October 2026", "markdown"):
        assert value in shown


def test_a_drawn_page_is_called_what_its_document_calls_it(page, home):
    labels = "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /St 3 >>] >>"
    (home / "docs" / "book.pdf").write_bytes(pdf_of("The herons nest in the reeds by the old weir.", labels, pages=3))
    publish(home)
    book = document_id("handbook", "handbook/book.pdf")
    assert "of 3 · page ii" in html_of(page(book, tab="original", page="2"))
    assert "·" not in html_of(page(book, tab="original", page="3")).partition("of 3")[2][:20]
