"""How good the newest version is: the gate's verdict in plain words, scores over time and beside the live version's."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import frame
from app.charts import scores_over_time, whisker
from app.figures import between, cards, change, score, short, small, table, with_short
from app.notices import show_notices, status_for
from app.quality.cached_reports import history, release_report, restricted
from app.quality.changed_questions import show_question_changes
from app.rendering import Html, plain_label
from app.texts import say, say_html
from evals.report import summary
from evals.report.release_report import ReleaseReport
from evals.report.score_tables import ScoreRow
from rag_platform.operations.background_jobs import evaluation_state, start_evaluation
from rag_platform.people.identity import Person

_BADGES = {"passed": "good", "refused": "bad", "rescore": "odd"}


def show_overview(person: Person) -> None:
    """Show the version that was built last, against the one it was judged against."""
    versions = frame.workspace().versions
    show_notices(status_for(person).notices, person)
    version = versions.candidate_id() or versions.live_id()
    if version is None:
        st.html(f'<div class="empty">{say("quality-nothing-built")}</div>')
        return
    show_evaluating(version)
    if versions.manifest(version).keys().isdisjoint(("verdict", "unreadable")):
        st.html(f'<div class="empty">{say_html("quality-never", version=short(version))}</div>')
    else:
        with frame.friendly():
            found = release_report(version, person)
            st.html(_verdict_html(found))
            _show_history(found.metric)
            _show_scores(found)
            show_question_changes(found, restricted(person))


def show_evaluating(version: str) -> None:
    """Show the evaluation that is running, live; or a button that starts one, and how the last one ended."""
    state = evaluation_state(frame.workspace())
    if state["running"]:
        _watch()
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="evaluate"):
        live = version == frame.workspace().versions.live_id()
        note = say_html("quality-newest-live" if live else "quality-newest", version=short(version))
        st.html(f'<div class="quiet" title="{version}">{note}</div>')
        st.button(
            say("quality-evaluate"),
            icon=":material/science:",
            on_click=_begin,
            args=(version,),
            help=say("quality-evaluate-help"),
        )
    if state["last"] and state["last"].get("errors"):
        st.warning(
            plain_label(say("quality-failed", reason=" ".join(state["last"]["errors"]))), icon=":material/error:"
        )


def _begin(version: str) -> None:
    with frame.friendly():
        start_evaluation(frame.workspace(), version)


@st.fragment(run_every=0.7)
def _watch() -> None:
    state = evaluation_state(frame.workspace())
    if not state["running"]:
        frame.refresh()
    doing = state["doing"]
    if doing and doing["total"]:
        share = min(doing["done"] / doing["total"], 1.0)
        st.progress(share, say("quality-evaluating-of", done=doing["done"], total=doing["total"]))
    else:
        st.progress(0.0, say("quality-evaluating"))


def _verdict_html(found: ReleaseReport) -> str:
    """Render the verdict: what it means, its reasons, and the numbers that matter most."""
    outcome = found.verdict.outcome
    words, reasons = (
        [*map(with_short, said)] for said in (summary.summary_sentences(found), dict.fromkeys(found.verdict.reasons))
    )
    badge = Html('<span class="state {}">{}</span>').format(_BADGES.get(outcome, "odd"), say(f"quality-{outcome}"))
    listed = Html("").join(Html("<li>{}</li>").format(reason) for reason in reasons)
    return Html(
        '<div class="verdict {}"><h3>{} {}</h3><p>{}</p>'
        '<details class="more"><summary>{}</summary><ul>{}</ul></details></div>{}'
    ).format(
        outcome,
        badge,
        say("quality-verdict-of", version=short(found.candidate.version)),
        " ".join(words),
        say("quality-reasons", count=len(reasons)),
        listed,
        _cards(found),
    )


def _cards(found: ReleaseReport) -> Html:
    """Render the numbers that people look at first."""
    shown, row, means = [], found.headline, found.candidate.means
    if row:
        shown.append((row.name, score(row.value), _sure(between(row.interval))))
        if row.gain is not None:
            shown.append((say("quality-against-live"), change(row.gain), _sure(between(row.gain_interval))))
    if found.changes:
        moved = say("quality-card-moved", better=len(found.better), worse=len(found.worse))
        shown.append((say("quality-card-questions"), moved, say("quality-of", count=len(found.changes))))
    if "ms_p50" in means:
        slower = say("quality-card-p95", ms=round(means["ms_p95"]))
        shown.append((say("quality-card-search"), score(means["ms_p50"], "ms_"), slower))
    return cards(shown)


def _sure(ends: str) -> str:
    return say("quality-interval", ends=ends) if ends else ""


def _show_history(metric: str) -> None:
    """Show a measure over all evaluations, with intervals; a table says the same."""
    past = history()
    names = [name for name in dict.fromkeys([metric, *(name for entry in past for name in entry["means"])]) if name]
    names = [name for name in names if not name.startswith("ms_") and any(name in entry["means"] for entry in past)]
    if not names:
        return
    st.html(f'<h3 class="part">{say_html("quality-over-time")}</h3>')
    chosen = st.selectbox(say("quality-measure"), names, key="measure", bind="query-params", width=260)
    drawn = scores_over_time(past, chosen, _words())
    if drawn is not None:
        st.altair_chart(drawn, width="stretch")
        st.html(f'<p class="quiet">{say_html("quality-chart-key")}</p>')
    else:
        st.html(f'<p class="quiet">{say_html("quality-one-evaluation")}</p>')
    with st.expander(say("quality-all-evaluations", count=len(past)), icon=":material/table_rows:"):
        st.html(_history_table(past, chosen))


def _words() -> dict[str, str]:
    words = {outcome: say(f"quality-{outcome}") for outcome in _BADGES} | {"none": say("quality-scored-again")}
    return words | {
        "version": say("quality-version"),
        "interval": say("quality-interval-95"),
        "gate": say("quality-gate"),
    }


def _history_table(past: Sequence[dict[str, Any]], metric: str) -> Html:
    head = [say("quality-version"), say("quality-on"), "#" + metric, "#" + say("quality-interval-95"),
            "#~" + say("quality-questions"), "~" + say("quality-gate")]  # fmt: skip
    rows = [
        (
            short(entry["version"]),
            str(entry.get("at", ""))[:10],
            score(entry["means"].get(metric), metric),
            between(entry.get("intervals", {}).get(metric)),
            f"{entry.get('questions', 0):,}",
            say(f"quality-{entry['outcome']}") if entry.get("outcome") in _BADGES else say("quality-scored-again"),
        )
        for entry in reversed(past[-200:])
    ]
    return table(say("quality-over-time"), head, rows)


def _show_scores(found: ReleaseReport) -> None:
    """Show every measure of the candidate beside the live version's."""
    if not found.families:
        st.html(f'<div class="empty">{say("quality-no-questions")}</div>')
        return
    live = found.compared
    names = {"now": short(found.candidate.version), "then": short(live.version) if live else ""}
    heading = say_html("quality-side-by-side", **names) if live else say_html("quality-scores")
    st.html(f'<h3 class="part">{heading}</h3>')
    if found.live and not live:
        st.html(f'<p class="quiet">{say_html("quality-other-questions")}</p>')
    first, *rest = found.families.items()
    st.html(_family_html(*first, names))
    if rest:
        with st.expander(say("quality-more-measures"), icon=":material/table_rows:"):
            st.html(Html("").join(_family_html(*family, names) for family in rest))
    for title, rows in found.groups.items():
        with st.expander(say("quality-by", group=title.lower(), metric=found.metric), icon=":material/category:"):
            st.html(_family_html(title, rows, names))


def _family_html(title: str, rows: Sequence[ScoreRow], names: dict[str, str]) -> Html:
    head = [title, "#" + names["now"]]
    reach = max([*(abs(end) for row in rows if row.gain_interval for end in row.gain_interval), 0.02])
    if names["then"]:
        head += ["#~" + names["then"], "#" + say("quality-change"), "~"]
    made = []
    for row in rows:
        cells = [Html("{}{}").format(row.name, small(row.meaning)), score(row.value, row.name)]
        if names["then"]:
            ends = between(row.gain_interval, row.name)
            gain = Html("{}{}").format(change(row.gain, row.name), small(ends))
            drawn = whisker(row.gain, row.gain_interval, reach) if row.gain is not None and row.gain_interval else ""
            cells += [score(row.live, row.name), gain, drawn]
        made.append(cells)
    return table(title, head, made, kind="scored")
