"""The form of a new source: validated while one types, with a preview of what would be read."""

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from app.collecting.changing import kinds_with_settings, show_adding
from app.collecting.dialogs import readers_offered
from app.collecting.forms import ON, SCHEDULES, Checked, Field, check, fields_of, kinds_for
from app.collecting.gallery import MORE, show_gallery
from app.collecting.opening import changed, workspace
from app.collecting.showing import LANGUAGES, language_name, preview_html
from app.navigation import set_title
from app.rendering import plain_label
from app.texts import say
from rag_platform.config.source_editing import add_source
from rag_platform.core.errors import RagError
from rag_platform.core.principals import PUBLIC
from rag_platform.people.identity import Person
from rag_platform.raw.preview import Preview, PreviewProcess


def show_form(person: Person) -> None:
    """Ask for a new source."""
    set_title(say("collections-add-title"))
    if st.button(say("collections-back-sources"), icon=":material/arrow_back:", type="tertiary"):
        _leave()
        st.rerun()
    st.html(f'<h2 class="title">{say("collections-add-title")}</h2>')
    kinds = [*kinds_for(person), MORE]
    named = st.query_params.get("add")
    if named not in kinds and named in kinds_with_settings(person):
        show_adding(named)
        return
    kind = st.segmented_control(
        say("collections-which"),
        kinds,
        default=named if named in kinds else kinds[0],
        required=True,
        format_func=lambda one: say("collections-kind", kind=one),
        key="add-kind",
    )
    if kind == MORE:
        show_gallery(person)
    else:
        _form(kind, person)


@st.fragment(key="add-form")
def _form(kind: str, person: Person) -> None:
    if added := st.session_state.pop("added", None):
        _leave(added)
        st.rerun()
    about = say("collections-kind-about", kind=kind)
    st.html(f'<div class="quiet">{about}</div>')
    if not person.may("admin"):
        st.html(f'<div class="quiet">{say("collections-local-only")}</div>')
    values = _values(kind, person)
    checked = _check(kind, values, person)
    fields = fields_of(kind, values, person)
    tried = st.session_state.get("add-tried") == kind
    for one in fields:
        if not one.more:
            _ask(kind, one, checked, tried=tried)
    _ask_readers(person)
    with st.expander(say("collections-more"), key=f"add-more-{kind}"):
        for one in fields:
            if one.more:
                _ask(kind, one, checked, tried=tried)
    if tried and checked.problems:
        message = checked.problems.get("") or say("collections-mend")
        st.html(f'<div class="wrong" role="alert">{escape(message)}</div>')
    _buttons(kind, person)
    _preview(checked)


def _key(kind: str, name: str) -> str:
    return f"add-{kind}-{name}" if name != "id" else "add-id"


def _values(kind: str, person: Person) -> dict[str, Any]:
    """Return what has been typed so far."""
    state = st.session_state
    values = {one.name: state.get(_key(kind, one.name), _default(one)) for one in fields_of(kind, {}, person)}
    values |= {one.name: state.get(_key(kind, one.name), _default(one)) for one in fields_of(kind, values, person)}
    return values | {"principals": state.get("add-principals") or []}


def _default(one: Field) -> Any:
    if one.sort == "choice" and one.options:
        return one.options[0]
    return one.name in ON if one.sort == "switch" else None if one.sort == "number" else ""


def _check(kind: str, values: Mapping[str, Any], person: Person) -> Checked:
    opened = workspace()
    ids = {source.id for source in opened.settings.sources}
    return check(kind, values, person, home=opened.settings.home, ids=ids, secret=_secret_name(values.get("id") or ""))


def _secret_name(source_id: str) -> str:
    """Return a name for the password under which nothing is stored yet."""
    taken = workspace().secrets.names() if source_id else []
    tries = (source_id, *(f"{source_id}-{number}" for number in range(2, 1000)))
    return next(name for name in tries if name not in taken) or "secret"


def _ask(kind: str, one: Field, checked: Checked, *, tried: bool) -> None:
    """Ask one thing, and tell below it what is wrong, once something was typed there or the whole was tried."""
    key, label = _key(kind, one.name), _said("field", kind, one)
    about = _said_or_none("help", kind, one)
    match one.sort:
        case "text":
            st.text_input(label, live="400ms", placeholder=_said_or_none("hint", kind, one), key=key, help=about)
        case "secret":
            st.text_input(label, live="400ms", type="password", key=key, help=about)
        case "area":
            height = 68 if one.name in ("include", "exclude", "others") else 110
            st.text_area(label, placeholder=_said_or_none("hint", kind, one), height=height, key=key, help=about)
        case "number":
            st.number_input(label, value=None, step=1, min_value=0, key=key, help=about)
        case "switch":
            st.toggle(label, value=_default(one), key=key, help=about)
        case "choice":
            _choose(one, label, key, about)
    wrong = checked.problems.get(one.name)
    if wrong and (tried or st.session_state.get(key)):
        st.html(f'<div class="wrong" role="status">{escape(wrong)}</div>')


