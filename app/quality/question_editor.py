"""One question: its words, and the places that answer it, found by searching and picked from the text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from app import frame
from app.navigation import set_title
from app.quality.question_list import visible_questions
from app.quality.report_page import back
from app.rendering import Html, excerpt, one_line, place, plain_label
from app.texts import say, say_html
from app.undo import take_away
from evals.questions import editing
from evals.questions.accepted_feedback import accept_proposal
from evals.questions.editing import StoredQuestion
from evals.questions.question import SHORTEST_QUOTE, SPLITS
from rag_platform.core.errors import RagError
from rag_platform.core.hits import Filters, Hit
from rag_platform.core.principals import PUBLIC
from rag_platform.journal.proposals import Proposal
from rag_platform.people.identity import Person
from rag_platform.text.sentences import split_sentences

_FOUND = 6
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Draft:
    """What is being written, before it is a question."""

    key: str
    """Of its widgets."""
    row: dict[str, Any]
    """As a set has it."""
    stored: StoredQuestion | None = None
    proposal: Proposal | None = None


def show_editor(person: Person) -> None:
    """Show the form of the question that the address names; of a new one when it names none."""
    draft = _draft(person)
    back("proposed" if draft and draft.proposal else "questions")
    if draft is None:
        st.html(f'<div class="empty">{say("quality-no-such-question")}</div>')
        return
    heading = "quality-accepting" if draft.proposal else "quality-editing" if draft.stored else "quality-adding"
    set_title(say(heading))
    st.html(f'<h2 class="title">{say_html(heading)}</h2>')
    row = _fields(draft)
    if row["answerable"]:
        row["relevant"] = _labels(draft, person)
    row |= _details(draft)
    with st.container(horizontal=True):
        if st.button(say("quality-save"), type="primary", icon=":material/check:"):
            _save(draft, row, person)
        if draft.stored and st.button(say("quality-delete"), type="tertiary", icon=":material/delete:"):
            _delete(draft, draft.stored, person)


def _draft(person: Person) -> Draft | None:
    wanted, proposed = st.query_params.get("id", ""), st.query_params.get("proposal", "")
    if proposed:
        try:
            found = frame.workspace().proposals.find(proposed, person.principals)
        except RagError:
            return None
        relevant = [{"uri": one.uri, "quote": one_line(one.quote)} for one in found.cited]
        row = {"question": found.question, "relevant": relevant, "answerable": found.answerable}
        return Draft(f"proposal-{found.id}", row, proposal=found)
    if not wanted:
        return Draft("new", {})
    stored = next((one for one in visible_questions(person)[0] if one.question.id == wanted), None)
    return Draft(f"question-{stored.line_hash}", stored.row, stored) if stored else None


def _fields(draft: Draft) -> dict[str, Any]:
    key, row = draft.key, draft.row
    question = st.text_area(
        say("quality-question"), row.get("question", ""), key=f"{key}-question", max_chars=_LONGEST, height=80,
        placeholder=say("quality-question-hint"),
    )  # fmt: skip
    answers_it, about = row.get("answerable", True), say("quality-answerable-help")
    answerable = st.toggle(say("quality-answerable"), answers_it, key=f"{key}-answerable", help=about)
    answer = row.get("answer") or []
    answers = [answer] if isinstance(answer, str) else answer
    written = ""
    if answerable:
        written = st.text_input(
            say("quality-answer"), " | ".join(answers), key=f"{key}-answer", help=say("quality-answer-help")
        )
    accepted = [one.strip() for one in written.split("|") if one.strip()]
    return {
        "id": row.get("id", ""),
        "question": question.strip(),
        "answerable": None if answerable else False,
        "answer": accepted[0] if len(accepted) == 1 else accepted,
    } | {"answerable": answerable}


def _labels(draft: Draft, person: Person) -> list[dict[str, Any]]:
    """Show the places that answer the question, and the way to another."""
    key = f"{draft.key}-labels"
    labels: list[dict[str, Any]] = st.session_state.setdefault(key, [*(draft.row.get("relevant") or [])])
    st.html(f'<h3 class="part">{say_html("quality-places")}</h3><p class="quiet">{say_html("quality-places-mean")}</p>')
    for number, label in enumerate(labels):
        with st.container(border=True, horizontal=True, wrap=False, vertical_alignment="center", key=f"{key}-{number}"):
            quote = Html('<div class="source"><blockquote>{}</blockquote><div class="facts">{}</div></div>')
            st.html(quote.format(label["quote"], label["uri"]))
            st.button(
                say("quality-remove-place", number=number + 1),
                key=f"{key}-remove-{number}",
                type="tertiary",
                icon=":material/close:",
                on_click=labels.__delitem__,
                args=(number,),
            )
    _find_place(draft, person, labels.append)
    return labels


def _find_place(draft: Draft, person: Person, take: Callable[[dict[str, Any]], None]) -> None:
    """Search, choose a passage, and pick the words of it that answer."""
    key = f"{draft.key}-{len(st.session_state[f'{draft.key}-labels'])}"  # another place, another search
    words = st.text_input(
        say("quality-search"), key=f"{key}-search", type="search", icon=":material/search:",
        placeholder=say("quality-search-hint"), max_chars=_LONGEST,
    )  # fmt: skip
    if not words.strip():
        return
    with frame.friendly():
        frame.workspace().rates.take("searches", person.id)
        filters = Filters(principals=person.principals)
        options: dict[str, Any] = {"k": _FOUND, "filters": filters, "per_document": 2, "who": frame.named(person)}
        hits = frame.workspace().retriever.search(words.strip(), **options).hits
        if not hits:
            st.html(f'<p class="quiet">{say_html("quality-search-nothing")}</p>')
            return
        names = [_hit_label(hit) for hit in hits]
        chosen = st.radio(
            say("quality-choose-passage"), range(len(hits)), key=f"{key}-passage", format_func=names.__getitem__
        )
        _pick(hits[chosen], f"{key}-{hits[chosen].chunk_id}", take)


def _pick(hit: Hit, key: str, take: Callable[[dict[str, Any]], None]) -> None:
    """Show the sentences of a passage; the one that is picked can be made longer or shorter before it is used."""
    sentences = [one_line(hit.text[start:end]) for start, end, _ in split_sentences(hit.text)]
    sentences = [one for one in sentences if len(one.replace(" ", "")) >= SHORTEST_QUOTE]
    if not sentences:
        sentences = [one_line(hit.text)]
    picked = st.radio(
        say("quality-choose-sentence"), range(len(sentences)), key=f"{key}-sentence",
        format_func=lambda number: plain_label(sentences[number]),
    )  # fmt: skip
    quote = st.text_area(say("quality-quote"), sentences[picked], key=f"{key}-quote-{picked}", height=80)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = {"uri": hit.uri, "quote": one_line(quote)}
        st.button(
            say("quality-use-quote"), key=f"{key}-use", icon=":material/format_quote:", on_click=take, args=(label,)
        )
        st.page_link(
            "views/document.py",
            label=say("quality-open-document"),
            icon=":material/arrow_forward:",
            query_params=place(hit.doc_id, hit.span, hit.revision),
        )


def _hit_label(hit: Hit) -> str:
    return f"**{plain_label(one_line(hit.title or hit.uri))}** · {plain_label(excerpt(hit.snippet)[:160])}"


def _details(draft: Draft) -> dict[str, Any]:
    """Show what most questions do not need."""
    key, row = draft.key, draft.row
    if draft.proposal:
        return {}
    with st.expander(say("quality-details"), icon=":material/tune:"):
        tags = st.text_input(say("quality-tags"), ", ".join(row.get("tags") or []), key=f"{key}-tags")
        left, right = st.columns(2)
        language = left.text_input(say("quality-language"), row.get("language") or "", key=f"{key}-language")
        principal_now, about = row.get("principal") or "", say("quality-asked-by-help")
        principal = right.text_input(say("quality-asked-by"), principal_now, key=f"{key}-principal", help=about)
        as_of = left.text_input(
            say("quality-as-of"), row.get("as_of") or "", key=f"{key}-as-of", help=say("quality-as-of-help")
        )
        splits = ["", *SPLITS]
        chosen = splits.index(row.get("split") or "")
        parting = right.selectbox(
            say("quality-split"), splits, chosen, key=f"{key}-split", help=say("quality-split-help"),
            format_func=lambda one: one or say("quality-by-chance"),
        )  # fmt: skip
    return {
        "tags": [one.strip() for one in tags.split(",") if one.strip()],
        "language": language.strip(),
        "principal": principal.strip(),
        "as_of": as_of.strip(),
        "split": parting,
    }


def _save(draft: Draft, row: dict[str, Any], person: Person) -> None:
    row = {name: value for name, value in row.items() if value not in (True, None, "", [])}
    row["principal"] = row.get("principal") or principal_of(row, person)
    try:
        if draft.proposal:
            _accept(draft.proposal, row, person)
        else:
            editing.save(frame.workspace(), row, person.principals, replacing=draft.stored)
    except RagError as error:
        st.error(plain_label(str(error)), icon=":material/error:")
        return
    _leave(draft, say("quality-saved"))


def _accept(proposal: Proposal, row: dict[str, Any], person: Person) -> None:
    editing.validate(frame.workspace(), row | {"id": proposal.id}, person.principals)
    answers = row.get("answer") or None
    accept_proposal(
        frame.workspace(),
        proposal.id,
        who=frame.named(person),
        principals=person.principals,
        question=row.get("question", ""),
        relevant=[(label["uri"], label["quote"]) for label in row.get("relevant", ())],
        answer=answers if isinstance(answers, str) or answers is None else answers[0],
        answerable=row.get("answerable", True),
    )


def principal_of(row: dict[str, Any], person: Person) -> str | None:
    """Return who has to ask a question to find what answers it: None is everyone, else one of this person's names."""
    versions = frame.workspace().versions
    if not versions.live_id():
        return None
    named = [one for label in row.get("relevant", ()) for one in versions.live().catalog.named(label["uri"])]
    readers = [set(one["principals"]) for one in named]
    if all(PUBLIC in one for one in readers):
        return None
    return next((one for one in person.principals if all({one, PUBLIC} & own for own in readers)), None)


def _delete(draft: Draft, stored: StoredQuestion, person: Person) -> None:
    """Leave a question, which is deleted a little later, unless somebody has changed it meanwhile."""
    key = "question", stored.line_hash
    take_away(key, draft.row["question"], partial(editing.delete, frame.workspace(), stored), person.id)
    _leave(draft, None)


def _leave(draft: Draft, notice: str | None) -> None:
    """Forget what was written here, and show the list again."""
    for name in [name for name in st.session_state if str(name).startswith(draft.key)]:
        del st.session_state[name]
    if notice:
        st.session_state["notice"] = notice
    st.query_params.from_dict({"part": "proposed" if draft.proposal else "questions"})
    st.rerun()
