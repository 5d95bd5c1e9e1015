"""Text as it is stored: composed, printable, evenly spaced. Cleaning twice changes nothing."""

import re
import unicodedata

# U+FEFF, soft hyphen, zero-width space, bidirectional marks, word joiner … and the invisible "tag" letters, with which
# instructions are hidden. U+200C and U+200D stay: Indic scripts, Persian and emoji are spelt with them.
_INVISIBLE = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_UNWANTED = re.compile(rf"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f{_INVISIBLE}\ud800-\udfff\ufffe\uffff]")
_LINE_END = re.compile(r"\r\n|[\r\v\f\x85\u2028\u2029]")
_SPACE = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_TRAILING = re.compile(r"(?<![ \t])[ \t]++$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
# Ligatures and shapes of letters that Unicode has only for old encodings. Whole words in one sign (U+FDF0 …) stay, and
# nothing else is folded: NFKC also turns 10² into 102.
_SHAPE = re.compile("[\ufb00-\ufdcf\ufe70-\ufefc]")


def clean(text: str) -> str:
    r"""Return the text in NFC, lines ended by \n, at most one blank line, nothing invisible, no trailing spaces.

    Ligatures and presentation forms become the letters that they stand for.
    """
    if text.isascii() and text.replace("\n", "").isprintable():  # as most text is
        plain = _TRAILING.sub("", text) if " \n" in text or text.endswith(" ") else text
        return (_BLANK_LINES.sub("\n\n", plain) if "\n\n\n" in plain else plain).strip("\n")
    text = _LINE_END.sub("\n", _SHAPE.sub(_letters, _UNWANTED.sub("", text)))
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text))
    return _BLANK_LINES.sub("\n\n", _TRAILING.sub("", text)).strip("\n")


def _letters(shape: re.Match[str]) -> str:
    """Return the letters that a presentation form stands for; it stays when they would begin with a space."""
    letters = unicodedata.normalize("NFKC", shape[0])
    return shape[0] if letters.startswith(" ") else letters


def clean_line(text: str | None) -> str:
    """Return the text cleaned, on one line: for a title or a name."""
    if text and text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(clean(text or "").split())


def count_words(text: str) -> float:
    """Count words; a script written without spaces counts two characters as a word."""
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + unspaced / 2


UNSPACED = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
"""Pattern of a letter of a script that is written without spaces between words."""
WORD = r"\w+(?:['’\-\u0300-\u036f\u0900-\u0dff\u200c\u200d]\w*)*"
"""Pattern of a word of any other script."""
_UNSPACED, _WORD = re.compile(UNSPACED), re.compile(WORD)


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Return a text without the characters that no document of XML 1.0 may hold."""
    return _NOT_IN_XML.sub("", text)
