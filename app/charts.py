"""Charts as inline SVG: no script, colours from the page; each in two widths, of which the style sheet shows one.

A chart is told in a sentence for those who do not see it, and a table beside it has all its numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

_WIDE, _NARROW = 640, 340
_HEIGHT, _LEFT, _TOP, _BOTTOM = 180, 44, 12, 26
_STEPS = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, of which a part may be told apart."""

    label: str
    """Below it, where there is room."""
    whole: float
    part: float
    told: str
    """What is said of it when it is pointed at."""


def in_both(draw: Callable[[int], Markup | None]) -> Markup:
    """Draw a chart for a wide window and for a phone; nothing when there is nothing to draw."""
    wide, narrow = draw(_WIDE), draw(_NARROW)
    if wide is None or narrow is None:
        return Markup("")
    return Markup('<div class="chart on-wide">{}</div><div class="chart on-phone">{}</div>').format(wide, narrow)


def bars(shown: Sequence[Bar], spoken: str, width: int, write: Callable[[float], str] = "{:,.0f}".format) -> Markup:
    """Draw bars from zero, in their order.

    Args:
        shown: the bars; in a smaller width only the last of them.
        spoken: what the chart says, in a sentence.
        width: of the chart, in its own units.
        write: writes a number of the scale.
    """
    shown = shown[-max(1, len(shown) * width // _WIDE) :] if len(shown) > 31 else shown
    step = _step(max((bar.whole for bar in shown), default=0.0))
    top = step * max(1, -(-max((bar.whole for bar in shown), default=0.0) // step))
    room, pitch = _HEIGHT - _TOP - _BOTTOM, (width - _LEFT) / max(1, len(shown))
    thick = min(pitch * 0.72, 34)

    def y(value: float) -> float:
        return _TOP + room * (1 - value / top)

    made = Markup("")
    for number in range(round(top / step) + 1):
        made += Markup('<path class="grid" d="M{} {:.1f}H{}"/><text class="tick" x="{}" y="{:.1f}">{}</text>').format(
            _LEFT, y(number * step), width, _LEFT - 6, y(number * step) + 4, write(number * step)
        )
    every = -(-len(shown) * 70 // (width - _LEFT)) or 1
    for place, bar in enumerate(shown):
        x = _LEFT + pitch * (place + 0.5)
        made += Markup("<g><title>{}</title>{}{}</g>").format(
            bar.told, _rect("whole", x, thick, y(bar.whole), y(0)), _rect("part", x, thick, y(bar.part), y(0))
        )
        if (len(shown) - 1 - place) % every == 0:
            made += Markup('<text class="name" x="{:.1f}" y="{}">{}</text>').format(x, _HEIGHT - 8, bar.label)
    return Markup('<svg class="bars" viewBox="0 0 {} {}" role="img"><title>{}</title>{}</svg>').format(
        width, _HEIGHT, spoken, made
    )


def share(part: float, whole: float) -> Markup:
    """Draw a share as a thin line; the number stands beside it."""
    width = 100 * part / whole if whole else 0.0
    return Markup(
        '<svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="all" width="100" height="6" rx="3"/><rect width="{:.2f}" height="6" rx="3"/></svg>'
    ).format(max(width, 0.5) if part else 0)


def _rect(kind: str, x: float, thick: float, top: float, bottom: float) -> Markup:
    if bottom - top < 0.05:
        return Markup("")
    return Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="1.5"/>').format(
        kind, x - thick / 2, top, thick, bottom - top
    )


def _step(most: float) -> float:
    """Return a round step of which at most `_STEPS` lead to the top."""
    power = 10.0 ** max(-3, len(str(int(most))) - 2) if most >= 1 else 0.001
    while most / power > _STEPS:
        for factor in (1, 2, 5):
            if most / (power * factor) <= _STEPS:
                return power * factor
        power *= 10
    return power if most < 1 else max(power, 1.0)
