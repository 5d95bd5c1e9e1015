"""What a text in a markup language names and does not hold: pictures, and other files that belong to it."""

import re

from rag_platform.documents.extracted import Loss, losses

_PICTURES = {
    "asciidoc": r"^image::|\bimage:[^\s:\[]",
    "latex": r"\\includegraphics\b",
    "rst": r"^ *\.\. (?:\|[^|\n]*\| )?(?:image|figure)::",
}
_FILES = {
    "asciidoc": r"^include::",
    "latex": r"\\(?:input|include)\s*\{",
    "rst": r"^ *\.\. (?:include|literalinclude|raw)::",
}


def left_out(text: str, language: str) -> tuple[Loss, ...]:
    """Count the pictures and the files that a text refers to: nothing outside a document is loaded.

    Args:
        text: The source.
        language: "asciidoc", "latex" or "rst".
    """
    pictures, files = (len(re.findall(one[language], text, re.MULTILINE)) for one in (_PICTURES, _FILES))
    return losses({"images without text": pictures, "parts": files})
