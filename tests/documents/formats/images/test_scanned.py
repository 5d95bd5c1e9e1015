"""Pages that are pictures: recognised here, or shown to a model that sees."""

import base64
import io
import shutil

import pypdfium2 as pdfium
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from rag_platform.config.settings import VisionSettings
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import ExtractionError, SettingsError
from rag_platform.core.schemas import DOCUMENTS
from rag_platform.documents.extracted import Extracted, Loss
from rag_platform.documents.formats.images.image import read_image
from rag_platform.documents.formats.images.ocr import _even, engines, recognise
from rag_platform.documents.formats.page_layout.boxes import Line, Word
from rag_platform.documents.formats.pdf.reader import read_pdf
from rag_platform.documents.options import Options
from rag_platform.documents.reader_options import reading_options
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.documents.stage import read_documents
from rag_platform.documents.vision import VisionModel
from rag_platform.storage.kept.kept_texts import KeptTexts
from tests.chat_server import serving, whole
from tests.documents.test_stage import EMPTY, SOURCE, one, raw
from tests.documents.test_stage import blobs as blobs  # noqa: PLC0414 (a fixture)

LINES = ["Water belongs to all farmers", "of the valley and the hills", "since the year 1987"]
RAPID = Options(ocr="rapidocr")


def page_of(lines: list[str]) -> Image.Image:
    """Draw a page of large text, as a scanner would give it."""
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(400, 160))
    canvas.setFont("Helvetica", 20)
    for n, line in enumerate(lines):
        canvas.drawString(30, 120 - 34 * n, line)
    canvas.save()
    document = pdfium.PdfDocument(written.getvalue())
    image = document[0].render(scale=2).to_pil()
    document.close()
    return image


def scan(*pages: Image.Image | str) -> bytes:
    """Make a PDF of pictures, and of text where a page is given as such."""
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(400, 160))
    for page in pages:
        if isinstance(page, str):
            canvas.drawString(30, 100, page)
        else:
            canvas.drawInlineImage(page, 0, 0, 400, 160)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


@pytest.fixture(scope="module")
def scanned() -> bytes:
    return scan("A first page that is text by itself.", page_of(LINES))


def image_bytes(image: Image.Image, kind: str, **settings) -> bytes:
    written = io.BytesIO()
    image.convert("RGB").save(written, kind, **settings)
    return written.getvalue()


# --- recognition ------------------------------------------------------------------------------------


def test_a_scanned_page_has_its_text_in_its_place(scanned):
    read = read_pdf(scanned, options=RAPID)
    assert read.text.startswith("A first page that is text by itself.\n\n")
    assert read.text[read.pages[1] :].split("\n") == LINES
    assert read.flags == ("pages recognised by OCR: 1",)


def test_it_is_read_in_the_process_of_readers(scanned):
    sandbox = Sandbox()
    (part,) = sandbox.read(scanned, uri="a.pdf", options=Options(ocr=engines()))
    sandbox.close()
    assert "valley and the hills" in part.read.text


def test_more_pages_than_wanted_are_left_and_flagged(scanned):
    content = scan(*[page_of(LINES)] * 2, "Text of the last page.")
    read = read_pdf(content, options=Options(ocr="rapidocr", ocr_pages=1))
    assert read.flags == (
        "pages recognised by OCR: 1",
        "pages that are images without text: 1 (1 of them beyond the 1 of documents.ocr_pages)",
    )


def test_images_are_documents():
    first, second = page_of(LINES), page_of(["And there is more of it"])
    assert read_image(image_bytes(first, "PNG"), options=RAPID).text.split("\n") == LINES
    pages = read_image(image_bytes(first, "TIFF", save_all=True, append_images=[second]), options=RAPID)
    assert pages.text[pages.pages[1] :] == "And there is more of it" and pages.type == "image" and pages.losses == ()


