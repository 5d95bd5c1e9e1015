"""What people thought of answers, over time; the worst questions, each a question of the gate at a click."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from app import frame
from app.charts import bars
from app.figures import cards, table
from app.parts import choose_days
from app.rendering import Html, age, plain_label
from app.searching.results import choice_name
from app.texts import say, say_html
from evals.questions.accepted_feedback import accept_proposal
from rag_platform.core.errors import NotFound, QuestionSetError
from rag_platform.journal.unanswered import Group
from rag_platform.operations.asking.feedback_report import FeedbackReport, Rated, feedback_report
from rag_platform.people.identity import Person

_SHOWN = 20


def show_judged(person: Person) -> None:
    """Show the judgements of some days, as far as this person may know of them."""
    days = choose_days("judged-period")
    report = feedback_report(frame.workspace(), days, person.principals)
    if report.hidden:
        st.html(f'<p class="quiet">{say_html("quality-hidden")}</p>')
    good, bad = (sum(getattr(one, name) for one in report.days) for name in ("good", "bad"))
    if not good + bad:
        st.html(f'<div class="empty">{say("quality-judged-none")}</div>')
        _show_rated(say("quality-judged-preferred"), report.preferred)
        return
    rate = f"{good / (good + bad):.0%}"
    shown = [(say("quality-judged-all"), f"{good + bad:,}", ""), (say("quality-judged-rate"), rate, "")]
    st.html(cards([*shown, (say("quality-judged-bad"), f"{bad:,}", "")]))
    _show_days(report, good, bad)
    collections = [replace(one, name=choice_name("collection", one.name)) for one in report.collections]
    _show_rated(say("quality-judged-by-collection"), collections)
    written = [replace(one, name=frame.writer_name(one.name)) for one in report.generators]
    _show_rated(say("quality-judged-by-generator"), written)
    _show_rated(say("assistants-title"), report.assistants)
    _show_rated(say("quality-judged-preferred"), report.preferred)
    _show_worst(report, person)


def _show_days(report: FeedbackReport, good: int, bad: int) -> None:
    names = {"good": say("quality-judged-were-good"), "bad": say("quality-judged-were-bad")}
    rows = [{"label": one.name, "good": one.good, "bad": one.bad} for one in report.days]
    spoken = say("quality-judged-spoken", good=good, bad=bad, days=len(rows))
    st.html(Html('<h3 class="part">{}</h3>').format(say("quality-judged-by-day")))
    st.altair_chart(bars(rows, names, spoken, days=True), width="stretch")
    with st.expander(say("operate-as-table"), icon=":material/table_rows:"):
        st.html(_rated_table(say("quality-judged-by-day"), [*reversed(report.days)]))


def _show_rated(heading: str, rated: Sequence[Rated]) -> None:
    if rated:
        st.html(Html('<h3 class="part">{}</h3>').format(heading) + _rated_table(heading, rated))


def _rated_table(caption: str, rated: Sequence[Rated]) -> Html:
    names = ("were-good", "were-bad", "rate")
    head = [say("quality-judged-name"), *("#" + say(f"quality-judged-{name}") for name in names)]
    rows = ((one.name, f"{one.good:,}", f"{one.bad:,}", f"{one.good / (one.good + one.bad or 1):.0%}") for one in rated)
    return table(caption, head, rows, kind="named")


def _show_worst(report: FeedbackReport, person: Person) -> None:
    if not report.worst:
        return
    st.html(Html('<h3 class="part">{}</h3>').format(say("quality-judged-worst")))
    reasons = ", ".join(
        say("quality-judged-reason", reason=say(f"quality-why-{reason or 'other'}"), count=count)
        for reason, count in report.reasons
    )
    why = say_html("quality-judged-reasons", reasons=reasons)
    st.html(f'<p class="quiet">{say_html("quality-judged-worst-mean")} {why}</p>')
    for group in report.worst[:_SHOWN]:
        _show_group(group, person)


def _show_group(group: Group, person: Person) -> None:
    first = group.questions[0]
    facts = f"{say('quality-judged-times', times=group.times)} · {age(group.last)}"
    label = f"{plain_label(first.question)}  \n:small[{plain_label(facts)}]"
    with st.expander(label, key=f"worst-{first.receipt_id}", icon=":material/thumb_down:"):
        items = Html("").join(Html("<li>{}</li>").format(one.question) for one in group.questions[:_SHOWN])
        st.html(Html('<ul class="evidence">{}</ul>').format(items))
        with st.container(horizontal=True):
            st.button(
                say("quality-judged-make"),
                key=f"make-{first.receipt_id}",
                icon=":material/add_task:",
                help=say("quality-judged-make-help"),
                on_click=_make,
                args=(first.receipt_id, person),
            )
            st.button(
                say("quality-judged-edit"),
                key=f"look-{first.receipt_id}",
                type="tertiary",
                icon=":material/edit_note:",
                on_click=_edit,
                args=(first.receipt_id,),
            )


def _make(receipt: str, person: Person) -> None:
    """Make a question of the gate of what was judged; where it cannot be as it is, open it in the editor."""
    try:
        accept_proposal(frame.workspace(), receipt, who=person.id or person.name, principals=person.principals)
    except NotFound:
        st.session_state["notice"] = say("quality-judged-decided")
    except QuestionSetError as error:
        st.session_state["notice"] = str(error)
        _edit(receipt)
    else:
        st.session_state["notice"] = say("quality-judged-made")


def _edit(receipt: str) -> None:
    st.query_params.update({"part": "edit", "proposal": receipt})
