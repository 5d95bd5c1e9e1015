"""The document view in a real browser: the cited place in text and original, tabs, the way back, a very long PDF."""

import re

import polars as pl
import pytest

from rag_platform.core.ids import digest, document_id
from rag_platform.documents.formats.page_layout.markdown_output import joined
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.browsing import expect, fits, in_browser, page_over, tab_of, violations

pytestmark = in_browser

PAGES = 10_000
"""As many as documents.max_pages lets a PDF have."""
LEDGER, RIVERS, NOTES = (
    document_id("library", f"library/{name}") for name in ("ledger.pdf", "rivers.html", "notes.md")
)
PAGE = f"""<!doctype html><html><head><title>Rivers</title><style>p{{position:fixed}}</style></head>
<body><script>parent.owned=1</script><h1>Rivers</h1>{"<p>Nothing happened on that day.</p>" * 120}
<p>The river <b>rose by forty</b> centimetres in the night of the storm.</p><img src="http://evil.example/p.png">
<a href="http://evil.example/">Read on</a></body></html>"""


def line(number):
    return f"Sheet {number % 40}: the account was found in order and signed by its keeper."


def pdf(pages):
    """A PDF with a line of text on each page, written by hand: a library would take longer than the test."""
    kids = " ".join(f"{5 + n} 0 R" for n in range(pages))
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {pages}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Font<</F 3 0 R>>>>",
    ]
    for n in range(pages):
        look = f"/Resources 4 0 R/Contents {5 + pages + n % 40} 0 R"
        parts.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]{look}>>".encode())
    for n in range(40):
        drawn = f"BT /F 12 Tf 72 760 Td ({line(n)}) Tj ET".encode()
        parts.append(b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn))
    written, places = b"%PDF-1.4\n", []
    chunks = [written]
    at = len(written)
    for number, part in enumerate(parts, 1):
        places.append(at)
        chunks.append(b"%d 0 obj\n%s\nendobj\n" % (number, part))
        at += len(chunks[-1])
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(parts) + 1, at)
    return b"".join(chunks) + b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1) + table + end


@pytest.fixture(scope="module")
def home(tmp_path_factory, model_folder):
    """A page, notes with an earlier revision, and a PDF as long as one may be."""
    home = tmp_path_factory.mktemp("library")
    (home / "docs").mkdir()
    (home / "rag.toml").write_text('[[sources]]\nid = "library"\nkind = "folder"\npath = "docs"\n')
    (home / "docs" / "ledger.pdf").write_bytes(pdf(1))
    (home / "docs" / "rivers.html").write_text(PAGE)
    chapters = "".join(f"## Chapter {n}\n\n{'The keeper wrote down what he saw. ' * 40}\n\n" for n in range(30))
    (home / "docs" / "notes.md").write_text(f"# Notes\n\n{chapters}")
    pipeline = Pipeline(workspace := open_workspace(home))
    pipeline.sync_source("library")
    workspace.versions.promote(pipeline.build().version, "test")
    (home / "docs" / "notes.md").write_text(f"# Notes\n\n{chapters.replace('he saw', 'she saw', 1)}")
    pipeline.sync_source("library")
    (home / "docs" / "ledger.pdf").write_bytes(pdf(PAGES))
    put_in(pipeline, workspace.store)
    workspace.versions.promote(pipeline.build().version, "test")
    return home


def put_in(pipeline, store):
    """Bring the long PDF through the stages; what its reader makes of it in half a minute is put in at once."""
    pipeline.fetch("library")
    (sha256,) = store.read("raw", "library").filter(pl.col("uri") == "library/ledger.pdf")["sha256"]
    lines = [line(number) for number in range(PAGES)]
    text, starts = joined(lines)
    table = store.read("documents", "library")
    read = {"text": text, "pages": starts, "raw_sha256": sha256, "revision": digest("text", text)}
    rows = [row | read if row["doc_id"] == LEDGER else row for row in table.to_dicts()]
    store.write("documents", "library", pl.DataFrame(rows, schema=table.schema))
    pipeline.chunk("library")
    pipeline.embed("library")


@pytest.fixture(scope="module")
def live(home):
    """The version that is live."""
    return open_workspace(home).retriever.live()


@pytest.fixture(scope="module")
def address(home):
    """The address of the document view."""
    with page_over(home) as running:
        yield f"{running}/document"


@pytest.fixture
def tab(browser, address):
    """A wide tab."""
    with tab_of(browser, f"{address}?doc={NOTES}", viewport={"width": 1440, "height": 900}) as page:
        page.locator("nav.tabs").wait_for()
        yield page
        assert page.trouble == []


