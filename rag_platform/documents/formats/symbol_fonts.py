"""Fonts whose letters are signs: what people see of a character that Symbol, Wingdings or Webdings draws."""

_GREEK = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_\0αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…\0\0↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑",
)
_SYMBOL = {start + at: sign for start, run in zip((0x20, 0xA0), _GREEK, strict=True) for at, sign in enumerate(run)}
_DIGITS = {0x81 + at: chr(0x2460 + at) for at in range(10)} | {0x8C + at: chr(0x2776 + at) for at in range(10)}
_BOXES = {0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖", 0x9F: "•", 0xA1: "○", 0xA7: "▪"}
_ARROWS = dict(zip(range(0xDF, 0xE7), "←→↑↓↖↗↙↘", strict=True)) | dict(zip(range(0xEF, 0xF3), "⇦⇨⇧⇩", strict=True))
_HANDS = {0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4C: "☹"}
_TICKS = {0xA8: "☐", 0xAB: "★", 0xD8: "➢", 0xE8: "➔", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑"}
_FONTS = {
    "symbol": _SYMBOL | {0xF1: "⟩", 0xF2: "∫"},
    "wingdings": _DIGITS | _BOXES | _ARROWS | _HANDS | _TICKS,
    "wingdings 2": {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐"},
    "webdings": {0x61: "✓", 0x63: "☐", 0x67: "■", 0x72: "✗"},
}


def sign(font: str, code: int) -> str:
    """Return what people see of a character in a font, "" where that is not known.

    Args:
        font: Its name.
        code: Of the character; fonts of signs have theirs among the private ones, from U+F000 on.
    """
    signs = _FONTS.get(font.casefold())
    if signs is not None:
        return signs.get(code & 0xFF, "").strip("\0")
    return "" if 0xD800 <= code < 0xF900 or not 0x20 <= code < 0x110000 else chr(code)
