"""Twenty files of many kinds about an excursion, each with a fact of its own; two of them cannot be read."""

import io
import json

from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from tests.documents.formats.office.test_office import (
    P,
    docx,
    heading,
    links,
    opendocument,
    package,
    paragraph,
    row,
    shape,
    slide,
    xlsx,
    zipped,
)

FERRY = "The ferry to Aldern island leaves pier seven at twenty past nine every morning."
"""What stands in the Word document alone."""


def twenty_files() -> dict[str, bytes]:
    """Return the files by name."""
    texts = {
        "notes.md": "# Packing\n\nEverybody brings a waterproof jacket and two bottles of water for the climb.\n",
        "rules.txt": "The meadow is a nature reserve, so no dogs are allowed beyond the wooden gate.\n",
        "page.html": "<html><head><title>Weather</title></head><body><article><h1>Weather</h1><p>In October the wind "
        "on the ridge reaches seventy kilometres an hour, and the cable car stops.</p></article></body></html>",
        "people.csv": "name,role\nAsha,leads the group\nBruno,carries the medicine chest\nChen,takes the pictures\n",
        "plan.json": json.dumps({"departure": "The bus leaves the school yard at half past seven", "seats": 48}),
        "lodging.rst": "Lodging\n=======\n\nThe hut above the lake has room for thirty guests in bunk beds.\n",
        "meals.adoc": "= Meals\n\nSupper is lentil soup with bread, cooked over the fire by the older pupils.\n",
        "film.vtt": "WEBVTT\n\n00:01.000 --> 00:09.000\nThe old lighthouse was built of basalt by local masons.\n",
        "report.tex": "\\documentclass{article}\\begin{document}\\section{Birds}\nForty herons nest in the reeds "
        "south of the dam.\\end{document}",
        "letter.eml": "From: Asha <asha@example.org>\nTo: all@example.org\nSubject: Tickets\nDate: Mon, 2 Mar 2026 "
        "08:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\nThe tickets cost eleven euros for "
        "pupils and nineteen for adults.\n",
        "steps.ipynb": json.dumps({"cells": [{"cell_type": "markdown", "metadata": {}, "source": [
            "# Measuring\n", "\n", "We measure the acidity of the pond with strips of litmus paper."]}],
            "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
        "code.py": '"""Turn the steps of the pedometer into metres walked by the group."""\n\nSTRIDE = 0.7\n',
    }  # fmt: skip
    return {name: text.encode() for name, text in texts.items()} | {
        "ferry.docx": docx(heading(1, "Crossing") + paragraph(FERRY)),
        "slides.pptx": _slides(),
        "costs.xlsx": xlsx(row(1, A="Item", B="Euros") + row(2, A="Rent of the hut for two nights", B="640")),
        "story.odt": opendocument(
            "text", "<o:text><text:p>A shepherd found the copper coins under the third bridge.</text:p></o:text>"
        ),
        "map.pdf": _pdf("The trail from the quarry to the summit is marked with yellow triangles."),
        "more.zip": zipped({
            "cave.md": "# Cave\n\nBats sleep in the northern cave from November until the end of March.\n",
            "well.md": "# Well\n\nThe well in the village is ninety metres deep and was dug in one summer.\n",
        }),
        "broken.pdf": b"%PDF-1.7\nthis is no page tree, and nothing follows",
        "photo.png": _image(),
    }  # fmt: skip


def _slides() -> bytes:
    parts = {
        "ppt/presentation.xml": f'<p:presentation {P}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
        "</p:presentation>",
        "ppt/slides/slide1.xml": slide(shape("Safety", "title"), shape("Helmets are worn in the quarry at all times")),
    }
    return package("ppt/presentation.xml", parts, links(("slide", "slides/slide1.xml")))


def _pdf(text: str) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.drawString(72, 720, text)
    canvas.save()
    return buffer.getvalue()


def _image() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(buffer, "PNG")
    return buffer.getvalue()
