"""Diagrams of Office documents (SmartArt) -> the words of their boxes as a list, below each other as they depend."""

from collections.abc import Iterator

from lxml import etree

from rag_platform.documents.formats.office.packages import Package
from rag_platform.documents.formats.xml_tree import attribute, child, every, local

_DEEPEST = 8


def read_diagrams(package: Package, part: str) -> list[str]:
    """Return the diagrams that a part (a document, a slide, a drawing) shows; damaged ones are left out."""
    found = ("\n".join(_lines(package.beside(name))) for name in package.linked(part, "diagramData"))
    return [diagram for diagram in found if diagram]


def _lines(root: etree._Element) -> Iterator[str]:
    """Yield the boxes as items: [ECMA-376] 21.4 keeps points, and which is the parent of which in what order."""
    words = {
        attribute(point, "modelId"): _text(point) for point in every(root, "pt") if attribute(point, "type") != "pres"
    }
    below: dict[str, list[tuple[int, str]]] = {}
    for one in every(root, "cxn"):
        if attribute(one, "type", "parOf") == "parOf":
            order = attribute(one, "srcOrd")
            below.setdefault(attribute(one, "srcId"), []).append(
                (int(order) if order.isdigit() else 0, attribute(one, "destId"))
            )
    children = {place for rows in below.values() for _, place in rows}
    told: set[str] = set()
    pending = [(place, 0) for place in reversed(words) if place not in children]
    while pending:
        place, depth = pending.pop()
        if place in told or place not in words:
            continue
        told.add(place)
        if words[place]:
            yield f"{'    ' * min(depth, _DEEPEST)}- {words[place]}"
        pending += [(inner, depth + bool(words[place])) for _, inner in sorted(below.get(place, ()), reverse=True)]


def _text(point: etree._Element) -> str:
    parts = (one.text or "" if local(one) == "t" else " " for one in _runs(point))
    return " ".join("".join(parts).split())


def _runs(point: etree._Element) -> Iterator[etree._Element]:
    """Yield the runs of a box's text, and the ends of its lines."""
    body = child(point, "t")
    return body.iter("{*}t", "{*}br", "{*}endParaRPr", "{*}p") if body is not None else iter(())
