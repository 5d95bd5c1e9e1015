"""The fenced code of a Markdown text (CommonMark 0.31, section 4.5)."""

import re
from dataclasses import dataclass

from rag_platform.text.notation.markdown_tables import Span

_FENCED = re.compile(
    r"^ {0,3}(?P<fence>```+|~~~+)[ \t]*(?P<info>[^\n`]*)\n(?P<code>.*?)(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Code between fences."""

    language: str
    """As it is named behind the opening fence; "" where it is not."""
    code: str
    span: Span
    """Where the code stands in the text, without its fences."""


def code_at(text: str, span: Span) -> CodeBlock | None:
    """Return the code in which a span of a text lies; None: it lies in none."""
    for found in _FENCED.finditer(text):
        if found.start() > span[0]:
            return None
        if found.start("code") <= span[0] and span[1] <= found.end("code"):
            language = found["info"].split()[0] if found["info"].strip() else ""
            return CodeBlock(language.strip("{}."), found["code"], found.span("code"))
    return None
