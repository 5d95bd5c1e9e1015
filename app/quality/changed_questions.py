"""Questions won and lost between two versions: a list, and of each what both found and why it moved."""

import streamlit as st

from app import frame
from app.figures import change as signed
from app.figures import score, short
from app.rendering import Html, plain_label
from app.texts import say, say_html
from evals.report import question_hits, summary
from evals.report.attribution import QuestionChange
from evals.report.release_report import ReleaseReport
from evals.report.security_trimming import Restricted

_LISTED = 8


def show_question_changes(found: ReleaseReport, hidden: Restricted) -> None:
    """Show the questions whose place changed, the greatest change first; each opens."""
    if not found.changes:
        return
    st.html(f'<h3 class="part">{say_html("quality-moved")}</h3>')
    if hidden.questions:
        st.html(f'<p class="quiet">{say_html("quality-hidden")}</p>')
    kinds = {"worse": found.worse, "better": found.better}
    kind = st.segmented_control(
        say("quality-moved"),
        list(kinds),
        default="worse" if found.worse else "better",
        required=True,
        format_func=lambda name: say(f"quality-{name}", count=len(kinds[name])),
        key="moved",
        label_visibility="collapsed",
    )
    shown = kinds[kind]
    if not shown:
        st.html(f'<p class="quiet">{say_html("quality-none-moved")}</p>')
    every = st.session_state.get("all-moved", False)
    for one in shown if every else shown[:_LISTED]:
        _show_change(found, one)
    if len(shown) > _LISTED and not every:
        st.button(say("quality-show-all", count=len(shown)), key="show-all-moved", on_click=_show_all)


def _show_all() -> None:
    st.session_state["all-moved"] = True


def _show_change(found: ReleaseReport, one: QuestionChange) -> None:
    """Show a question that moved; what both versions found is computed when it is opened."""
    opened = st.expander(_label(one), key=f"moved-{one.id}", on_change="rerun", icon=_ICONS[one.gain < 0])
    if opened.open:
        with opened:
            st.html(_why_html(found, one))
            st.html(_rankings_html(found, one))


def _label(one: QuestionChange) -> str:
    ranks = say("quality-ranks", before=_rank(one.rank_before), after=_rank(one.rank_after))
    return f"{plain_label(one.question)}  \n:small[{ranks} · {plain_label(signed(one.gain))}]"


def _why_html(found: ReleaseReport, one: QuestionChange) -> Html:
    """Render the cause, and what happened to the documents concerned."""
    plain = summary.CAUSE_PLAIN.get(one.cause or "")
    cause = say("quality-cause", cause=plain) if plain else say("quality-no-cause")
    if one.competition:
        cause += " " + say("quality-competition")
    items = Html("").join(
        Html("<li><b>{}</b> {}: {}</li>").format(
            document.title or document.uri,
            say("quality-ranks", before=_rank(document.before), after=_rank(document.after)),
            document.why,
        )
        for document in one.evidence
    )
    values = say("quality-values", metric=found.metric, before=score(one.before), after=score(one.after))
    return Html('<p class="about">{}</p><p class="quiet">{}</p><ul class="evidence">{}</ul>').format(
        cause, values, items
    )


def _rankings_html(found: ReleaseReport, one: QuestionChange) -> Html:
    """Render what either version found, best first, the right ones marked."""
    person = frame.person()
    sides = []
    for scores in (found.live, found.candidate):
        if scores is None:
            continue
        rows = question_hits.judged_hits(frame.workspace(), scores, one.id, person.principals)
        items = Html("").join(
            Html('<li class="{}"><b>{}</b>{}</li>').format(
                "right" if row.relevant else "",
                row.title or say("quality-unreadable-hit"),
                Html('<span class="unseen"> {}</span>').format(say("quality-right")) if row.relevant else "",
            )
            for row in rows
        )
        named = say("quality-found-by", version=short(scores.version))
        empty = Html('<p class="quiet">{}</p>').format(say("quality-found-nothing"))
        sides.append(
            Html("<div><h4>{}</h4>{}</div>").format(named, Html("<ol>{}</ol>").format(items) if rows else empty)
        )
    return Html('<div class="rankings">{}</div>').format(Html("").join(sides))


def _rank(rank: int | None) -> str:
    return say("quality-not-found") if rank is None else str(rank)


_ICONS = {True: ":material/trending_down:", False: ":material/trending_up:"}
