"""Jupyter notebooks: text as it is, code fenced, what it printed below it; pictures are left out."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import code, join
from rag_platform.documents.formats.plain_text import decode
from rag_platform.text.markdown_blocks import first_heading

MOST_OUTPUT = 4_000
"""Characters of a cell's output that are read."""


def read_notebook(content: bytes) -> Extracted:
    """Read a notebook of format 3 or 4.

    Raises:
        ExtractionError: It is no notebook.
    """
    try:
        book = json.loads(decode(content)[0])
        cells = book["cells"] if "cells" in book else [cell for sheet in book["worksheets"] for cell in sheet["cells"]]
        language = _language(book)
        lost: Counter[Lost] = Counter()
        text = join(block for cell in cells for block in _cell(cell, language, lost))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ExtractionError(f"no notebook: {error!r}") from error
    about = book.get("metadata") or {}
    authors = ", ".join(str(one.get("name", "")) for one in about.get("authors") or () if isinstance(one, dict))
    title = str(about.get("title") or "") or first_heading(text)
    flags = (f"outputs cut to {MOST_OUTPUT} characters",) if lost["characters"] else ()
    return Extracted(text=text, type="notebook", title=title, author=authors, flags=flags, losses=losses(lost))


def _language(book: dict[str, Any]) -> str:
    about = book.get("metadata") or {}
    return str(
        (about.get("kernelspec") or {}).get("language") or (about.get("language_info") or {}).get("name") or "python"
    )


def _cell(cell: dict[str, Any], language: str, lost: Counter[Lost]) -> Iterator[str]:
    kind, source = cell["cell_type"], _joined(cell.get("source", cell.get("input", "")))
    if kind == "heading":
        yield f"{'#' * int(cell.get('level', 1))} {source}"
    elif kind != "code":
        yield source
    else:
        yield code(source, language)
        for output in cell.get("outputs") or ():
            text = _output(output, lost)
            yield text if _is_written(output) else code(text)


def _is_written(output: dict[str, Any]) -> bool:
    """Return whether an output is text with marks, or a formula, and no print-out."""
    data = output.get("data") or {}
    return not output.get("text") and bool(data.get("text/markdown") or data.get("text/latex"))


def _output(output: dict[str, Any], lost: Counter[Lost]) -> str:
    """Return what an output says in words, cut where it is long."""
    kind = output.get("output_type")
    if kind in ("error", "pyerr"):
        return f"{output.get('ename')}: {output.get('evalue')}"
    data = output.get("data") or output
    lost["images without text"] += any(key.startswith("image/") for key in data)
    text = _joined(
        output.get("text") or data.get("text/markdown") or data.get("text/latex") or data.get("text/plain") or ""
    )
    if (
        kind in ("display_data", "execute_result")
        and text.startswith("<")
        and any(key.startswith("image/") for key in data)
    ):
        return ""  # "<Figure size 640x480 with 1 Axes>" in place of the picture
    if len(text) > MOST_OUTPUT:
        lost["characters"] += len(text) - MOST_OUTPUT
        return text[:MOST_OUTPUT] + "\n…"
    return text


def _joined(lines: Any) -> str:
    return "".join(map(str, lines)) if isinstance(lines, list) else str(lines)
