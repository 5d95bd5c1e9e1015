"""The difference of two texts as HTML."""

from collections.abc import Iterable
from html import escape

from app.texts import say_html
from rag_platform.text.text_diff import Line

LONGEST_LINE = 2_000
"""Characters of a line that are shown."""
_BEFORE_SIGN = {"old": "−", "new": "+", "same": " "}
MOST_LINES = 400
"""Lines of one changed place that are shown."""


def difference_html(lines: Iterable[Line]) -> str:
    """Render lines of a difference, the words that changed marked; of very many the first, and how many more."""
    parts, left_out = [], 0
    for number, line in enumerate(lines):
        if number >= MOST_LINES:
            left_out += 1
            continue
        sign = _BEFORE_SIGN[line.kind]
        tag = {"old": "del", "new": "ins"}.get(line.kind, "span")
        text, room = "", LONGEST_LINE
        for piece, differs in line.parts:
            cut = escape(piece[:room]) + ("…" if len(piece) > room else "")
            text += f"<mark>{cut}</mark>" if differs else cut
            room = max(0, room - len(piece))
        parts.append(
            f'<div class="line {line.kind}"><span class="sign">{sign}</span><{tag}>{text or " "}</{tag}></div>'
        )
    if left_out:
        parts.append(f'<div class="quiet">{say_html("document-history-more", count=left_out)}</div>')
    return "".join(parts)
