"""Tables of numbers as charts: drawn when somebody asks for it, so that nobody else waits for what draws them."""

from typing import TYPE_CHECKING, Any

from app.charts import COLOURS, data
from app.illustrating.chart_choice import ChartChoice
from app.texts import upright

if TYPE_CHECKING:
    import altair as alt


def chart(choice: ChartChoice, spoken: str) -> "alt.Chart":
    """Draw what was chosen of a table: lines over time, else bars.

    Args:
        choice: what to draw.
        spoken: what the chart says, in a sentence.
    """
    import altair as alt

    names = [upright(one.name) for one in choice.series]
    colours = alt.Scale(domain=names, range=list(COLOURS[: len(names)]))
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=260) if len(names) > 1 else None
    value = alt.X("value:Q", title=_axis(choice), axis=alt.Axis(tickCount=5, grid=True, format=_format(choice)))
    tooltip = [
        alt.Tooltip("label:N", title=upright(choice.named) or " "),
        alt.Tooltip("kind:N", title=" "),
        alt.Tooltip("written:N", title=choice.unit or " "),
    ]
    base = alt.Chart(data(_points(choice))).encode(
        color=alt.Color("kind:N", scale=colours, legend=legend), tooltip=tooltip
    )
    if choice.dated:
        across = alt.X("label:T", title=upright(choice.named) or None, axis=alt.Axis(labelOverlap=True, grid=False))
        up = alt.Y(
            "value:Q",
            title=_axis(choice),
            scale=alt.Scale(zero=False),
            axis=alt.Axis(format=_format(choice), tickCount=5),
        )
        drawn = base.mark_line(point=True, strokeWidth=2).encode(x=across, y=up).properties(height=260)
    else:
        down = alt.Y("label:N", title=None, sort=None, axis=alt.Axis(labelLimit=220, ticks=False, domain=False))
        bars = base.mark_bar(cornerRadiusEnd=2).encode(x=value, y=down)
        offset = alt.YOffset("kind:N", sort=names)
        drawn = bars.encode(yOffset=offset) if len(names) > 1 else bars
        drawn = drawn.properties(height=alt.Step(22 if len(names) == 1 else 13))
    found: alt.Chart = drawn.properties(description=spoken)
    return found


def _axis(choice: ChartChoice) -> str | None:
    if len(choice.series) > 1:
        return upright(choice.unit) or None
    name = upright(choice.series[0].name)
    return name if not choice.unit or choice.unit in name else f"{name} ({upright(choice.unit)})"


def _format(choice: ChartChoice) -> str:
    """Return how the axis writes its numbers: large ones in short."""
    most = max(abs(value) for one in choice.series for value in one.values if value is not None)
    return "~s" if most >= 100_000 else ",~r" if most >= 1 else "~g"


def _points(choice: ChartChoice) -> list[dict[str, Any]]:
    return [
        {
            "label": upright(label),
            "kind": upright(one.name),
            "value": value,
            "written": _written(value),
        }
        for one in choice.series
        for label, value in zip(choice.labels, one.values, strict=True)
        if value is not None
    ]


def _written(value: float) -> str:
    return f"{value:,.12g}"
