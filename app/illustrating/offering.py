"""Charts of the tables of an answer, each behind a click: until then nothing of them is computed or loaded."""

from collections.abc import Iterable, Iterator

import streamlit as st

from app.illustrating.chart_choice import ChartChoice, choose
from app.illustrating.charting import chart
from app.rendering import plain_label
from app.texts import say
from rag_platform.provenance.cited_text import CitedTable
from rag_platform.text.notation.markdown_tables import tables_in

_MOST = 3
"""Charts that are offered for one answer."""


def offer_charts(answer: str, cited: Iterable[CitedTable], turn: int) -> None:
    """Offer a chart of each table of an answer, and of each that it quotes, of which one makes sense."""
    for place, (title, choice) in enumerate(_choices(answer, cited)):
        if place == _MOST:
            return
        _offer(title, choice, f"chart-{turn}-{place}")


def _choices(answer: str, cited: Iterable[CitedTable]) -> Iterator[tuple[str, ChartChoice]]:
    named = [("", table) for table in tables_in(answer)]
    named += [(found.citations[0].title or found.citations[0].uri, found.table) for found in cited]
    for title, table in named:
        if choice := choose(table):
            yield title, choice


@st.fragment
def _offer(title: str, choice: ChartChoice, key: str) -> None:
    """Show the way to a chart, and once it is asked for the chart."""
    shown = bool(st.session_state.get(f"{key}-shown"))
    words = "hide" if shown else "show"
    label = say(f"ask-chart-{words}", title=plain_label(title)) if title else say(f"ask-chart-{words}-own")
    st.button(label, icon=":material/bar_chart:", type="tertiary", key=key, on_click=_turn, args=(key, not shown))
    if shown:
        names = ", ".join(one.name for one in choice.series)
        st.altair_chart(chart(choice, say("ask-chart-spoken", names=names, by=choice.named)), width="stretch")


def _turn(key: str, shown: bool) -> None:
    st.session_state[f"{key}-shown"] = shown