def _choose(one: Field, label: str, key: str, about: str | None) -> None:
    if one.name == "language":
        st.selectbox(label, LANGUAGES, format_func=language_name, key=key, help=about)
    elif one.name == "schedule":
        names = {name: say(f"collections-schedule-{name or 'none'}") for name in SCHEDULES}
        st.selectbox(label, SCHEDULES, format_func=names.__getitem__, key=key, help=about)
    else:
        names = {option: say(f"collections-{one.name}-{option}") for option in one.options}
        st.segmented_control(
            label,
            one.options,
            default=one.options[0],
            required=True,
            format_func=names.__getitem__,
            key=key,
            help=about,
        )


def _ask_readers(person: Person) -> None:
    offered = readers_offered([PUBLIC], person)
    if offered:
        st.multiselect(
            say("collections-field-principals"),
            offered,
            key="add-principals",
            placeholder=say("collections-everyone"),
            help=say("collections-help-principals"),
        )


def _said(what: str, kind: str, one: Field) -> str:
    name = "title-sql" if one.name == "title" else one.name
    return say(f"collections-{what}-{name}", kind=kind)


def _said_or_none(what: str, kind: str, one: Field) -> str | None:
    try:
        return _said(what, kind, one)
    except KeyError:
        return None


def _buttons(kind: str, person: Person) -> None:
    """Offer a preview and saving; what they do is done before the form is drawn again."""
    with st.container(horizontal=True, key="add-buttons"):
        st.button(
            say("collections-preview"),
            icon=":material/visibility:",
            key="add-preview",
            on_click=_try_preview,
            args=(kind, person),
        )
        st.button(
            say("collections-save-source"),
            icon=":material/add:",
            type="primary",
            key="add-save",
            on_click=_try_save,
            args=(kind, person),
        )
    if wrong := st.session_state.pop("refused", None):
        st.error(plain_label(wrong[0]), icon=":material/block:")


def _try_preview(kind: str, person: Person) -> None:
    values = _values(kind, person)
    checked = _check(kind, values, person)
    st.session_state["add-tried"] = kind
    if not checked.problems:
        _begin_preview(checked, values)


def _try_save(kind: str, person: Person) -> None:
    values = _values(kind, person)
    checked = _check(kind, values, person)
    st.session_state["add-tried"] = kind
    if checked.problems:
        return
    if wrong := save(checked, values):
        st.session_state.refused = [wrong]
    else:
        st.session_state.added = checked.table["id"]


def save(checked: Checked, values: Mapping[str, Any]) -> str | None:
    """Keep the password, then write the source; return why that could not be, with nothing left behind."""
    opened, password = workspace(), values.get("password")
    name = _secret_name(checked.table["id"])
    try:
        if password:
            opened.secrets.put(name, password)
        try:
            add_source(opened.settings.home, checked.table)
        except RagError:
            if password:
                opened.secrets.delete(name)
            raise
    except RagError as error:
        return str(error)
    changed()
    return None


def _begin_preview(checked: Checked, values: Mapping[str, Any]) -> None:
    _end_preview()
    password = values.get("password")
    secrets = {_secret_name(checked.table["id"]): password} if password else {}
    state = st.session_state
    state["previewing"] = PreviewProcess(workspace().settings.home, checked.table, secrets)
    state["previewed"] = (checked.table, None)


def _end_preview() -> None:
    running = st.session_state.pop("previewing", None)
    if running is not None:
        running.end()


def _preview(checked: Checked) -> None:
    """Show what came of the preview, and whether the form is still the one that was previewed."""
    if "previewing" in st.session_state:
        st.fragment(_wait, run_every=0.5)()
        return
    table, found = st.session_state.get("previewed", (None, None))
    if not isinstance(found, Preview):
        st.html(f'<div class="quiet">{say("collections-preview-none")}</div>')
        return
    if table != checked.table:
        st.html(f'<div class="quiet">{say("collections-preview-old")}</div>')
    st.html(preview_html(found))


def _wait() -> None:
    running = st.session_state.get("previewing")
    found = running.result() if running else None
    if running is None or found is not None:
        if running is not None:
            st.session_state["previewed"] = (st.session_state["previewed"][0], found)
            st.session_state.pop("previewing", None)
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="previewing-now"):
        st.html(f'<div class="doing" role="status">{say("collections-previewing")}</div>', width="stretch")
        st.button(say("collections-preview-stop"), icon=":material/stop:", type="tertiary", on_click=_end_preview)


def _leave(source_id: str | None = None) -> None:
    """Go back to the sources, or to the one that was added; what was typed is forgotten."""
    _end_preview()
    for key in [key for key in st.session_state if str(key).startswith("add-") or key == "previewed"]:
        del st.session_state[key]
    st.query_params.from_dict({"source": source_id} if source_id else {"show": "sources"})
    if source_id:
        st.session_state.reload = True  # Dagster has to hear of its schedule