def visible(tab, selector):
    """Wait until something is within the window."""
    tab.wait_for_function(
        "(it) => { const at = document.querySelector(it)?.getBoundingClientRect();"
        " return at && at.top >= 0 && at.bottom <= innerHeight }",
        arg=selector,
    )


def test_a_cited_place_is_shown_in_the_text_and_in_the_page_it_is_from(tab, address, live):
    start = live.document(RIVERS).text.index("The river")
    end = live.document(RIVERS).text.index("storm.") + len("storm.")
    tab.goto(f"{address}?doc={RIVERS}&start={start}&end={end}")
    visible(tab, "mark#cited")
    shown = tab.wait_for_selector(".sandboxed iframe").content_frame()
    expect(shown.locator("mark#cited")).to_be_in_viewport()  # the frame is scrolled to it
    shown.wait_for_load_state()
    assert " ".join(shown.locator("mark").all_inner_texts()).startswith("The river rose by forty")
    assert tab.locator(".sandboxed iframe").get_attribute("sandbox") == ""
    assert shown.locator("script, a, img[src], [style]").count() == 0 and tab.evaluate("window.owned") is None
    assert violations(tab) == []


def test_tabs_are_in_the_address_and_the_way_back_works(tab, live):
    for label, part in (("History", ".diff"), ("Passages", "ol.passages"), ("About", ".about-document")):
        tab.locator("nav.tabs a", has_text=label).click()
        tab.locator(part).first.wait_for()
        expect(tab).to_have_url(re.compile(f"tab={label.lower()}"))
        assert violations(tab) == []
    tab.go_back()
    tab.locator("ol.passages").wait_for()
    expect(tab.locator("ol.passages .name").first).to_contain_text("Chapter")
    tab.get_by_label("Show passage 20 in the text").click()
    visible(tab, "mark#cited")
    chunk = live.catalog.chunks_of(NOTES, 19, 1).row(0, named=True)
    expect(tab).to_have_url(re.compile(f"start={chunk['start']}"))
    tab.go_back()
    tab.locator("ol.passages").wait_for()


def test_contents_lead_to_their_place(tab):
    tab.locator(".contents.wide-only a", has_text="Chapter 29").wait_for()
    expect(tab.locator(".contents.wide-only a")).to_have_count(31)
    tab.locator(".contents.wide-only a", has_text="Chapter 27").click()
    tab.wait_for_function("document.querySelectorAll('.hashes')[28].getBoundingClientRect().top < 300")
    expect(tab).to_have_url(re.compile("at="))
    assert tab.locator(".contents.narrow-only").is_hidden()


def test_an_original_is_downloaded_as_it_was_fetched(tab, address, home):
    tab.goto(f"{address}?doc={RIVERS}&tab=original")
    with tab.expect_download() as begun:
        tab.get_by_role("button", name="Download").click()
    assert begun.value.suggested_filename == "rivers.html"
    assert begun.value.path().read_bytes() == (home / "docs" / "rivers.html").read_bytes()


def test_a_pdf_of_ten_thousand_pages_is_read_page_by_page(tab, address, live):
    document = live.document(LEDGER)
    start = document.pages[7_000]
    tab.goto(f"{address}?doc={LEDGER}&start={start}&end={start + len(line(7_000))}")
    tab.locator('.sheet img[alt^="Page 7,001 of 10,000"]').wait_for()
    expect(tab.locator(".sheet .box")).to_have_count(1)
    visible(tab, "mark#cited")
    assert len(tab.locator(".document").inner_text()) < 200_000
    tab.get_by_role("spinbutton", name="Page").fill("9999")
    tab.keyboard.press("Enter")
    tab.locator('.sheet img[alt^="Page 9,999 of 10,000"]').wait_for()
    visible(tab, "#here")
    expect(tab).to_have_url(re.compile("page=9999"))
    assert violations(tab) == []
    tab.go_back()
    tab.locator('.sheet img[alt^="Page 7,001 of 10,000"]').wait_for()
    tab.locator("nav.tabs a", has_text="Passages").click()
    expect(tab.locator("ol.passages > li")).to_have_count(25)
    tab.locator(".parts a", has_text="After").click()
    tab.locator('ol.passages > li[value="26"]').wait_for()


def test_a_phone_shows_the_text_first_and_the_original_in_its_own_tab(browser, address):
    with tab_of(browser, f"{address}?doc={LEDGER}&page=5000", viewport={"width": 390, "height": 844}) as tab:
        tab.locator("#here").wait_for(state="attached")
        assert fits(tab) and tab.locator(".sheet").is_hidden()
        tab.locator("nav.tabs a", has_text="Original").click()
        tab.locator('.sheet img[alt^="Page 5,000 of"]').wait_for()
        assert fits(tab) and violations(tab) == []
        assert tab.trouble == []