def test_pages_of_an_image_that_are_blank_or_too_many_are_told():
    blank = Image.new("RGB", (400, 160), "white")
    scan = image_bytes(page_of(LINES), "TIFF", save_all=True, append_images=[blank, page_of(["More"]), blank])
    read = read_image(scan, options=Options(ocr="rapidocr", ocr_pages=2))
    assert read.losses == (Loss("pages", 2), Loss("pages without text", 1))
    assert read.flags == ("pages recognised by OCR: 1", "2 of them beyond the 2 of documents.ocr_pages")


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        (image_bytes(Image.new("L", (80, 80), 255), "PNG"), RAPID, "no words could be recognised"),
        (image_bytes(Image.new("L", (80, 80), 255), "WEBP"), Options(), r"install the extra `ocr` to read them"),
        (b"\x89PNG\r\n\x1a\n", RAPID, "not a readable image: its format is none that is known"),
        (image_bytes(page_of(LINES), "JPEG")[:400], RAPID, "not a readable image"),
    ],
    ids=["blank", "no extra", "empty", "cut off"],
)
def test_an_image_without_text_says_why(content, options, reason):
    with pytest.raises(ExtractionError, match=reason):
        read_image(content, options=options)


def test_a_script_that_rapidocr_does_not_know_needs_tesseract():
    text, why = recognise(None, Options(ocr="rapidocr==3,tesseract eng+osd", language="hi"))
    assert (text, why) == ("", "install tesseract with its language 'hin' to read them")


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_tesseract_reads_a_page(scanned):
    assert "valley" in read_pdf(scanned, options=Options(ocr="tesseract eng")).text


def test_lines_of_a_scan_in_much_larger_letters_are_headings():
    lines = [
        Line([Word("x" * 20, 0, 20 * n, 90, 20 * n + size)], size) for n, size in enumerate((24, 10, 11, 9, 10, 12))
    ]
    assert [round(line.size, 1) for line in _even(lines)] == [19.1, 10.5, 10.5, 10.5, 10.5, 10.5]


# --- text layers that are no text --------------------------------------------------------------------

RUBBISH = "".join(
    chr(ord(letter) - 29) if letter.isalpha() else letter
    for letter in "The farmers of the valley share the water of the river among all of their fields in the dry months. "
    * 2
)


def layered(layer: str, lines: list[str]) -> bytes:
    """Make a page with a picture, and text behind it that nobody sees."""
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(400, 160))
    text = canvas.beginText(10, 150)
    text.setTextRenderMode(3)
    text.setFont("Helvetica", 6)
    for start in range(0, len(layer), 60):
        text.textLine(layer[start : start + 60])
    canvas.drawText(text)
    canvas.drawInlineImage(page_of(lines), 0, 0, 400, 160)
    canvas.save()
    return written.getvalue()


def test_a_text_layer_that_is_rubbish_is_recognised_anew():
    content = layered(RUBBISH, LINES)
    read = read_pdf(content, options=RAPID)
    assert "Water belongs to all farmers" in read.text and read.flags == ("pages recognised by OCR: 1",)
    doubted = read_pdf(content, options=Options(vision="x", ocr="off"))
    assert "pages whose text layer is doubtful: 1" in doubted.flags and len(doubted.pictures) == 1


def test_a_doubtful_layer_that_says_what_the_page_shows_is_believed():
    listing = "Water belongs to all farmers valley 1987 " + "xs=[f(x)for_x|in{ys}] a=b&c d|e=f g+h=i " * 8
    read = read_pdf(layered(listing, LINES), options=Options(vision="x", ocr="rapidocr"))
    assert "a=b&c" in read.text and read.flags == () and read.pictures == ()


def test_recognition_can_read_every_page():
    content = layered("What the layer says is that Water belongs to all farmers of the valley.", LINES)
    assert "What the layer says" in read_pdf(content, options=RAPID).text
    assert "1987" in read_pdf(content, options=Options(ocr="rapidocr", page_text="ocr")).text


# --- a model that sees ------------------------------------------------------------------------------


BROKEN = (500, {"error": {"message": "out of order"}})


@pytest.fixture
def model():
    with serving() as server:
        listed = {"id": "seer", "object": "model", "max_model_len": 8192}
        server.models = (200, {"object": "list", "data": [listed]})
        server.script = [whole("```markdown\n# Water\n\nSeen by the model.\n```")]
        yield server


@pytest.fixture
def seer(model, monkeypatch):
    monkeypatch.setenv("SEER_KEY", "k1")
    settings = VisionSettings(base_url=model.address, api_key_env="SEER_KEY", timeout=60)
    return lambda kept=None: VisionModel(settings, kept)


SHOWN = Options(vision="http://x seer", vision_pages=2)


