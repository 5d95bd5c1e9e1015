"""Office files and books of paragraphs and of pictures that are each of one colour."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

KINDS = ("docx", "epub", "odt", "pptx")
_RELATIONS = "http://schemas.openxmlformats.org/{}/2006/relationships"
_OOXML = (
    f'xmlns:r="{_RELATIONS.format("officeDocument")}" xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_OPEN = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg"'
    ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
)


@dataclass(frozen=True)
class Picture:
    """A picture of a colour, and what is said of it to those who do not see it."""

    colour: str
    said: str = ""


def pictured(kind: str, pieces: Sequence[str | Picture]) -> bytes:
    """Return a file of a kind of `KINDS` with these paragraphs, of XML, and pictures, in this order."""
    shown = [one for one in pieces if isinstance(one, Picture)]
    written = [
        _TEXTS[kind].format(one) if isinstance(one, str) else _PICTURES[kind].format(shown.index(one), one.said)
        for one in pieces
    ]
    parts = _PARTS[kind]("".join(written), len(shown))
    parts |= {f"{_FOLDERS[kind]}media/{number}.png": _png(one.colour) for number, one in enumerate(shown)}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def _png(colour: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(written, "PNG")
    return written.getvalue()


def _links(*links: tuple[str, str]) -> str:
    listed = "".join(
        f'<Relationship Id="r{number}" Type="{_RELATIONS.format("officeDocument")}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(links)
    )
    return f'<Relationships xmlns="{_RELATIONS.format("package")}">{listed}</Relationships>'


def _docx(body: str, pictures: int) -> dict[str, str | bytes]:
    return {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": _links(("officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": _links(*(("image", f"media/{number}.png") for number in range(pictures))),
        "word/document.xml": f"<w:document {_OOXML}><w:body>{body}</w:body></w:document>",
    }


def _pptx(body: str, pictures: int) -> dict[str, str | bytes]:
    shapes = f"<p:cSld><p:spTree>{body}</p:spTree></p:cSld>"
    links = _links(*(("image", f"../media/{number}.png") for number in range(pictures)))
    return {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": _links(("officeDocument", "ppt/presentation.xml")),
        "ppt/_rels/presentation.xml.rels": _links(("slide", "slides/slide1.xml")),
        "ppt/presentation.xml": f'<p:presentation {_OOXML}><p:sldIdLst><p:sldId id="1" r:id="r0"/></p:sldIdLst>'
        "</p:presentation>",
        "ppt/slides/_rels/slide1.xml.rels": links,
        "ppt/slides/slide1.xml": f"<p:sld {_OOXML}>{shapes}</p:sld>",
    }


def _odt(body: str, pictures: int) -> dict[str, str | bytes]:
    text = f"<office:body><office:text>{body}</office:text></office:body>"
    return {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content {_OPEN}>{text}</office:document-content>",
    }


def _epub(body: str, pictures: int) -> dict[str, str | bytes]:
    return {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="book/it.opf"/></rootfiles></container>',
        "book/it.opf": '<package><manifest><item id="c" href="text/one.xhtml" media-type="application/xhtml+xml"/>'
        '</manifest><spine><itemref idref="c"/></spine></package>',
        "book/text/one.xhtml": f"<html><body>{body}</body></html>",
    }


_PARTS = {"docx": _docx, "epub": _epub, "odt": _odt, "pptx": _pptx}
_FOLDERS = {"docx": "word/", "epub": "book/", "odt": "", "pptx": "ppt/"}
_TEXTS = {
    "docx": "<w:p><w:r><w:t>{}</w:t></w:r></w:p>",
    "epub": "<p>{}</p>",
    "odt": "<text:p>{}</text:p>",
    "pptx": "<p:sp><p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>",
}
_PICTURES = {
    "docx": '<w:p><w:r><w:drawing><w:docPr descr="{1}"/><a:blip r:embed="r{0}"/></w:drawing></w:r></w:p>',
    "epub": '<p><img src="../media/{0}.png" alt="{1}"/></p>',
    "odt": '<text:p><draw:frame><draw:image xlink:href="media/{0}.png"/><svg:desc>{1}</svg:desc></draw:frame></text:p>',
    "pptx": '<p:pic><p:nvPicPr><p:cNvPr descr="{1}"/></p:nvPicPr>'
    '<p:blipFill><a:blip r:embed="r{0}"/></p:blipFill></p:pic>',
}
