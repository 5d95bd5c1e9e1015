"""The codes of fields, which Word writes alike into its documents, old and new, and into Rich Text."""

import re

from rag_platform.documents.formats.markdown_writer import leads_out

FORM = re.compile(r"\s*FORM(?:CHECKBOX|DROPDOWN)\b")
"""A field of a form whose value is not among the words that it shows."""
_ADDRESS = re.compile(r'HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]+)"|HYPERLINK\s+([^\s"\\]+)')


def linked_address(code: str) -> str:
    """Return the address outside of the document that a field leads to; "": it leads to none."""
    found = _ADDRESS.search(code)
    address = (found[1] or found[2]) if found else ""
    return address if leads_out(address) else ""
