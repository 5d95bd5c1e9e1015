"""One question being answered, which can be stopped."""

import threading
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from textual.message import Message

from rag_platform.core.errors import message_of


@dataclass(frozen=True, slots=True)
class Failed:
    """What is told instead of an answer."""

    reason: str


class Came(Message):
    """Something came of a question."""

    def __init__(self, asking: "Asking", event: Any) -> None:
        super().__init__()
        self.asking = asking
        self.event = event


class Asking:
    """Reads an answerer's events on a thread of its own, so that neither waits for the other."""

    def __init__(self, events: Generator, tell: Callable[[Came], Any]) -> None:
        """`tell` takes the events, last an `Answer` or what `Failed`, from that thread."""
        self._events = events
        self._tell = tell
        self._stopped = threading.Event()
        # A daemon: who quits does not wait for a server that is silent.
        self._thread = threading.Thread(target=self._read, name="asking", daemon=True)

    def start(self) -> None:
        """Ask."""
        self._thread.start()

    def stop(self) -> None:
        """Tell nothing more, and hang up on the server, which then stops its work."""
        self._stopped.set()

    def _read(self) -> None:
        try:
            with closing(self._events) as events:
                for event in events:
                    if self._stopped.is_set():
                        return
                    self._tell(Came(self, event))
        except Exception as error:  # noqa: BLE001  whatever it is, it is told in words, and one can ask again
            if not self._stopped.is_set():
                self._tell(Came(self, Failed(message_of(error))))