def test_the_model_reads_the_pages_without_text(model, seer, blobs, scanned):
    row = one(
        read_documents(raw(blobs, {"a.pdf": scanned}), EMPTY, blobs, SOURCE, options=SHOWN, vision_model=seer()).table
    )
    assert row["text"] == "A first page that is text by itself.\n\n# Water\n\nSeen by the model."
    assert row["pages"] == [0, 38] and row["flags"] == ["pages read by a vision model: 1"]
    (asked,) = model.requests
    shown = asked["messages"][0]["content"][1]["image_url"]["url"]
    picture = Image.open(io.BytesIO(base64.b64decode(shown.removeprefix("data:image/png;base64,"))))
    assert picture.width > 600 and asked["model"] == "seer" and model.keys == ["Bearer k1"]


def test_what_the_model_said_is_kept_until_the_settings_change(model, seer, blobs, scanned):
    table = raw(blobs, {"a.pdf": scanned})
    first = read_documents(table, EMPTY, blobs, SOURCE, options=SHOWN, vision_model=seer())
    again = read_documents(table, first.table, blobs, SOURCE, options=SHOWN, vision_model=seer())
    assert (again.extracted, again.reused, len(model.requests)) == (0, 1, 1) and again.table.equals(first.table)
    other = Options(vision="http://x other", vision_pages=2)
    assert read_documents(table, first.table, blobs, SOURCE, options=other, vision_model=seer()).extracted == 1


def test_a_page_is_paid_for_once(model, seer, blobs, tmp_path):
    kept, content = KeptTexts(tmp_path / "vision" / "pages.sqlite"), scan(page_of(LINES))
    for number in range(2):
        reader = seer(kept)
        row = one(
            read_documents(
                raw(blobs, {f"{number}.pdf": content}), EMPTY, blobs, SOURCE, options=SHOWN, vision_model=reader
            ).table
        )
        assert row["text"] == "# Water\n\nSeen by the model." and (reader.asked, reader.known) == (1 - number, number)
    assert len(model.requests) == 1 and kept.clear() == 1 and kept.clear() == 0


def test_every_page_is_shown_where_the_collection_says_so(model, seer, blobs, scanned):
    source = SOURCE.model_copy(update={"page_text_of": {"guides": "vision"}})
    read = read_documents(
        raw(blobs, {"a.pdf": scanned}), EMPTY, blobs, source, options=SHOWN, vision_model=seer()
    ).table
    assert one(read)["text"] == "# Water\n\nSeen by the model.\n\n# Water\n\nSeen by the model."
    source = SOURCE.model_copy(update={"page_text_of": {"guides": "layer", "other": "vision"}})
    row = one(
        read_documents(raw(blobs, {"a.pdf": scanned}), read, blobs, source, options=SHOWN, vision_model=seer()).table
    )
    assert row["text"] == "A first page that is text by itself." and len(model.requests) == 2
    assert row["losses"] == [{"what": "pages without text", "count": 1}]
    assert row["flags"] == [
        "pages that are images without text: 1 (page_text is 'layer' in the settings, so no picture is read)"
    ]


def test_comments_beside_a_page_stay_when_a_model_reads_it(seer):
    page = "Old text\n\n[author: Ann, time: 2024-05-01T00:00:00+00:00]: Who says so?\n\n[comment]: Nobody."
    read, _ = seer().read(Extracted(page, "pdf", pages=(0,), pictures=((0, b"x"),)))
    assert read.text.startswith("# Water\n\nSeen by the model.\n\n[author: Ann") and read.text.endswith("Nobody.")


def test_no_more_pages_are_shown_than_wanted(model, seer, blobs):
    content = scan(*[page_of(LINES)] * 3)
    read = read_documents(raw(blobs, {"a.pdf": content}), EMPTY, blobs, SOURCE, options=SHOWN, vision_model=seer())
    assert len(model.requests) == 2
    assert "pages beyond the max_pages of [vision], which were not shown to the model: 1" in one(read.table)["flags"]


def test_a_model_that_fails_is_a_flag_and_the_next_run_asks_again(model, seer, blobs, scanned):
    model.script = [BROKEN, whole("Seen at last.")]
    table = raw(blobs, {"a.pdf": scanned})
    first = read_documents(table, EMPTY, blobs, SOURCE, options=SHOWN, vision_model=seer())
    row = one(first.table)
    assert row["text"] == "A first page that is text by itself."
    assert row["flags"][0].startswith("pages that are images without text: 1 (install")
    assert row["flags"][-1].startswith("the vision model failed: ") and "out of order" in row["flags"][-1]
    assert one(read_documents(table, first.table, blobs, SOURCE, options=SHOWN, vision_model=seer()).table)[
        "text"
    ].endswith("Seen at last.")


