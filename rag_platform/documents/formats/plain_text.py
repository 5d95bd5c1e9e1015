"""Plain text of any encoding: bytes to characters."""

import codecs
import re

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.text_encoding import guess_encoding

_MARKS = (  # the longer mark first: UTF-32's begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SUPERSETS = {  # what a label means in practice: https://encoding.spec.whatwg.org/#names-and-labels
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "tis-620": "cp874",
}
_UNOFFICIAL = re.compile(r"^(?:x|unicode-1-1)-|(?<=8859-8)-[ie]$", re.IGNORECASE)
"""What mail programs write around a name that is known without it: "x-mac-roman", "iso-8859-8-i"."""
_ESCAPES = re.compile(rb"\x1b(?:\$[@AB]|\$\([CDOPQ]|\([BJI]|\.[AF])")
"""How ISO 2022 changes the characters that bytes stand for: such a text, mostly Japanese mail, is valid ASCII."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""What a terminal is told amid a log."""
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_SAMPLE = 1 << 18
_ACCENTED = re.compile(r"[A-Za-z]*[\u00c0-\u00ff][A-Za-z\u00c0-\u00ff]+")
_BEYOND = re.compile("[^\x00-\x7f\ufffd]")
_FEW = 5


def read_text(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read plain text.

    Args:
        content: The bytes.
        charset: The encoding that the server declared, if any.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    return Extracted(text=_COLOURS.sub("", text), type="text", flags=flags)


def decode(content: bytes, charset: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Decode bytes: by their mark, as UTF-8, as declared, else as a guess that is flagged.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = _decode(content, charset)
    odd = len(_BINARY.findall(text[:_SAMPLE]))
    if odd > 0.01 * min(len(text), _SAMPLE):
        raise ExtractionError(
            f"not text: {odd} of the first {min(len(text), _SAMPLE)} characters are control characters or undecodable"
        )
    return text, flags


def newlines(text: str) -> str:
    r"""Return the text with every line ended by \n, whatever system wrote it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(content: bytes, charset: str | None) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, "replace"), ()
    known = _known(charset)
    for encoding in filter(None, (_wide(content), *_escaped(content, known), "utf-8", known)):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not (encoding == "cp1252" and _is_mislabelled(text)):
            return text, ()
    return _guess(content)


def _escaped(content: bytes, known: str | None) -> tuple[str, ...]:
    """Return the encodings to try first for a text of seven bits that changes its characters by marks within."""
    if known == "utf-7" or (known == "hz" and b"~{" in content):
        return (known,)
    if not _ESCAPES.search(content[:_SAMPLE]):
        return ()
    return (known if known and known.startswith("iso2022") else "iso2022_jp_ext",)


def _wide(content: bytes) -> str | None:
    """Recognise UTF-16 without a byte order mark by where its zero bytes are."""
    even, odd = content[:2000:2].count(0), content[1:2000:2].count(0)
    many = len(content[:2000]) // 2 * 0.4
    if many and odd > many > 8 * even:
        return "utf-16-le"
    return "utf-16-be" if many and even > many > 8 * odd else None


def _known(charset: str | None) -> str | None:
    stated = (charset or "").strip("\"' ")
    for one in (stated, _UNOFFICIAL.sub("", stated)):
        try:
            name = codecs.lookup(one).name
        except (LookupError, ValueError):
            continue
        return _SUPERSETS.get(name, name)
    return None


def _is_mislabelled(text: str) -> bool:
    """Return whether a text is not in Latin letters after all: whole words have accents on every letter."""
    words = _ACCENTED.findall(text[:_SAMPLE])
    return len(words) > _FEW and sum(map(str.isascii, "".join(words))) < len("".join(words)) / 4


def _guess(content: bytes) -> tuple[str, tuple[str, ...]]:
    nearly = content.decode("utf-8", "replace")
    damaged = nearly.count("\ufffd")
    if damaged <= len(nearly) // 1000 and damaged < len(_BEYOND.findall(nearly)):  # a few bytes of UTF-8, or its end
        return nearly, ("undecodable bytes replaced",)
    encoding = guess_encoding(content)
    return content.decode(encoding, "replace"), (f"encoding guessed: {encoding}",)
