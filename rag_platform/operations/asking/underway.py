"""Answers that are being written: each by a thread of this process, and not by who happened to ask.

Whoever may read its chat can follow an answer from any part, as often as they like, and leave again; each who follows
sees the same parts in the same order. It ends once, in the chat's record: whole, stopped, or without an answer.
"""

import atexit
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from rag_platform.answering.events import AnswerEvent, AnswerEvents
from rag_platform.core.errors import AccessDenied, NotFound, RagError, TooManyRequests
from rag_platform.core.generation import Reasoning
from rag_platform.journal.permissions import closed
from rag_platform.operations.asking.chat_turns import answer_in_chat, ask_in_chat
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace

MOST = 200
"""Answers that are written at the same time; the thread of each mostly waits for a model's server."""
UNREAD = 300.0
"""Seconds that an answer goes on being written when nobody follows it."""
RECHECKED = 1.0
"""Seconds after which it is looked up again whether who follows may read it."""
PAUSE = 0.4
"""Seconds after which who follows is given nothing, so that they can leave."""

Clock = Callable[[], float]
Parts = Generator[Sequence[AnswerEvent], None, None]


class AnswerUnderway:
    """One answer while it is written."""

    def __init__(self, chat: str, asked: str, question: int, clock: Clock) -> None:
        """Nothing is written yet; `question` is the id of the message that asks `asked`."""
        self.chat, self.asked, self.question = chat, asked, question
        self.error: Exception | None = None
        """Why there is no answer, once it has ended."""
        self._clock = clock
        self._changed = threading.Condition()
        self._parts: list[AnswerEvent] = []
        self._documents: set[str] = set()
        self._ended = self._stopped = False
        self._readers, self._left_at = 0, clock()

    @property
    def ended(self) -> bool:
        """Whether nothing more comes; the chat's record has the answer, if there is one."""
        return self._ended

    @property
    def documents(self) -> set[str]:
        """The documents that it is written from, as far as they are known."""
        with self._changed:
            return {*self._documents}

    def stop(self) -> None:
        """End it for everybody, with what is written; the request to a model's server is cancelled."""
        self._stopped = True

    def wait(self, seconds: float) -> bool:
        """Wait for its end without following it; returns whether it ended."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended, seconds)

    def write(self, parts: AnswerEvents) -> None:
        """Write it to its end; an empty part, of a server that is silent, lets it be stopped."""
        try:
            with closing(parts):
                for part in parts:
                    self._add(part)
                    if self._stopped or self._is_unread():
                        break
        except Exception as error:
            self.error = error
            if not isinstance(error, RagError):
                logging.getLogger(__name__).exception("an answer failed in the chat %s", self.chat)
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def parts_from(self, begin: int) -> Parts:
        """Yield what is written from that part on, all that is new at once, and nothing now and then; ends with it."""
        with self._read():
            ended = False
            while not ended:
                new, ended = self._new(begin)
                begin += len(new)
                yield new

    def _new(self, begin: int) -> tuple[Sequence[AnswerEvent], bool]:
        with self._changed:
            self._changed.wait_for(lambda: self._ended or len(self._parts) > begin, PAUSE)
            return self._parts[begin:], self._ended

    def _add(self, part: AnswerEvent) -> None:
        if part != Reasoning(""):
            with self._changed:
                self._parts.append(part)
                self._documents |= {hit.doc_id for hit in part.hits} if isinstance(part, SearchResult) else set()
                self._changed.notify_all()

    def _is_unread(self) -> bool:
        return not self._readers and self._clock() - self._left_at > UNREAD

    @contextmanager
    def _read(self) -> Iterator[None]:
        with self._changed:
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._left_at = self._clock()


_LOCK = threading.Lock()
_UNDERWAY: dict[str, AnswerUnderway] = {}
"""By chat, of all workspaces: a chat's id cannot be guessed and is given once."""


class AnswersUnderway:
    """The answers that are being written for a workspace in this process: in a chat one at a time."""

    def __init__(self, workspace: Workspace, clock: Clock = time.monotonic) -> None:
        """However often the same workspace is opened, all see the same answers."""
        self._workspace, self._clock = workspace, clock

    def begin(self, chat: str, owner: str, question: str, **options: Any) -> AnswerUnderway:
        """Ask the next question in somebody's chat, and begin to answer it; while one is answered there, that goes on.

        Args:
            chat: its id.
            owner: whose chat it is.
            question: the next one; one that stands last in the chat, without an answer, is answered now.
            options: of `answer_in_chat`.

        Raises:
            NotFound: it is not this person's chat.
            TooManyRequests: too many answers are written just now.
        """
        with _LOCK:
            if there := self.of(chat, owner):
                return there
            if len(_UNDERWAY) >= MOST:
                raise TooManyRequests("answers at the same time", MOST, 10)
            asked = ask_in_chat(self._workspace, chat, owner, question)
            begun = _UNDERWAY[chat] = AnswerUnderway(chat, question, asked, self._clock)
        parts = answer_in_chat(self._workspace, chat, owner, question, **options)
        threading.Thread(target=_write, args=(begun, parts), name=f"answer {asked}", daemon=True).start()
        return begun

    def of(self, chat: str, owner: str) -> AnswerUnderway | None:
        """Return what is being written in somebody's chat. Ask before the chat is read: it may end meanwhile."""
        found = _UNDERWAY.get(chat)
        return found if found and not found.ended and self._workspace.chats.find(chat, owner) else None

    def follow(self, one: AnswerUnderway, owner: str, principals: Sequence[str], begin: int = 0) -> Parts:
        """Yield what `AnswerUnderway.parts_from` does, to somebody as who they are now.

        Raises:
            NotFound: it is not their chat.
            AccessDenied: they may not read a document that it is written from.
        """
        checked: float | None = None
        with closing(one.parts_from(begin)) as parts:
            for new in parts:
                found = any(isinstance(part, SearchResult) for part in new)
                if checked is None or found or self._clock() - checked > RECHECKED:
                    self._refuse(one, owner, principals)
                    checked = self._clock()
                yield new

    def _refuse(self, one: AnswerUnderway, owner: str, principals: Sequence[str]) -> None:
        if self._workspace.chats.find(one.chat, owner) is None:
            raise NotFound("there is no such chat of yours; it may have been deleted")
        if closed(self._workspace.versions, one.documents, principals):
            raise AccessDenied("the answer is written from a document that you may not read")


def _write(one: AnswerUnderway, parts: AnswerEvents) -> None:
    try:
        one.write(parts)
    finally:
        with _LOCK:
            if _UNDERWAY.get(one.chat) is one:  # who saw it end may have asked the next question
                del _UNDERWAY[one.chat]


@atexit.register
def stop_all(seconds: float = 5.0) -> None:
    """End all answers, with what is written, and wait at most so long for each: the process ends."""
    underway = [*_UNDERWAY.values()]
    for one in underway:
        one.stop()
    for one in underway:
        one.wait(seconds)
