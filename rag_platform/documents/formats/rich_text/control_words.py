"""Rich Text to its marks and characters, in their encodings: the lexical part of the RTF 1.9.1 specification."""

import codecs
import re
from collections.abc import Iterator
from functools import cache

TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.DOTALL
)
SIGNS = {
    "line": "\n", "tab": "\t", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ",
    "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "zwj": "\u200d", "zwnj": "\u200c",
    "~": "\xa0", "{": "{", "}": "}", "\\": "\\", "_": "‑",
}  # fmt: skip
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
"""What a font's \\fcharset says of the bytes that are set in it; 0, 1 and 2 say nothing."""


def tokens(content: bytes) -> Iterator[tuple[str, int | None, bytes]]:
    r"""Yield (control word or one of "{", "}", "'", "", its number, bytes).

    "'" comes with one byte that \'hh stands for, "" with bytes as they are; \bin data is passed over.
    """
    at = 0
    while found := TOKEN.match(content, at):
        at = found.end()
        word, number, code, sign, brace, plain = found.groups()
        if word:
            value = int(number) if number else None
            if word == b"bin":
                at += max(value or 0, 0)
            yield word.decode(), value, b""
        elif code:
            yield "'", None, bytes.fromhex(code.decode())
        elif sign:
            yield ("par" if sign in b"\r\n" else sign.decode("latin-1")), None, b""
        elif brace:
            yield ("begin" if brace == b"{" else "end"), None, b""
        elif plain:
            yield "", None, plain


class Encodings:
    """How the bytes of a document stand for characters: by the font, else by the code page."""

    def __init__(self) -> None:
        self._page = "cp1252"
        self._fonts: dict[int, str] = {}

    def declare(self, page: int) -> None:
        """Take over the code page that the document names."""
        self._page = _codec(f"cp{page}") or self._page

    def font(self, number: int, charset: int) -> None:
        """Take over what the table of fonts says."""
        if charset in _CHARSETS:
            self._fonts[number] = _CHARSETS[charset]

    def decode(self, content: bytes, font: int) -> str:
        """Return the characters that bytes in a font stand for."""
        return content.decode(self._fonts.get(font, self._page), "replace")


@cache
def _codec(name: str) -> str | None:
    try:
        return codecs.lookup("utf-8" if name == "cp65001" else name).name
    except LookupError:
        return None
