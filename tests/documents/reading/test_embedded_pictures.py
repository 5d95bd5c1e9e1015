"""The picture of a caption, in each kind of file that holds pictures."""

import io

import pytest
from PIL import Image

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.reading.detection import detect_type
from rag_platform.documents.reading.embedded_pictures import PICTURED, embedded_picture
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.reading.rendering import render_page
from rag_platform.text.notation.captions import figures_in
from rag_platform.text.word_alignment import shown_words, words_of
from tests.pictured_files import KINDS, Picture, pictured

BELOW = (
    "The weir was built in the winter.",
    Picture("red"),
    "Figure 1: The old mill of the village in the winter",
    Picture("green"),
    "Figure 2: The old mill of the village in the summer",
    "Nothing else is said of it.",
    Picture("blue", "A heron that stands in the shallow water"),
)
ABOVE = ("Figure 1: The lock in spring", Picture("red"), "Words that part them.", "Figure 2: The dam", Picture("green"))


def colour(content: bytes) -> str:
    with Image.open(io.BytesIO(content)) as picture:
        red, green, blue = picture.convert("RGB").resize((1, 1)).getpixel((0, 0))
    return max((red, "red"), (green, "green"), (blue, "blue"))[1]


@pytest.mark.parametrize("kind", KINDS)
def test_the_figures_of_a_text_are_the_pictures_beside_their_captions(kind):
    for pieces, expected in ((BELOW, ["red", "green", "blue"]), (ABOVE, ["red", "green"])):
        content = pictured(kind, pieces)
        assert detect_type(content) == kind
        text = extract(content, uri=f"a.{kind}").text
        figures = [shown_words(text[slice(*one.span)]) for one in figures_in(text)]
        assert [colour(embedded_picture(content, kind, words)) for words in figures] == expected


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_no_picture_beside_it_is_not_drawn(kind):
    content = pictured(kind, BELOW)
    for caption in ("Figure 9: Wages of the ferrymen by year", ""):
        with pytest.raises(ExtractionError, match="no picture with this caption"):
            embedded_picture(content, kind, words_of(caption))
    with pytest.raises(ExtractionError, match="expected a PDF or an image"):
        render_page(content)  # a file of many parts has no page that is drawn


def test_a_word_in_several_runs_is_one():
    document = pictured("docx", ("Figure 1: Li</w:t></w:r><w:r><w:t>ghthouse", Picture("red")))
    assert colour(embedded_picture(document, "docx", words_of("Figure 1: Lighthouse"))) == "red"


def test_a_damaged_picture_says_so():
    content = pictured("docx", ("Figure 1: The lock in spring", Picture("red")))
    broken = content.replace(b"\x89PNG", b"\x00\x00\x00\x00")
    with pytest.raises(ExtractionError, match="cannot be unpacked"):
        render_page(broken, words=words_of("Figure 1: The lock in spring"), figure=True)


def test_a_figure_is_written_anew():
    content = pictured("odt", ABOVE)
    drawn = render_page(content, words=words_of("Figure 2: The dam"), figure=True)
    assert drawn.picture.startswith(b"RIFF") and (drawn.width, drawn.height) == (40, 30)
    assert colour(drawn.picture) == "green"


def test_each_kind_is_known_and_has_a_file_here_or_is_one_of_slides():
    assert PICTURED - {"odp"} == set(KINDS)
