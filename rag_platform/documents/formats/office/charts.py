"""Charts of Office documents -> their title, kind and numbers as a table."""

import re

from lxml import etree

from rag_platform.documents.formats.markdown_writer import join, table
from rag_platform.documents.formats.office.packages import Package
from rag_platform.documents.formats.xml_tree import attribute, child, every, local

_MOST_POINTS = 5_000


def read_charts(package: Package, part: str) -> list[str]:
    """Return the charts that a part (a document, a slide, a drawing) shows; damaged ones are left out."""
    found = (_chart(package.beside(name)) for name in package.linked(part, "chart"))
    return [chart for chart in found if chart]


def _chart(root: etree._Element) -> str:
    chart = child(root, "chart")
    plot = child(chart, "plotArea")
    if plot is None:
        return ""
    kinds = [local(part) for part in plot if local(part).endswith("Chart")]
    kind = re.sub(r"(?<!^)([A-Z])", r" \1", kinds[0].replace("3D", "")).capitalize() if kinds else "Chart"
    series = every(plot, "ser")
    names = [_series_name(one, place) for place, one in enumerate(series, 1)]
    columns = [_points(child(one, "val") if child(one, "val") is not None else child(one, "yVal")) for one in series]
    labels: dict[int, str] = {}
    for one in series:
        labels |= _points(child(one, "cat") if child(one, "cat") is not None else child(one, "xVal"))
    places = sorted({*labels, *(place for column in columns for place in column)})[:_MOST_POINTS]
    rows = [[labels.get(place, ""), *(column.get(place, "") for column in columns)] for place in places]
    return join([_text(child(chart, "title")), kind, table([["", *names], *rows]) if rows else ""])


def _series_name(series: etree._Element, place: int) -> str:
    return " ".join(_points(child(series, "tx")).values()) or f"Series {place}"


def _points(element: etree._Element | None) -> dict[int, str]:
    """Return the stored values by their index."""
    found = {}
    for point in every(element, "pt"):
        index, value = attribute(point, "idx"), child(point, "v")
        if index.isdigit() and value is not None:
            found[int(index)] = _number(value.text or "")
    return found or ({0: text} if (text := (_text(element) if element is not None else "")) else {})


def _number(text: str) -> str:
    """Return a number as people write it; 4.2999999999999998 is 4.3."""
    try:
        return f"{float(text):.12g}" if re.fullmatch(r"-?\d+\.\d+(?:[eE][-+]?\d+)?", text) else text
    except ValueError:
        return text


def _text(element: etree._Element | None) -> str:
    return " ".join("".join(part.text or "" for part in every(element, "t")).split())
