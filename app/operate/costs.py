"""The ledger: what each stage of each run did, wrote and took."""

from typing import Any

import polars as pl
import streamlit as st

from app import frame
from app.charts import bars
from app.figures import lasted, size, table
from app.operate.activity import STAGES
from app.rendering import Html
from app.texts import say, say_html
from rag_platform.monitoring.spending import by_day, by_run
from rag_platform.people.identity import Person

_RUNS = 40


def show_costs(person: Person) -> None:  # noqa: ARG001 - as every part is called
    """Show the time of each day by stage, then the newest runs."""
    path = frame.workspace().costs.path
    days = by_day(path)
    if days.is_empty():
        st.html(f'<div class="empty">{say("operate-no-costs")}</div>')
        return
    st.html(f'<h3 class="part">{say_html("operate-time-by-day")}</h3>')
    stages = [one for one in STAGES if one in set(days["stage"])]
    names = {one: say(f"operate-stage-{one}") for one in stages}
    rows = [_day_row(part, stages) for part in days.partition_by("day", maintain_order=True)]
    spoken = say("operate-time-spoken", days=len(rows), time=lasted(float(days["seconds"].sum())))
    st.altair_chart(bars(rows, names, spoken, unit=say("operate-seconds")), width="stretch")
    with st.expander(say("operate-as-table"), icon=":material/table_rows:"):
        head = [say("operate-day"), *("#" + name for name in names.values())]
        cells = ((row["label"], *(lasted(row[one]) for one in stages)) for row in reversed(rows))
        st.html(table(say("operate-time-by-day"), head, cells))
    st.html(f'<h3 class="part">{say_html("operate-runs")}</h3><p class="quiet">{say_html("operate-runs-mean")}</p>')
    for run in by_run(path, _RUNS).partition_by("run", maintain_order=True):
        with st.expander(_run_label(run), icon=":material/receipt_long:"):
            st.html(_run_table(run))


def _day_row(part: pl.DataFrame, stages: list[str]) -> dict[str, Any]:
    spent = dict(part.select("stage", "seconds").iter_rows())
    return {"label": part["day"][0], **{one: round(spent.get(one, 0.0), 1) for one in stages}}


def _run_label(run: pl.DataFrame) -> str:
    began = run["began"][0][:16].replace("T", " ")
    return say(
        "operate-run",
        began=began,
        stages=", ".join(_stage(one) for one in run["stage"]),
        time=lasted(float(run["seconds"].sum())),
        written=size(float(run["bytes"].sum())),
    )


def _run_table(run: pl.DataFrame) -> Html:
    head = [say("operate-stage"), "#" + say("operate-time"), "#" + say("operate-made"), "#~" + say("operate-reused"),
            "#~" + say("operate-tokens"), "#" + say("operate-written")]  # fmt: skip
    rows = [
        (
            _stage(row["stage"]),
            lasted(row["seconds"]),
            f"{row['made']:,}",
            f"{row['reused']:,}",
            f"{row['tokens']:,}",
            size(row["bytes"]),
        )
        for row in run.iter_rows(named=True)
    ]
    return table(say("operate-runs"), head, rows)


def _stage(name: str) -> str:
    return say(f"operate-stage-{name}") if name in STAGES else name
