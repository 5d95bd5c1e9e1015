"""Numbers as people read them, and tables of them: HTML in which every text is escaped."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from app.rendering import upright

NONE = "–"


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


def small(text: str) -> Markup:
    """Return a text for the line below another in a cell."""
    return Markup("<small>{}</small>").format(text) if text else Markup("")


def cards(shown: Iterable[tuple[str, str, str]]) -> Markup:
    """Draw the numbers that people look at first: what each is, the number, and a word about it."""
    return Markup('<div class="numbers">{}</div>').format(Markup("").join(_CARD.format(*card) for card in shown))


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]], *, kind: str = "") -> Markup:
    """Draw a table whose first column names each row; in a narrow window, columns marked `roomy` are left out.

    Args:
        caption: what it is, for those who cannot see its surroundings.
        head: the columns' names; one that begins with ``#`` holds numbers, with ``~`` is left out on a phone.
        rows: cells; texts are escaped, `Markup` is not.
        kind: a class more.
    """
    classes = [_classes(name) for name in head]
    names = [name.lstrip("#~") for name in head]
    tops = (_cell(_TOP if name else _OTHER, name, one) for name, one in zip(names, classes, strict=True))
    body = Markup("")
    for row in rows:
        kinds = (_FIRST, *[_OTHER] * (len(row) - 1))
        cells = (_cell(form, cell, one) for form, cell, one in zip(kinds, row, classes, strict=True))
        body += Markup("<tr>{}</tr>").format(Markup("").join(cells))
    return _TABLE.format(kind=kind, caption=caption, tops=Markup("").join(tops), body=body)


def _classes(name: str) -> str:
    number = "number" if "#" in name[:2] else ""
    return f"{number} roomy".strip() if "~" in name[:2] else number


def _cell(form: Markup, content: object, classes: str) -> Markup:
    return form.format(classes, content if isinstance(content, Markup) else upright(str(content)))


_CARD = Markup("<div><span>{}</span><b>{}</b><small>{}</small></div>")
_TOP = Markup('<th scope="col" class="{}">{}</th>')
_FIRST = Markup('<th scope="row" class="{}">{}</th>')
_OTHER = Markup('<td class="{}">{}</td>')
_TABLE = Markup(
    '<div class="wide" tabindex="0" role="group" aria-label="{caption}"><table class="figures {kind}">'
    '<caption class="unseen">{caption}</caption><thead><tr>{tops}</tr></thead><tbody>{body}</tbody></table></div>'
)
