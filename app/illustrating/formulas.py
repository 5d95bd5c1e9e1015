"""Formulas on the page: what is written of them, until a script of the page draws them with KaTeX.

KaTeX is Streamlit's own copy, and is loaded by `scripts/formulas.js` once there is a formula to draw.
"""

from functools import cache
from html import escape
from pathlib import Path

import streamlit

from rag_platform.text.notation.tex_formulas import formulas

_SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"


@cache
def katex_name() -> str:
    """Return the file of Streamlit that holds KaTeX; "" where it has none, and formulas stay as they are written."""
    return next((path.name for path in sorted(_SCRIPTS.glob("katex.*.js"))), "")


def formula_html(tex: str, *, display: bool = False) -> str:
    """Render a formula as it is written, to be drawn in that place."""
    kind, mark = (' data-display="1"', "$$") if display else ("", "$")
    return f'<span class="formula"{kind} data-tex="{escape(tex, quote=True)}">{escape(f"{mark}{tex}{mark}")}</span>'


def with_formulas(text: str) -> str:
    """Escape a text, but for its formulas, which are to be drawn."""
    parts, at = [], 0
    for one in formulas(text):
        parts += [escape(text[at : one.start]), formula_html(one.tex)]
        at = one.end
    return "".join([*parts, escape(text[at:])])