def test_a_failing_model_and_no_other_text_is_a_reason(model, seer, blobs):
    model.script = [BROKEN]
    table = raw(blobs, {"a.pdf": scan(page_of(LINES))})
    row = one(read_documents(table, EMPTY, blobs, SOURCE, options=SHOWN, vision_model=seer()).table)
    assert row["status"] == "failed" and row["reason"].startswith("no text: ") and "out of order" in row["reason"]
    best = Options(vision="x", ocr="rapidocr")
    row = one(read_documents(table, EMPTY, blobs, SOURCE, options=best, vision_model=seer()).table)
    assert row["status"] == "ok" and "valley" in row["text"]


def test_a_server_that_fails_and_fails_is_left_alone(model, seer, blobs):
    model.script = [BROKEN]
    files = {f"{n}.pdf": scan(page_of([f"Page {n}"])) for n in range(6)}
    read_documents(raw(blobs, files), EMPTY, blobs, SOURCE, options=SHOWN, vision_model=seer())
    assert 3 <= len(model.requests) < 6


# --- settings ---------------------------------------------------------------------------------------

TOML = """
[documents]
ocr = "{ocr}"
[[sources]]
id = "farm"
kind = "folder"
path = "."
language = "ne"
pdf_passwords = {passwords}
"""


def options_of(folder, ocr="auto", passwords='["${PLAN}", "${LOST}"]') -> Options:
    (folder / "rag.toml").write_text(TOML.format(ocr=ocr, passwords=passwords))
    return reading_options(load_settings(folder), "farm", {"PLAN": "sesame"})


def test_the_settings_become_options(tmp_path):
    options = options_of(tmp_path)
    assert (options.keys, options.passwords, options.language) == (("PLAN", "LOST"), ("sesame", ""), "ne")
    assert options.ocr == engines() and options.ocr.startswith("rapidocr==") and options.vision == ""
    assert options_of(tmp_path, ocr="off").ocr == "off"


@pytest.mark.parametrize(("way", "needs"), [("vision", "vision.base_url"), ("ocr", "documents.ocr")])
def test_what_pages_are_to_be_read_by_has_to_be_there(tmp_path, way, needs):
    toml = TOML.format(ocr="off", passwords="[]") + f'page_text_of = {{ guides = "{way}" }}\n'
    (tmp_path / "rag.toml").write_text(toml)
    with pytest.raises(SettingsError, match=f"page_text = '{way}'.*{needs}"):
        load_settings(tmp_path)


def test_a_password_in_the_file_is_refused(tmp_path):
    with pytest.raises(SettingsError, match=r"sources\[farm\]\.pdf_passwords.*expected names of"):
        options_of(tmp_path, passwords='["sesame"]')


def test_turning_recognition_on_reads_anew_what_it_changes(blobs, scanned):
    table = raw(blobs, {"a.pdf": scanned})
    off = read_documents(table, EMPTY, blobs, SOURCE, options=Options(ocr="off"))
    on = read_documents(table, off.table, blobs, SOURCE, options=RAPID)
    assert on.extracted == 1 and on.table.equals(read_documents(table, EMPTY, blobs, SOURCE, options=RAPID).table)
    assert "valley" in one(on.table)["text"] and set(on.table.columns) == set(DOCUMENTS)


def test_an_encrypted_file_is_tried_again_with_what_the_variable_holds_now(blobs):
    from tests.documents.formats.pdf.test_reader import locked

    table = raw(blobs, {"a.pdf": locked("sesame")})
    wrong = read_documents(table, EMPTY, blobs, SOURCE, options=Options(keys=("A",), passwords=("no",)))
    assert one(wrong.table)["reason"].startswith("this PDF is encrypted") and one(wrong.table)["stage_key"] == ""
    right = Options(keys=("A",), passwords=("sesame",))
    opened = read_documents(table, wrong.table, blobs, SOURCE, options=right)
    assert one(opened.table)["text"] == "The secret plan."
    assert read_documents(table, opened.table, blobs, SOURCE, options=right).reused == 1
