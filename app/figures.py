"""Numbers as people read them, and tables of them: HTML in which every text is escaped."""

import re
from collections.abc import Iterable, Sequence

from app.rendering import Html

NONE = "–"
VERSION = re.compile(r"\bv\d{6}-[0-9a-f]{8}\b")
"""What identifies a version, within a text."""


def score(value: float | None, name: str = "") -> str:
    """Write a measure; milliseconds of a measure that is named so."""
    if value is None:
        return NONE
    return f"{value:,.0f} ms" if name.startswith("ms_") else f"{value:.3f}"


def change(value: float | None, name: str = "") -> str:
    """Write a difference with its sign: a true minus, and none where it rounds to nothing."""
    if value is None:
        return NONE
    text = f"{value:+,.0f}" if name.startswith("ms_") else f"{value:+.3f}"
    bare = text.lstrip("+-")
    return bare if not float(bare.replace(",", "")) else text.replace("-", "−")


def between(ends: Sequence[float] | None, name: str = "") -> str:
    """Write an interval; nothing where there is none."""
    if not ends:
        return ""
    digits = 0 if name.startswith("ms_") else 3
    return " to ".join(f"{end:,.{digits}f}".replace("-", "−") for end in ends)


def size(count: float) -> str:
    """Write a number of bytes; no line ends before the unit."""
    for unit, large in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= large:
            return f"{f'{count / large:.1f}'.removesuffix('.0')}\N{NO-BREAK SPACE}{unit}"
    return f"{count:.0f}\N{NO-BREAK SPACE}B"


def lasted(seconds: float | None) -> str:
    """Write how long something took."""
    if seconds is None:
        return NONE
    if seconds >= 5400:
        return f"{seconds / 3600:.1f} h"
    if seconds >= 90:
        return f"{seconds / 60:.0f} min"
    return f"{seconds * 1000:,.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def short(version: str) -> str:
    """Return a version's number as people say it: v12 of v000012-6bb0c1d2."""
    number = version.removeprefix("v").split("-")[0]
    return f"v{int(number)}" if number.isdigit() else version


def with_short(text: str) -> str:
    """Return a text in which versions are called as people say them."""
    return VERSION.sub(lambda one: short(one[0]), text)


def small(text: str) -> Html:
    """Return a text for the line below another in a cell."""
    return Html("<small>{}</small>").format(text) if text else Html("")


def cards(shown: Iterable[tuple[str, str, str]]) -> Html:
    """Draw the numbers that people look at first: what each is, the number, and a word about it."""
    return Html('<div class="numbers">{}</div>').format(Html("").join(_CARD.format(*card) for card in shown))


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]], *, kind: str = "") -> Html:
    """Draw a table whose first column names each row; in a narrow window, columns marked `roomy` are left out.

    Args:
        caption: what it is, for those who cannot see its surroundings.
        head: the columns' names; one that begins with ``#`` holds numbers, with ``~`` is left out on a phone.
        rows: cells; texts are escaped, `Html` is not.
        kind: a class more.
    """
    classes = [_classes(name) for name in head]
    names = [name.lstrip("#~") for name in head]
    tops = ((_TOP if name else _OTHER).format(one, name) for name, one in zip(names, classes, strict=True))
    body = Html("")
    for row in rows:
        kinds = (_FIRST, *[_OTHER] * (len(row) - 1))
        cells = (form.format(one, cell) for form, cell, one in zip(kinds, row, classes, strict=True))
        body += Html("<tr>{}</tr>").format(Html("").join(cells))
    return _TABLE.format(kind=kind, caption=caption, tops=Html("").join(tops), body=body)


def _classes(name: str) -> str:
    number = "number" if "#" in name[:2] else ""
    return f"{number} roomy".strip() if "~" in name[:2] else number


_CARD = Html("<div><span>{}</span><b>{}</b><small>{}</small></div>")
_TOP = Html('<th scope="col" class="{}">{}</th>')
_FIRST = Html('<th scope="row" class="{}">{}</th>')
_OTHER = Html('<td class="{}">{}</td>')
_TABLE = Html(
    '<div class="wide" tabindex="0" role="group" aria-label="{caption}"><table class="figures {kind}">'
    '<caption class="unseen">{caption}</caption><thead><tr>{tops}</tr></thead><tbody>{body}</tbody></table></div>'
)
