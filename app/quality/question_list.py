"""The questions that judge versions: found, opened, brought in and taken along."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import frame
from app.quality.cached_reports import restricted, stamp
from app.rendering import Html, plain_label
from app.texts import say, say_html
from app.undo import is_leaving
from evals.questions import editing
from evals.questions.editing import StoredQuestion
from rag_platform.core.errors import RagError
from rag_platform.people.identity import Person

_SHOWN = 15


def visible_questions(person: Person) -> tuple[list[StoredQuestion], list[str]]:
    """Return the questions that this person may see, and where lines of the sets cannot be read."""
    stored, problems = editing.stored_questions(frame.workspace())
    closed = restricted(person).questions
    there = [one for one in stored if one.question.id not in closed and not is_leaving("question", one.line_hash)]
    return there, problems


def show_questions(person: Person) -> None:
    """Show the questions, with a search among them, and the ways in and out."""
    stored, problems = visible_questions(person)
    _show_ways(stored, person)
    for problem in problems[:5]:
        st.html(f'<div class="notes">{say_html("quality-malformed", where=problem)}</div>')
    if restricted(person).questions:
        st.html(f'<p class="quiet">{say_html("quality-hidden")}</p>')
    if not stored:
        st.html(f'<div class="empty">{say("quality-no-questions-yet")}</div>')
        return
    chosen = _chosen(stored)
    lost = _lost_ids(frame.workspace(), person.principals, stamp("lost"))
    pages = -(-len(chosen) // _SHOWN)
    page = st.session_state.get("questions-page", 1)
    for one in chosen[(min(page, pages) - 1) * _SHOWN :][:_SHOWN]:
        with st.container(
            border=True, horizontal=True, wrap=False, vertical_alignment="center", key=f"question-{one.line_hash}"
        ):
            st.html(_question_html(one, lost=one.question.id in lost))
            st.button(
                say("quality-edit"),
                key=f"edit-{one.line_hash}",
                type="tertiary",
                icon=":material/edit:",
                on_click=st.query_params.update,
                args=({"part": "edit", "id": one.question.id},),
            )
    if pages > 1:
        st.pagination(pages, key="questions-page")


def _show_ways(stored: Sequence[StoredQuestion], person: Person) -> None:
    """Show how questions come in and go out."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            say("quality-add"),
            type="primary",
            icon=":material/add:",
            on_click=st.query_params.update,
            args=({"part": "edit", "id": ""},),
        )
        if st.button(say("quality-import"), icon=":material/upload:"):
            _import(person)
        if stored:
            st.download_button(
                say("quality-export"),
                editing.export_set(stored),
                "questions.jsonl",
                "application/jsonl",
                icon=":material/download:",
                on_click="ignore",
            )


def _import(person: Person) -> None:
    frame.dialog(say("quality-import-title"))(_ask_file)(person)


def _ask_file(person: Person) -> None:
    st.html(f'<p class="about">{say("quality-import-means")}</p>')
    file = st.file_uploader(say("quality-import-file"), type=["jsonl", "json", "txt"], key="import-file")
    if file is None:
        return
    try:
        name = file.name if file.name.endswith(".jsonl") else editing.OWN
        count, lost = editing.import_set(frame.workspace(), file.getvalue(), person.principals, name=name)
    except RagError as error:
        st.error(plain_label(str(error)), icon=":material/error:")
        return
    st.session_state["notice"] = say("quality-imported", count=count, lost=len(lost))
    st.rerun()


def _chosen(stored: Sequence[StoredQuestion]) -> list[StoredQuestion]:
    """Let the user narrow the list by words and by set."""
    left, right = st.columns([2, 1])
    words = left.text_input(
        say("quality-find-question"), key="find", type="search", placeholder=say("quality-find-question-hint")
    )
    sets = sorted({one.path.name for one in stored})
    name = right.selectbox(say("quality-set"), ["", *sets], format_func=lambda one: one or say("quality-all-sets"))
    wanted = words.casefold().split()
    return [
        one
        for one in stored
        if (not name or one.path.name == name) and all(word in _searchable(one) for word in wanted)
    ]


def _searchable(one: StoredQuestion) -> str:
    question = one.question
    return f"{question.question} {question.id} {' '.join(question.tags)}".casefold()


def _question_html(one: StoredQuestion, *, lost: bool) -> Html:
    question = one.question
    kinds = [] if question.answerable else [("odd", say("quality-unanswerable"))]
    kinds += [("bad", say("quality-lost"))] if lost else []
    kinds += [("", tag) for tag in question.tags[:4]]
    marks = Html(" ").join(Html('<span class="state {}">{}</span>').format(*kind) for kind in kinds)
    facts = [one.path.name, say("quality-train") if question.split == "train" else "", question.principal or ""]
    return _QUESTION.format(question.question, marks, " · ".join(filter(None, facts)))


_QUESTION = Html('<div class="file"><div class="name">{}</div><div class="facts">{} <span>{}</span></div></div>')


@st.cache_resource(show_spinner=False, max_entries=16)
def _lost_ids(_workspace: Any, principals: tuple[str, ...], stamp: str) -> frozenset[str]:  # noqa: ARG001
    """Return the ids of questions whose quotes are not in the live version."""
    stored, _ = editing.stored_questions(_workspace)
    problems = editing.missing_quotes(_workspace, [one.question for one in stored], principals)
    return frozenset(problem.split("#")[0] for problem in problems)
