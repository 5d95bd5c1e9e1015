"""Charts of Vega-Altair, which take their colours from the theme and their width from the window.

Their marks are labelled for those who do not see them, and a table beside each has all its numbers. Shares and
intervals within tables are drawn in HTML.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.figures import between, score, short
from app.rendering import Html

if TYPE_CHECKING:
    import altair as alt

ACCENT, BAD = "#16908a", "#de4a34"
"""Both are distinct from a light and from a dark background, and from each other also for those who see no red."""
_POINTS = 24
_HEIGHT = 220


def scores_over_time(
    past: Sequence[Mapping[str, Any]], metric: str, words: Mapping[str, str]
) -> "alt.LayerChart | alt.FacetChart | None":
    """Draw a measure over the evaluations with its intervals; another question set begins a new line.

    Args:
        past: the history, oldest first; of long ones the newest are drawn.
        metric: the measure.
        words: of the axis and of a point's tooltip: `version`, `interval`, `gate` and outcomes.

    Returns:
        None when fewer than two evaluations have a value.
    """
    known = [entry for entry in past if metric in entry["means"]][-_POINTS:]
    if len(known) < 2:
        return None
    import altair as alt

    rows = [_point(place, entry, metric, words) for place, entry in enumerate(known)]
    lows, highs = [row["low"] for row in rows], [row["high"] for row in rows]
    scale = alt.Scale(domain=[max(0.0, min(lows) - 0.02), min(1.0, max(highs) + 0.02)], zero=False, nice=True)
    names = " : ".join(f"datum.value == {row['place']} ? '{row['name']}'" for row in rows) + " : ''"
    ticks = alt.Axis(values=[*range(len(rows))], labelExpr=names, grid=False, tickSize=0, labelOverlap=True)
    across = alt.X("place:Q", title=None, scale=alt.Scale(domain=[-0.4, len(rows) - 0.6], nice=False), axis=ticks)
    up = alt.Y("value:Q", title=None, scale=scale, axis=alt.Axis(format=".2f", tickCount=5))
    colour = alt.condition("datum.refused", alt.value(BAD), alt.value(ACCENT))
    tooltip = [alt.Tooltip("name:N", title=words["version"]), alt.Tooltip("score:N", title=metric),
               alt.Tooltip("ends:N", title=words["interval"]), alt.Tooltip("gate:N", title=words["gate"])]  # fmt: skip
    base = alt.Chart(data(rows)).encode(x=across, tooltip=tooltip)
    points = base.encode(y=up, description=alt.Description("spoken:N"))
    return alt.layer(
        base.mark_line(strokeWidth=2, color=ACCENT, aria=False).encode(y=up, detail="series:N"),
        base.mark_rule(strokeWidth=1.5, opacity=0.6, aria=False).encode(
            y=alt.Y("low:Q", scale=scale), y2="high:Q", color=colour
        ),
        points.mark_point(size=85, filled=False, strokeWidth=2.5).encode(color=colour),
        points.transform_filter("!datum.refused").mark_point(size=85, filled=True, opacity=1, color=ACCENT, aria=False),
    ).properties(height=_HEIGHT)


def bars(
    rows: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
    spoken: str,
    *,
    days: bool = False,
    unit: str | None = None,
) -> "alt.Chart":
    """Draw numbers as bars, several kinds on top of each other.

    Args:
        rows: each with `label`, in their order, and a number for each kind.
        names: of the kinds, by their keys in the rows.
        spoken: what the chart says, in a sentence.
        days: whether every day has its place; else only those that there are.
        unit: of the numbers.
    """
    import altair as alt

    values = [
        {"label": row["label"], "kind": name, "value": row[key], "order": order}
        for row in rows
        for order, (key, name) in enumerate(names.items())
    ]
    day = "utcFormat(datum.value, '%m-%d')"  # as our tables write it, in every language
    axis = alt.Axis(labelExpr=day, grid=False, labelOverlap=True, labelAngle=0, tickSize=0)
    label = alt.X("utcyearmonthdate(label):T" if days else "utcyearmonthdate(label):O", title=None, axis=axis)
    colours = alt.Scale(domain=[*names.values()], range=COLOURS[: len(names)])
    legend = alt.Legend(title=None, orient="top", columns=3 if len(names) < 4 else 2) if len(names) > 1 else None
    step = alt.Undefined if unit else 1  # what has no unit is counted
    bar = {"width": {"band": 0.7}} if days or len(rows) > 10 else {"width": 34}
    chart: alt.Chart = (
        alt.Chart(data(values))
        .mark_bar(cornerRadiusTopLeft=2, cornerRadiusTopRight=2, **bar)
        .encode(
            x=label,
            y=alt.Y("value:Q", title=unit, axis=alt.Axis(tickCount=4, format="~s", tickMinStep=step)),
            color=alt.Color("kind:N", scale=colours, legend=legend),
            order=alt.Order("order:Q"),
            tooltip=[alt.Tooltip("label:N"), alt.Tooltip("kind:N"), alt.Tooltip("value:Q", format=",")],
        )
        .properties(height=200 if len(names) < 4 else 250, description=spoken)
    )
    return chart


def whisker(gain: float, ends: Sequence[float], most: float) -> Html:
    """Draw a difference and its interval around zero; half of the width is `most`."""

    def x(value: float) -> float:
        return 50 + 46 * max(-1.0, min(1.0, value / most))

    low, high = ends
    kind = "even" if low <= 0 <= high else "up" if gain > 0 else "down"
    return Html(
        '<span class="whisker {}" aria-hidden="true"><i style="left:{:.1f}%;width:{:.1f}%"></i>'
        '<b style="left:{:.1f}%"></b></span>'
    ).format(kind, x(low), x(high) - x(low), x(gain))


def share(part: float, whole: float) -> Html:
    """Draw a share as a thin line; the number is beside it."""
    width = 100 * part / whole if whole else 0.0
    return Html('<span class="share" aria-hidden="true"><i style="width:{:.2f}%"></i></span>').format(width)


def data(rows: Sequence[Mapping[str, Any]]) -> "alt.Data":
    """Return rows as what charts are drawn of."""
    import altair as alt

    return alt.Data(values=rows)  # type: ignore[no-untyped-call]  # its constructor has no annotations


def _point(place: int, entry: Mapping[str, Any], metric: str, words: Mapping[str, str]) -> dict[str, Any]:
    value = entry["means"][metric]
    low, high = entry.get("intervals", {}).get(metric) or (value, value)
    outcome = entry.get("outcome")
    return {
        "place": place,
        "name": short(entry["version"]).replace("'", ""),
        "value": value,
        "low": low,
        "high": high,
        "score": score(value),
        "ends": between((low, high)),
        "gate": words.get(outcome or "", words["none"]),
        "refused": outcome == "refused",
        "series": entry["fingerprint"],
        "spoken": f"{short(entry['version'])}: {score(value)} ({between((low, high))})",
    }


COLOURS = (ACCENT, BAD, "#c08a1e", "#6f7fc4", "#8a6f5c", "#5f9e45", "#a05f9e")
