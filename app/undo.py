"""What is taken away goes a little later, so that it can be taken back: a bar names it, in every view.

A chat, a file, a source: whoever takes something away hands in how (`take_away`), and leaves it out of what is listed
while it `is_leaving`. What lets somebody in, such as a link or a token, ends at once: `taken` puts it back.
"""

import atexit
import logging
import threading
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from app import frame
from app.rendering import plain_label
from app.texts import say, say_html

SECONDS = 10.0
"""In which it can be taken back."""
Key = tuple[str, ...]
"""The kind of a thing, and what tells it from others of its kind."""


class _Leaving(NamedTuple):
    name: str
    by: str
    action: Callable[[], object]
    back: Callable[[], object]
    timer: threading.Timer


_LOCK = threading.Lock()
_LEAVING: dict[Key, _Leaving] = {}
"""Of all visitors, until it is done: who leaves meanwhile has still taken it away."""
_GOING: set[Key] = set()
"""What is being taken away just now: it cannot be had back, and is not listed either."""


def take_away(key: Key, name: str, action: Callable[[], object], by: str, seconds: float = SECONDS) -> None:
    """Do what takes something away after so many seconds, unless it is taken back before.

    Args:
        key: of the thing.
        name: what people call it.
        action: takes it away; it runs in a thread of its own, in no session.
        by: the id of who takes it away, and alone may take it back.
        seconds: until then.
    """
    _leave(key, name, by, action, _nothing, seconds)


def taken(key: Key, name: str, back: Callable[[], object], by: str, seconds: float = SECONDS) -> None:
    """Name what is gone already, and let `back` restore it for so many seconds."""
    settle(key)  # what went before it under the same name stays gone
    _leave(key, name, by, _nothing, back, seconds)


def _leave(
    key: Key, name: str, by: str, action: Callable[[], object], back: Callable[[], object], seconds: float
) -> None:
    timer = threading.Timer(seconds, settle, (key,))
    timer.daemon = True
    with _LOCK:
        if key not in _LEAVING:
            _LEAVING[key] = _Leaving(name, by, action, back, timer)
            timer.start()


def _nothing() -> None:
    """Do nothing: it is done already, or there is nothing to restore."""


def take_back(key: Key) -> bool:
    """Return whether it is still there, and stays."""
    with _LOCK:
        found = _LEAVING.pop(key, None)
    if found:
        found.timer.cancel()
        found.back()
    return found is not None


def is_leaving(*key: str) -> bool:
    """Return whether it is to go, and is still there."""
    return key in _LEAVING or key in _GOING


def show_leaving(by: str) -> None:
    """Show somebody what they have just taken away, and the way to keep it."""
    if any(one.by == by for one in [*_LEAVING.values()]):
        st.fragment(_show, run_every=1.0)(by)


def _show(by: str) -> None:
    leaving = [(key, one.name) for key, one in [*_LEAVING.items()] if one.by == by]
    if not leaving:
        frame.refresh()
    with st.container(key="leaving", gap="small"):
        for key, name in leaving:
            with st.container(horizontal=True, wrap=False, vertical_alignment="center", key=f"leaving-{'-'.join(key)}"):
                st.html(f'<div role="status">{say_html(f"undo-{key[0]}", name=name)}</div>', width="stretch")
                label, what = say("undo-keep"), plain_label(say("undo-keep-help", name=name))
                if st.button(label, icon=":material/undo:", key=f"keep-{'-'.join(key)}", type="tertiary", help=what):
                    take_back(key)
                    st.rerun()


def settle(key: Key) -> None:
    """Let it go now: it cannot be taken back any more."""
    with _LOCK:
        if found := _LEAVING.get(key):
            _GOING.add(key)  # before it leaves: at no moment is it listed again
            del _LEAVING[key]
    if found:
        found.timer.cancel()
        try:
            found.action()
        except Exception:
            logging.getLogger(__name__).exception("%r was not taken away", key)
        finally:
            _GOING.discard(key)


@atexit.register
def do_all() -> None:
    """Do at once what still waits: the process ends."""
    for key in [*_LEAVING]:
        settle(key)
