"""Text of documents and models -> text that a terminal displays and never obeys."""

import re

_LINE_ENDS = "\v\f\x1c-\x1e\x85\u2028\u2029"
_CONTROLS = re.compile(
    rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_LINE_ENDS}\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """Return a text with each control character replaced by a visible one.

    An escape sequence could move the cursor, write to the clipboard or rename the window. ASCII's control
    characters become those of Unicode's block "Control Pictures", all others U+FFFD. No character is added or removed,
    so that spans stay right.
    """
    return _CONTROLS.sub(_visible, text)


def one_line(text: str) -> str:
    """Return a printable text on one line."""
    return printable(" ".join(text.split()))


def _visible(control: re.Match[str]) -> str:
    code = ord(control[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"
