"""Pages and images, drawn in a process of their own."""

import io
import threading
import zipfile

import pytest
from PIL import Image, ImageChops, ImageStat
from reportlab.pdfgen import canvas

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.text.word_alignment import places, words_of
from tests.figured_report import HOSTILE, figured_report


@pytest.fixture(scope="module")
def drawers():
    sandbox = Sandbox(Limits(seconds=20.0, memory=2 << 30), most=1)
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="module")
def report():
    written = io.BytesIO()
    drawn = canvas.Canvas(written, pagesize=(600, 800))
    for number in range(3):
        drawn.drawString(60, 700, f"Page {number} begins with words that stand on every page.")
        drawn.drawString(60, 400, f"The budget of team {number} grew by forty pounds in the year.")
        drawn.showPage()
    drawn.save()
    return written.getvalue()


def test_a_page_is_a_picture_with_the_words_boxed_where_they_stand(drawers, report):
    words = words_of("the budget of team 1 grew by forty pounds")
    drawn = drawers.render(report, page=1, words=words)
    assert (drawn.page, drawn.pages, drawn.height) == (1, 3, 1400)
    ((x0, top, x1, bottom),) = drawn.boxes
    assert 0.08 < x0 < 0.12 < x1 < 0.7 and top < 0.5 < bottom + 0.01
    assert Image.open(io.BytesIO(drawn.picture)).size == (drawn.width, drawn.height)
    assert (
        drawers.render(report, page=99).page == 2
        and drawers.render(report, page=0, words=words_of("not here")).boxes == ()
    )


def test_an_image_is_written_anew_and_no_larger_than_is_useful(drawers):
    written = io.BytesIO()
    Image.new("RGB", (4000, 2000), "navy").save(written, "PNG", pnginfo=None)
    drawn = drawers.render(written.getvalue() + b"<script>alert(1)</script>")
    assert (drawn.width, drawn.height, drawn.pages) == (1400, 700, 1)
    assert drawn.picture.startswith(b"RIFF") and b"script" not in drawn.picture
    assert drawers.render(written.getvalue(), words=words_of("its own words"), figure=True) == drawn


@pytest.mark.parametrize("content", [b"%PDF-1.4 cut", b"\x89PNG\r\n\x1a\n cut", b"only text", b"\x00\x01"])
def test_what_cannot_be_drawn_says_so(drawers, content):
    with pytest.raises(ExtractionError):
        drawers.render(content)


def test_a_drawer_that_dies_costs_its_own_page_alone(drawers, report):
    reader = Sandbox(Limits(seconds=20.0, memory=1 << 24))
    with pytest.raises(ExtractionError, match=r"memory|died"):
        reader.render(report)
    reader.close()
    assert drawers.render(report).pages == 3


def test_many_may_ask_at_once(drawers, report):
    found = []
    asking = [threading.Thread(target=lambda: found.append(drawers.render(report).pages)) for _ in range(4)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert found == [3] * 4


def test_a_file_is_taken_out_of_an_archive_in_an_archive(drawers):
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("a/b.md", "words")
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("c.zip", inner.getvalue())
    content = outer.getvalue()
    assert drawers.unpack(content, uri="x.zip", path="!/c.zip!/a/b.md") == b"words"
    assert drawers.unpack(content, uri="x.zip", path="!/c.zip") == inner.getvalue()
    with pytest.raises(ExtractionError, match="there is no"):
        drawers.unpack(content, uri="x.zip", path="!/c.zip!/gone.md")


def test_words_are_found_though_case_and_line_differ_and_not_when_most_are_missing():
    page = words_of("It was so. THE ﬁrst word,\nthe second word and more. It was so.")
    assert places(page, words_of("the first word, the second word")) == [3, 4, 5, 6, 7, 8]
    assert places(page, words_of("it was never like that on any day of all")) == [] == places(page, [])


def test_a_figure_is_drawn_with_its_caption_and_without_the_rest_of_its_page(drawers):
    words = words_of(HOSTILE)
    whole, figure = (drawers.render(figured_report(), page=1, words=words, figure=one) for one in (False, True))
    assert whole.boxes and not figure.boxes and max(figure.width, figure.height) <= 1_000 < whole.height
    assert figure.width > 1.5 * figure.height  # the chart lies; its page stands
    with Image.open(io.BytesIO(figure.picture)) as shown:
        red, _, blue = shown.convert("RGB").split()
        coloured = ImageChops.subtract(blue, red).point(lambda more: 255 * (more > 60))
    assert ImageStat.Stat(coloured).mean[0] > 0.2 * 255


def test_the_page_is_drawn_whole_where_no_figure_stands_at_the_words(drawers, report):
    drawn = drawers.render(report, page=1, words=words_of("the budget of team 1 grew by forty pounds"), figure=True)
    assert drawn.height == 1400 and drawn.boxes
    assert drawers.render(report, page=1, words=words_of("not here at all"), figure=True).height == 1400


def test_a_rule_beside_the_words_is_no_figure(drawers):
    written = io.BytesIO()
    drawn = canvas.Canvas(written, pagesize=(600, 800))
    drawn.drawString(60, 400, "Figure 1: What was once drawn here.")
    drawn.line(60, 390, 260, 390)
    drawn.save()
    assert drawers.render(written.getvalue(), words=words_of("what was once drawn here"), figure=True).height == 1400


def test_a_page_with_very_many_drawn_things_is_drawn_in_time(drawers):
    written = io.BytesIO()
    drawn = canvas.Canvas(written, pagesize=(600, 800))
    for place in range(6_000):
        drawn.rect(60 + place % 100 * 4.8, 200 + place // 100 * 5, 1, 1, fill=1)
    drawn.drawString(60, 180, "Figure 1: Many points of one cloud.")
    drawn.save()
    found = drawers.render(written.getvalue(), words=words_of("Figure 1: Many points of one cloud."), figure=True)
    assert found.width > found.height * 1.2
