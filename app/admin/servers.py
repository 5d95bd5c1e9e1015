"""Models and servers: what is set up, and a real request to one of them."""

import streamlit as st

from app import frame
from app.figures import lasted
from app.rendering import Html
from app.texts import say, say_html
from rag_platform.operations.administering.endpoint_trials import Endpoint, Trial, endpoints, try_endpoint
from rag_platform.people.identity import Person


def show_servers(person: Person) -> None:  # noqa: ARG001 - as every part is called
    """Show each with a button that asks it."""
    st.html(f'<p class="about">{say_html("admin-servers-about")}</p>')
    for one in endpoints(frame.workspace().settings):
        with st.container(border=True, key=f"endpoint-{one.table.replace('.', '-')}", gap="small"):
            st.html(_endpoint_html(one))
            st.button(
                say("admin-try"), key=f"try-{one.table}", icon=":material/play_arrow:", on_click=_try, args=(one.table,)
            )
            if trial := st.session_state.get("trials", {}).get(one.table):
                st.html(_trial_html(trial))
    if not frame.workspace().settings.servers:
        st.html(f'<p class="quiet">{say_html("admin-no-server")}</p>')


def _try(table: str) -> None:
    with frame.friendly(), st.spinner(say("admin-trying")):
        st.session_state.setdefault("trials", {})[table] = try_endpoint(frame.workspace(), table)


def _endpoint_html(one: Endpoint) -> Html:
    key = (
        say("admin-key-set" if one.has_key else "admin-key-missing", name=one.key_variable) if one.key_variable else ""
    )
    facts = [say(f"admin-sort-{one.sort}"), one.url or say("admin-here"), *([key] if key else [])]
    return Html(
        '<div class="source"><h3>{} <small><code>[{}]</code></small></h3><div class="facts">{}</div></div>'
    ).format(one.model or say("admin-first-model"), one.table, " · ".join(facts))


def _trial_html(one: Trial) -> Html:
    badge = ("good", "admin-answers") if one.passed else ("bad", "admin-fails")
    return Html('<div class="file" role="status"><span class="state {}">{}</span> {} <small>{}</small></div>').format(
        badge[0], say(badge[1]), one.said, lasted(one.took_ms / 1000)
    )
