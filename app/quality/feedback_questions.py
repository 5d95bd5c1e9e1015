"""Questions that people's judgements propose: taken into a set, or dismissed."""

from contextlib import suppress
from functools import partial

import streamlit as st

from app import frame
from app.figures import short
from app.rendering import Html, age, excerpt
from app.texts import say, say_html
from app.undo import is_leaving, take_away
from rag_platform.core.errors import RagError
from rag_platform.journal.proposals import Proposal, Proposals
from rag_platform.people.identity import Person

_SHOWN = 30
_ANSWER = 320
"""Characters of an answer that are shown."""


def show_proposed(person: Person) -> None:
    """Show what waits for a decision, the newest first."""
    proposals = frame.workspace().proposals
    readable = proposals.list(person.principals)
    closed = proposals.count() - len(readable)
    found = [one for one in readable if not is_leaving("proposal", one.id)]
    if closed > 0:
        st.html(f'<p class="quiet">{say_html("quality-hidden")}</p>')
    if not found:
        st.html(f'<div class="empty">{say("quality-nothing-proposed")}</div>')
    for one in found[:_SHOWN]:
        with st.container(border=True, key=f"proposal-{one.id}", gap="small"):
            st.html(_proposal_html(one))
            with st.container(horizontal=True):
                st.button(
                    say("quality-accept"),
                    key=f"accept-{one.id}",
                    icon=":material/add_task:",
                    on_click=st.query_params.update,
                    args=({"part": "edit", "proposal": one.id},),
                )
                st.button(
                    say("quality-dismiss"),
                    key=f"dismiss-{one.id}",
                    type="tertiary",
                    icon=":material/close:",
                    on_click=take_away,
                    args=(
                        ("proposal", one.id),
                        one.question,
                        partial(_dismiss, frame.workspace().proposals, one.id, person.id or person.name),
                        person.id,
                    ),
                )
    if len(found) > _SHOWN:
        st.html(f'<p class="quiet">{say_html("quality-more", count=len(found) - _SHOWN)}</p>')


def _dismiss(proposals: Proposals, proposal: str, who: str) -> None:
    """Dismiss a proposal; somebody else may have decided before."""
    with suppress(RagError):
        proposals.dismiss(proposal, who)


def _proposal_html(one: Proposal) -> Html:
    """Render what was asked and answered, and what somebody thought of it; not who."""
    good = "quality-judged-good" if one.receipt.abstained else "quality-judged-better"
    judged = say(good if one.good else f"quality-why-{one.reason or 'other'}")
    said = Html("<blockquote>{}</blockquote>").format(one.comment) if one.comment else Html("")
    answer = excerpt(one.receipt.answer)
    answer = answer if len(answer) <= _ANSWER else f"{answer[:_ANSWER].rsplit(' ', 1)[0]} …"
    when = age(one.judged_at)
    return Html(
        '<div class="source"><h3>{}</h3><div class="facts"><span class="state {}">{}</span> {}</div>{}'
        '<p class="quiet">{}</p></div>'
    ).format(
        one.question,
        "odd" if one.good else "bad",
        judged,
        say("quality-judged", when=when, version=short(one.version)),
        said,
        say("quality-answered", answer=answer),
    )
