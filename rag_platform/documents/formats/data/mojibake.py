"""Letters that a program wrote byte by byte: in JSON of Facebook and Instagram "ü" is two escapes, C3 and BC."""

import re

_BYTES = re.compile(rb"(?:\\u00[89a-f][0-9a-f])+", re.IGNORECASE)


def mended(content: bytes) -> bytes:
    """Return JSON in which escapes of bytes that are UTF-8 together are the characters that were meant."""
    return _BYTES.sub(_character, content)


def _character(found: re.Match[bytes]) -> bytes:
    meant = bytes.fromhex(found[0].decode().replace("\\u00", ""))
    try:
        return meant.decode().encode()
    except UnicodeDecodeError:
        return found[0]
