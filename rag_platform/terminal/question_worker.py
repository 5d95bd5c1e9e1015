"""One question that is being answered, which can be stopped."""

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from textual.message import Message

from rag_platform.answering.events import AnswerEvent, AnswerEvents
from rag_platform.core.errors import message_of


@dataclass(frozen=True, slots=True)
class Failed:
    """The last event of a question whose answer failed."""

    reason: str


class WorkerEvent(Message):
    """An event of a question that is being answered."""

    def __init__(self, worker: "QuestionWorker", event: AnswerEvent | Failed) -> None:
        super().__init__()
        self.worker = worker
        self.event = event


class QuestionWorker:
    """Reads the events of an answer on a thread of its own, so that the screen never waits."""

    def __init__(self, events: AnswerEvents, post: Callable[[WorkerEvent], object]) -> None:
        """`post` is called from that thread with each event; the last is an `Answer` or `Failed`."""
        self._events = events
        self._post = post
        self._stopped = threading.Event()
        # A daemon: quitting does not wait for a server that is silent.
        self._thread = threading.Thread(target=self._read, name="question", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Post no more events, and close the connection to the server, which then stops its work."""
        self._stopped.set()

    def _read(self) -> None:
        try:
            with closing(self._events) as events:
                for event in events:
                    if self._stopped.is_set():
                        return
                    self._post(WorkerEvent(self, event))
        except Exception as error:  # noqa: BLE001  any error is shown as a message, and one can ask again
            if not self._stopped.is_set():
                self._post(WorkerEvent(self, Failed(message_of(error))))
