"""What a reader sees in a file and does not keep is counted, in every format."""

import json

import pytest

from rag_platform.documents.extracted import losses
from rag_platform.documents.reading.extraction import extract
from tests.documents.formats.office.test_office import opendocument

PICTURE = {"output_type": "display_data", "data": {"image/png": "x", "text/plain": "<Figure>"}}
LONG = {"output_type": "stream", "text": "a" * 4_010}
BOOK = json.dumps(
    {"cells": [{"cell_type": "code", "source": "draw()", "outputs": [PICTURE, LONG]}], "nbformat": 4, "metadata": {}}
)
FRAME = "<text:p>Words.<draw:frame>{}</draw:frame></text:p>"


@pytest.mark.parametrize(
    ("name", "content", "lost"),
    [
        ("a.ipynb", BOOK, {"images without text": 1, "characters": 10}),
        ("a.csv", "a,b\n" + "1,2\n" * 20_003, {"rows": 3}),
        ("a.jsonl", '{"a": 1}\n' * 20_002, {"entries": 2}),
        ("a.json", json.dumps([{"a": 1}] * 20_002), {"entries": 2}),
        ("a.tex", r"\documentclass{article}\begin{document}\includegraphics[x]{a} \input{b}Words.\end{document}",
         {"images without text": 1, "parts": 1}),
        ("a.rst", "Words.\n\n.. image:: a.png\n\n.. include:: b.rst\n\n.. raw:: html\n\n   x\n",
         {"images without text": 1, "parts": 2}),
        ("a.adoc", "= Words\n\nimage::a.png[A]\n\ninclude::b.adoc[]\n", {"images without text": 1, "parts": 1}),
        ("a.txt", "Words.", {}),
    ],
)  # fmt: skip
def test_what_is_not_kept_is_counted(name, content, lost):
    assert extract(content.encode(), uri=name).losses == losses(lost)


def test_what_an_opendocument_text_has_beside_its_words():
    frames = FRAME.format("<draw:image/>") + FRAME.format("<draw:object xlink:href='./Object 1'/><draw:image/>")
    frames += FRAME.format("<desc>A duck</desc><draw:image/>") + FRAME.format("<draw:plugin/>")
    read = extract(opendocument("text", f"<o:text>{frames}</o:text>"), uri="a.odt")
    assert read.losses == losses({"images without text": 1, "embedded objects": 1, "media": 1})
    assert "![A duck]" in read.text
