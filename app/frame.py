"""What all views share: the workspace, the visitor, the live version's name, and errors in plain words."""

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from typing import Any, Literal, TypeVar, cast
from urllib.parse import urlsplit

import streamlit as st

from app.entrance import COOKIE
from app.figures import short
from app.helping import help_html
from app.rendering import age, plain_label
from app.texts import say, say_html, unread
from rag_platform.cli.ask.served_searches import listen
from rag_platform.config.sections.access import Role
from rag_platform.config.sections.answering import EXTRACTIVE, UNNAMED
from rag_platform.core.errors import (
    AccessDenied,
    MissingExtra,
    NothingPublished,
    RagError,
    SignInExpired,
    TooManyRequests,
)
from rag_platform.index.releases.release_log import acting_user
from rag_platform.operations.grids.filling import keep_filling
from rag_platform.operations.serving.server import trusts_local
from rag_platform.operations.watching.looking import keep_looking
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.identity import Person, local_person, person_from_claims, visitor_of, with_eyes_of
from rag_platform.people.locality import is_loopback, remote_reason
from rag_platform.workspace import Workspace, open_workspace

_EYES = "eyes"
"""In the session: with whose eyes an admin looks, and as whom that one reads."""
Form = TypeVar("Form", bound=Callable[..., None])


@st.cache_resource(show_spinner=say("frame-opening"))
def workspace() -> Workspace:
    """Open the workspace once for all sessions; its retriever notices a new version by itself."""
    opened = open_workspace()
    opened.interface = "page"
    if st.runtime.exists():  # else a test runs the views, and nobody waits
        opened.follow()
        listen(opened)
        keep_looking(opened)
        keep_filling(opened)
    return opened


def reading_of(person: Person) -> int:
    """Return a number that is another one as soon as the person may read something else: a key for what is cached."""
    return workspace().versions.live().catalog.attributes.reading(person.principals).number


def signs_in() -> bool:
    """Return whether an identity provider is set up: the table [auth] of secrets.toml.

    Raises:
        MissingExtra: it is, and the package that talks to it is not there.
    """
    configured = "is_logged_in" in st.user
    if configured:
        try:
            import authlib  # type: ignore[import-untyped]  # noqa: F401 - without types; only whether it is there
        except ImportError as error:
            raise MissingExtra("authlib", "login", "signing in") from error
    return configured


def person() -> Person:
    """Return the visitor: an admin who looks with another's eyes as one who reads what that one may.

    Raises:
        SignInExpired: they have to sign in again.
        AccessDenied: they may not use the page, or have not signed in yet.
    """
    own, seen = _own_person(), st.session_state.get(_EYES)
    return with_eyes_of(own, seen[1]) if seen and own.may("admin") else own


def see_as(name: str, principals: Sequence[str]) -> None:
    """Let an admin look with another's eyes, in this tab, until it is closed or loaded anew; the audit says so.

    Raises:
        AccessDenied: they are no admin, or the audit cannot say so.
    """
    own, audit = _own_person(), workspace().audit
    if not own.may("admin"):
        raise AccessDenied(f"{own.name} is no admin, and reads as nobody else")
    if not workspace().settings.audit.record:
        raise AccessDenied("[audit] record is false; whoever looks with another's eyes must leave a trace")
    if trouble := audit.record("see_as", named(own), principals, shown={"as": name}):
        raise AccessDenied(trouble)
    st.session_state[_EYES] = (name, tuple(principals))


def show_eyes() -> None:
    """Show with whose eyes an admin looks, and the way back."""
    seen = st.session_state.get(_EYES)
    if not seen:
        return
    with st.container(key="eyes", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.html(f'<div role="status">{say_html("frame-eyes", name=seen[0])}</div>', width="stretch")
        st.button(say("frame-eyes-end"), icon=":material/visibility_off:", on_click=st.session_state.pop, args=(_EYES,))


def _own_person() -> Person:
    """Return the visitor as themselves.

    Raises:
        SignInExpired: they have to sign in again.
        AccessDenied: they may not use the page, or have not signed in yet.
    """
    access = workspace().settings.access
    if signs_in():
        if not st.user.is_logged_in:
            raise AccessDenied("Nobody is signed in")
        return person_from_claims(st.user.to_dict(), access)
    if _is_admin():
        return local_person(acting_user(), access)
    return visitor_of(access, st.session_state.setdefault("visitor", secrets.token_hex(8)))


def _is_admin() -> bool:
    """Return whether this is the session of a link that `rag link` printed, or the local user, where one is trusted."""
    secret = st.context.cookies.get(COOKIE)
    if secret is not None and AdminLinks(workspace().journal).is_session(secret):
        return True
    headers = st.context.headers
    if not trusts_local(workspace().settings, st.get_option("server.address") or "") or not headers.to_dict():
        return False  # without headers the visitor has gone already, and nobody knows who it was
    address = st.context.ip_address or "127.0.0.1"  # Streamlit's way to say so
    return remote_reason(address, _lower(headers), headers.get_all("host")) is None


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.to_dict().items()}


def named(found: Person) -> str:
    """Return how the audit calls somebody; the local user has no id."""
    return found.id or found.name


def visitor_or_none() -> Person | None:
    """Return the visitor; None when they may not use the page."""
    try:
        return person()
    except RagError:
        return None


def require_person() -> Person:
    """Return the visitor; whoever has not signed in is asked to, and the run ends there."""
    try:
        return person()
    except AccessDenied as error:
        if signs_in() and not st.user.is_logged_in:
            _ask_to_sign_in()
        else:
            _refuse(error)
        st.stop()


