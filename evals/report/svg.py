"""Scores over time and differences as inline SVG: no script, no network, colours from the page."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

_WIDTH, _HEIGHT = 640, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 16, 14, 34
_POINTS = 24
"""Evaluations drawn; older ones are in the table only."""
_LABELS = 8
Place = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class _Point:
    version: str
    value: float
    low: float
    high: float
    series: str
    outcome: str | None
    x: float = 0.0


def line(past: Sequence[Mapping[str, Any]], metric: str) -> Markup | None:
    """Draw a metric over the evaluations, with intervals; another question set begins a new line.

    None when fewer than two evaluations have a value.
    """
    points = [_point(entry, metric) for entry in past if metric in entry["means"]][-_POINTS:]
    if len(points) < 2:
        return None
    low = max(0.0, min(point.low for point in points) - 0.02)
    high = min(1.0, max(point.high for point in points) + 0.02)
    step = next((step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if (high - low) / step <= 5), 0.25)
    low, high = _floor(low, step), -_floor(-high, step)
    span = high - low or 1.0

    def x(place: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (place + 0.5) / len(points)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / span

    parts = [_grid(low, high, step, y), _breaks(points, x)]
    parts += [_path(points, x, y)]
    every = -(-len(points) // _LABELS)
    for place, point in enumerate(points):
        label = place % every == (len(points) - 1) % every
        parts.append(_mark(point, x(place), y, label=label, last=place == len(points) - 1))
    title = Markup("<title>{}</title>").format(_spoken(points, metric))
    return Markup('<svg class="line" viewBox="0 0 {} {}" role="img">{}{}</svg>').format(
        _WIDTH, _HEIGHT, title, Markup("").join(parts)
    )


def whisker(gain: float, ends: tuple[float, float] | None, most: float) -> Markup:
    """Draw a difference and its interval around zero; `most` is what the half width stands for."""

    def x(value: float) -> str:
        return f"{50 + 46 * max(-1.0, min(1.0, value / most)):.1f}"

    kind = "even" if not ends or ends[0] <= 0 <= ends[1] else "up" if gain > 0 else "down"
    low, high = ends or (gain, gain)
    return Markup(
        '<svg class="whisker {}" viewBox="0 0 100 14" aria-hidden="true"><path class="zero" d="M50 1V13"/>'
        '<path class="span" d="M{} 7H{}"/><circle cx="{}" cy="7" r="3.2"/></svg>'
    ).format(kind, x(low), x(high), x(gain))


def _point(entry: Mapping[str, Any], metric: str) -> _Point:
    value = entry["means"][metric]
    low, high = entry.get("intervals", {}).get(metric) or (value, value)
    return _Point(entry["version"], value, low, high, entry["fingerprint"], entry.get("outcome"))


def _grid(low: float, high: float, step: float, y: Place) -> Markup:
    count = round((high - low) / step)
    lines = Markup("")
    for number in range(count + 1):
        value = low + number * step
        lines += Markup('<path class="grid" d="M{} {:.1f}H{}"/><text class="tick" x="{}" y="{:.1f}">{}</text>').format(
            _LEFT, y(value), _WIDTH - _RIGHT, _LEFT - 8, y(value) + 4, f"{value:.2f}"
        )
    return lines


def _breaks(points: Sequence[_Point], x: Place) -> Markup:
    """Mark where the question set changed."""
    marks = Markup("")
    for place in range(1, len(points)):
        if points[place].series != points[place - 1].series:
            middle = (x(place - 1) + x(place)) / 2
            marks += Markup('<path class="break" d="M{0:.1f} {1}V{2}"/>').format(middle, _TOP, _HEIGHT - _BOTTOM)
    return marks


def _path(points: Sequence[_Point], x: Place, y: Place) -> Markup:
    steps = []
    for place, point in enumerate(points):
        joined = place and points[place - 1].series == point.series
        steps.append(f"{'L' if joined else 'M'}{x(place):.1f} {y(point.value):.1f}")
    return Markup('<path class="run" d="{}"/>').format(" ".join(steps))


def _mark(point: _Point, x: float, y: Place, *, label: bool, last: bool) -> Markup:
    kind = "refused" if point.outcome == "refused" else "last" if last else "passed"
    made = Markup(
        '<g class="{}"><path class="bar" d="M{x:.1f} {:.1f}V{:.1f}"/><circle cx="{x:.1f}" cy="{:.1f}" r="4.5"/>'
        "<title>{}: {:.3f} ({:.3f} to {:.3f}){}</title></g>"
    ).format(
        kind, y(point.low), y(point.high), y(point.value), point.version, point.value, point.low, point.high,
        ", refused" if kind == "refused" else "", x=x,
    )  # fmt: skip
    if label:
        made += Markup('<text class="version" x="{:.1f}" y="{}">{}</text>').format(
            x, _HEIGHT - 12, short(point.version)
        )
    return made


def short(version: str) -> str:
    """Return a version's number as people say it: v12 of v000012-6bb0c1d2."""
    number = version.removeprefix("v").split("-")[0]
    return f"v{int(number)}" if number.isdigit() else version


def _spoken(points: Sequence[_Point], metric: str) -> str:
    return f"{metric} over {len(points)} evaluations: " + ", ".join(
        f"{short(point.version)} {point.value:.3f}" for point in points
    )


def _floor(value: float, step: float) -> float:
    return step * math.floor(round(value / step, 9))
