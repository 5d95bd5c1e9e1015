"""Pictures of Office documents: how many there are of which nobody said what they show, or that lead elsewhere."""

from collections.abc import Mapping

from lxml import etree

from rag_platform.documents.formats.office.packages import Link
from rag_platform.documents.formats.xml_tree import attribute, child, every, local


def undescribed(root: etree._Element) -> int:
    """Count the pictures without a description; what is drawn again for old programs counts once."""
    drawn = (one for one in root.iter("{*}pic", "{*}imagedata") if not _is_repeated(one))
    return sum(not _description(one) for one in drawn)


def leading(root: etree._Element, links: Mapping[str, Link], name: str = "cNvPr") -> int:
    """Count the shapes and pictures that lead to an address, each as a whole.

    Args:
        root: Of the part.
        links: Of the part.
        name: Of the elements that say what a shape is.
    """
    clicked = (child(one, "hlinkClick") for one in every(root, name))
    found = (links.get(attribute(one, "id")) for one in clicked)
    return sum(link is not None and link.kind == "hyperlink" and ":" in link.target for link in found)


def _is_repeated(picture: etree._Element) -> bool:
    return any(local(above) == "Fallback" for above in picture.iterancestors())


def _description(picture: etree._Element) -> str:
    """Return what a picture, or the frame that it stands in, is said to show."""
    about = every(picture, "cNvPr")
    for above in picture.iterancestors():
        if local(above) in ("inline", "anchor"):
            about += every(above, "docPr")
        if local(above) in ("drawing", "pict", "body"):
            break
    shape = picture.getparent() if local(picture) == "imagedata" else None
    return attribute(shape, "alt") or next((text for one in about if (text := attribute(one, "descr"))), "")