def _ask_to_sign_in() -> None:
    st.html(f'<div class="hero">{say_html("frame-welcome")}</div>')
    with st.container(horizontal_alignment="center"):
        st.button(say("frame-sign-in"), on_click=st.login, type="primary", icon=":material/login:")


def _refuse(error: AccessDenied) -> None:
    expired = isinstance(error, SignInExpired)
    text = say_html("frame-expired" if expired else "frame-denied", reason=str(error))
    st.html(f'<div class="empty">{text}{help_html("signed-out" if expired else "permission")}</div>')
    if signs_in():
        label = say("frame-sign-in-again" if expired else "frame-other-account")
        st.button(label, on_click=st.login if expired else st.logout, icon=":material/login:")


def require(role: Role) -> Person:
    """Return the visitor, if they have that role or a higher one; tell others so, and end the run."""
    found = require_person()
    if not found.may(role):
        html = say_html("frame-may-not", role=role, name=found.name, own=found.role)
        st.html(f'<div class="empty">{html}{help_html("permission")}</div>')
        st.stop()
    return found


def show_account() -> None:
    """Show who is signed in, in the corner of the page, and the way out; at this machine, the way in."""
    if signs_in():
        found = require_person()
        with st.container(key="account"), st.popover(plain_label(found.name), icon=":material/account_circle:"):
            account = say_html("frame-you", id=found.id.removeprefix("user:"), role=say(f"frame-role-{found.role}"))
            groups = [name for name in found.principals if name != found.id]
            read = say_html("frame-read-as", groups=", ".join(groups)) if groups else ""
            st.html(f'<div class="quiet">{account}{read}</div>')
            _ask_for_leave(found)
            st.button(say("frame-sign-out"), on_click=st.logout, icon=":material/logout:")
    elif not require_person().may("admin") and _at_this_machine():
        st.html(f'<div class="quiet">{say_html("frame-visiting")}</div>')


def _ask_for_leave(found: Person) -> None:
    """Let somebody decide whether their questions may be kept, masked, where any are."""
    opened = workspace()
    if not opened.settings.shadow.sample:
        return
    before = opened.shadow_set.may_take(found.id)
    given = st.toggle(say("frame-leave"), value=before, help=say("frame-leave-help"), key="leave")
    if given != before:
        own = () if given else opened.journal.receipts(-1, principal=found.id)
        opened.shadow_set.decide(found.id, given=given, receipts=[receipt.id for receipt in own])


def _at_this_machine() -> bool:
    return is_loopback(urlsplit(f"//{st.context.headers.get('host', '')}").hostname or "")


@contextmanager
def friendly() -> Iterator[None]:
    """Show an error that we raised on purpose as a message, never as a trace."""
    try:
        yield
    except NothingPublished:
        st.html(f'<div class="empty">{say_html("frame-nothing-published")}{help_html("unpublished")}</div>')
        st.button(say("frame-look-again"), icon=":material/refresh:")
    except AccessDenied as error:  # also amid a visit: a sign-in expires
        _refuse(error)
    except TooManyRequests as error:
        st.warning(say("frame-too-many", kind=error.kind, seconds=error.seconds), icon=":material/hourglass_top:")
        st.html(help_html("limits"))
    except RagError as error:
        logging.getLogger(__name__).warning("shown to the user: %s", error)
        st.html(f'<div class="empty">{say_html("frame-failed", reason=str(error))}{help_html("failed")}</div>')
        st.button(say("frame-try-again"), icon=":material/refresh:")


def tell_unexpected(error: Exception) -> bool:
    """Tell the visitor in a sentence that something failed which should not; Streamlit has logged what it was."""
    del error
    st.html(f'<div class="empty unexpected" role="alert">{say_html("frame-unexpected")}{help_html("failed")}</div>')
    return True  # it is shown


def dialog(title: str, width: Literal["small", "medium", "large"] = "small") -> Callable[[Form], Form]:
    """Return what opens a dialog; until it is closed, `refresh` leaves the view as it is."""
    st.session_state["dialog"] = True

    def opens(form: Form) -> Form:
        @wraps(form)
        def shown(*given: Any) -> None:
            if not has_dialog():  # closed with words half typed: the browser sends both as a run of the dialog alone
                st.rerun()
            form(*given)

        return st.dialog(title, width=width, on_dismiss=_dismiss)(cast("Form", shown))

    return opens


def _dismiss() -> None:
    st.session_state.pop("dialog", None)


def has_dialog() -> bool:
    """Return whether a dialog is open, or was opened in this run."""
    return bool(st.session_state.get("dialog"))


def refresh() -> None:
    """Run the view again for what happened elsewhere, unless a dialog is open, which that would close."""
    if not has_dialog():
        st.rerun()


def writer_name(generator: str) -> str:
    """Return what people call a generator: by its model where nobody gave it a name."""
    if generator == EXTRACTIVE:
        return say("ask-quotes-alone")
    name, _, model = generator.partition(":")
    if name != UNNAMED:
        return generator
    return model or workspace().settings.generator.model or say("ask-own-model")


def version_note() -> str:
    """Return which version is read and since when, as HTML."""
    versions = workspace().versions
    live = workspace().retriever.live()
    published = [move["at"] for move in versions.moves() if move["version"] == live.id]
    since = say("frame-since", age=age(datetime.fromisoformat(published[-1]))) if published else ""
    text = say_html(
        "frame-version", version=short(live.id), since=since, documents=live.view(person().principals).documents
    )
    return f'<div class="quiet">{text}</div><div class="quiet">{unread()}</div>'
