"""What is asked: how much a day, what took long, and what the documents did not answer."""

from datetime import UTC, datetime

import polars as pl
import streamlit as st

from app import frame
from app.charts import bars
from app.chat.missing import add_document_link
from app.figures import NONE, cards, lasted, table
from app.parts import choose_days
from app.rendering import Html, age, plain_label
from app.texts import say, say_html
from rag_platform.core.errors import RagError
from rag_platform.journal.unanswered import MOST, Group, singletons
from rag_platform.journal.usage import STAGES, SlowAnswer, per_day, slowest
from rag_platform.people.identity import Person

_GROUPS = 20


def show_questions(person: Person) -> None:
    """Show use by day, then slow and unanswered questions."""
    days = choose_days("period")
    workspace = frame.workspace()
    workspace.uses.flush()
    used = per_day(workspace.journal, days)
    if not used["questions"].sum() and not used["searches"].sum():
        st.html(f'<div class="empty">{say("operate-nothing-asked")}</div>')
        return
    _show_days(used)
    _show_unanswered(days, person)
    _show_slow(days)


def _show_days(used: pl.DataFrame) -> None:
    """Show questions a day as a chart, and all numbers as a table."""
    questions, declined, searches = (int(used[name].sum()) for name in ("questions", "unanswered", "searches"))
    share = say("operate-share", percent=f"{declined / questions:.0%}") if questions else ""
    first = (say("operate-questions"), f"{questions:,}", "")
    others = (say("operate-searches"), f"{searches:,}", say("operate-searches-mean"))
    st.html(cards([first, (say("operate-unanswered"), f"{declined:,}", share), others]))
    names = {"answered": say("operate-answered"), "unanswered": say("operate-unanswered")}
    rows = used.select(
        label=pl.col("day").cast(pl.String),
        answered=pl.col("questions") - pl.col("unanswered"),
        unanswered="unanswered",
    ).to_dicts()
    spoken = say("operate-days-spoken", questions=questions, days=used.height, unanswered=declined)
    st.altair_chart(bars(rows, names, spoken, days=True), width="stretch")
    head = [say("operate-day"), *("#" + say(f"operate-{name}") for name in ("questions", "unanswered")),
            "#~" + say("operate-median"), "#" + say("operate-p95"), "#~" + say("operate-searches")]  # fmt: skip
    cells = [
        (str(day), f"{questions:,}", f"{none:,}", _ms(p50), _ms(p95), f"{searches:,}")
        for day, questions, none, p50, p95, searches in used.reverse().iter_rows()
    ]
    with st.expander(say("operate-as-table"), icon=":material/table_rows:"):
        st.html(table(say("operate-by-day"), head, cells))


def _show_unanswered(days: int, person: Person) -> None:
    """Show what was not answered, by what it is about, most asked first; each can become an evaluation question."""
    st.html(f'<h3 class="part">{say_html("operate-unanswered-part")}</h3>')
    unanswered = frame.workspace().unanswered
    questions = unanswered.asked(days)
    if not questions:
        st.html(f'<p class="quiet">{say_html("operate-all-answered")}</p>')
        return
    try:
        with st.spinner(say("operate-grouping")):
            groups = unanswered.groups(questions)
    except RagError as error:
        st.html(f'<div class="notes">{say_html("operate-no-model", reason=str(error))}</div>')
        groups = singletons(questions)
    st.html(f'<p class="quiet">{say_html("operate-unanswered-mean")}</p>')
    if len(questions) > MOST:
        st.html(f'<p class="quiet">{say_html("operate-most-asked", most=MOST, of=len(questions))}</p>')
    shown = groups if st.session_state.get("all-groups") else groups[:_GROUPS]
    for one in shown:
        _show_group(one, person)
    if len(groups) > len(shown):
        st.button(
            say("operate-show-all", count=len(groups)), on_click=st.session_state.update, args=({"all-groups": True},)
        )


def _show_group(group: Group, person: Person) -> None:
    first = group.questions[0]
    last = age(group.last, datetime.now(UTC))
    summary = say("operate-asked-times", times=group.times, wordings=len(group.questions), last=last)
    label = f"{plain_label(first.question)}  \n:small[{plain_label(summary)}]"
    opened = st.expander(label, key=f"group-{first.receipt_id}", on_change="rerun", icon=":material/help:")
    if not opened.open:
        return
    with opened:
        items = Html("").join(
            Html("<li>{} <small>{}</small></li>").format(one.question, say("operate-times", times=one.times))
            for one in group.questions[:_GROUPS]
        )
        st.html(Html('<ul class="evidence">{}</ul>').format(items))
        with st.container(horizontal=True):
            add_document_link(first.receipt_id)
            for good, key in ((False, "operate-propose"), (True, "operate-propose-unanswerable")):
                st.button(
                    say(key),
                    key=f"{key}-{first.receipt_id}",
                    type="tertiary" if good else "secondary",
                    icon=":material/block:" if good else ":material/add_task:",
                    help=say(f"{key}-help"),
                    on_click=_propose,
                    args=(first.receipt_id, person),
                    kwargs={"good": good},
                )


def _propose(receipt: str, person: Person, *, good: bool) -> None:
    """Propose a question for the evaluation: as one that should be answered, or where declining was right."""
    try:
        frame.workspace().feedback.give(receipt, good, principal=person.id, reason=None if good else "unanswered")
        st.session_state["notice"] = say("operate-proposed")
    except RagError as error:
        st.session_state["notice"] = str(error)


def _show_slow(days: int) -> None:
    """Show the answers that took longest, by the stage that took it."""
    st.html(f'<h3 class="part">{say_html("operate-slow")}</h3><p class="quiet">{say_html("operate-slow-mean")}</p>')
    stage = st.segmented_control(
        say("operate-stage"),
        list(STAGES),
        default="total",
        required=True,
        format_func=lambda name: say(f"operate-took-{name}"),
        key="slow-stage",
        label_visibility="collapsed",
    )
    found = slowest(frame.workspace().journal, days, stage)
    head = [
        say("operate-question"),
        "#" + say(f"operate-took-{stage}"),
        "~" + say("operate-model"),
        "~" + say("operate-when"),
    ]
    st.html(table(say("operate-slow"), head, [_slow_row(one, stage) for one in found]))


def _slow_row(one: SlowAnswer, stage: str) -> tuple[Html, str, str, str]:
    parts = [f"{say(f'operate-took-{name}')} {_ms(one.took_ms[name])}" for name in STAGES if name in one.took_ms]
    question = one.question if len(one.question) <= 200 else f"{one.question[:200]} …"
    cell = Html("{}<small>{}</small>").format(question, " · ".join(parts))
    return cell, _ms(one.took_ms.get(stage)), frame.writer_name(one.model), age(one.asked_at, datetime.now(UTC))


def _ms(value: float | None) -> str:
    return NONE if value is None else lasted(value / 1000)
