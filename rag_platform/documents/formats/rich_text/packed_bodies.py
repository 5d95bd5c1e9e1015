"""Bodies of Outlook messages in compressed Rich Text, as [MS-OXRTFCP] describes it."""

from struct import unpack_from

from rag_platform.core.errors import ExtractionError

_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What the dictionary holds before the first byte."""
_RING = 4096
_HEADER = 16
_PACKED, _PLAIN = b"LZFu", b"MELA"


def unpacked(content: bytes) -> bytes:
    """Return the Rich Text that a body holds.

    Raises:
        ExtractionError: It is none, or says that it is longer than what it can hold.
    """
    kind, size = content[8:12], unpack_from("<I", content.ljust(_HEADER, b"\0"), 4)[0]
    if kind == _PLAIN:
        return content[_HEADER : _HEADER + size]
    if kind != _PACKED:
        raise ExtractionError("the message's Rich Text is packed in an unknown way")
    return _expanded(content[_HEADER:], size)


def _expanded(packed: bytes, size: int) -> bytes:
    """Undo the compression: a byte of flags says which of the next eight are copies from the last 4,096 bytes."""
    made, at = bytearray(_START), 0
    while at < len(packed) and len(made) < size + len(_START):
        flags, at = packed[at], at + 1
        for bit in range(8):
            if not flags >> bit & 1:
                made += packed[at : at + 1]
                at += 1
                continue
            place = int.from_bytes(packed[at : at + 2].ljust(2, b"\0"), "big")
            at += 2
            back = (len(made) - (place >> 4)) % _RING  # 0 is where the next byte goes: the end
            if not back:
                return bytes(made[len(_START) :])
            for _ in range((place & 15) + 2):
                made.append(made[-back])
    return bytes(made[len(_START) : len(_START) + size])
