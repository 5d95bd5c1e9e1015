"""Files that only lead to a page: shortcuts of Windows and Linux (url, desktop), locations of a Mac (webloc)."""

import plistlib
import re
from pathlib import PurePosixPath
from urllib.parse import unquote
from xml.parsers.expat import ExpatError

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.plain_text import decode
from rag_platform.text.cleaning import clean_line

_ADDRESS = re.compile(r"^URL(?:\[\$e\])?\s*=\s*(\S+)", re.MULTILINE | re.IGNORECASE)


def read_shortcut(content: bytes, *, uri: str = "") -> Extracted:
    """Read where a file leads to; what stands there is not loaded. It is called as the file is.

    Raises:
        ExtractionError: It leads nowhere.
    """
    address = clean_line(_located(content) if b"plist" in content[:200] else _stated(content))
    if not address:
        raise ExtractionError(
            "a shortcut without an address: expected a line URL=https://… or a property list with URL"
        )
    title = clean_line(unquote(PurePosixPath(uri).stem)) or address
    link = address if re.match(r"[a-z][a-z0-9+.-]*:", address, re.IGNORECASE) else f"file:{address}"
    return Extracted(text=f"[{title}]({link.replace(' ', '%20').replace(')', '%29')})", type="shortcut", title=title)


def _stated(content: bytes) -> str:
    found = _ADDRESS.search(decode(content)[0])
    return found[1] if found else ""


def _located(content: bytes) -> str:
    try:
        told = plistlib.loads(content)
    except (plistlib.InvalidFileException, ExpatError, ValueError) as error:
        raise ExtractionError(f"a damaged property list: {error}") from error
    return str(told.get("URL", "")) if isinstance(told, dict) else ""
