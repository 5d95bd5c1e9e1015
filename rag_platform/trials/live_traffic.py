"""What people ask just now, off the path of their answers: compared with a version on trial, and sampled.

One thread of the program does it, when no answer is being written, for a fifth of the time at most, and from a short
queue: what does not fit is dropped. Nothing that goes wrong here reaches an answer.
"""

import atexit
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from queue import Full, Queue

from rag_platform.answering.answerer import Answerer
from rag_platform.answering.search_step import SearchRequest
from rag_platform.config.sections.releases import ShadowSettings
from rag_platform.core.answers import Answer
from rag_platform.core.hits import Filters
from rag_platform.core.ids import digest
from rag_platform.index.releases.versions import Versions
from rag_platform.trials.answer_comparison import compare, judge_of
from rag_platform.trials.masking import masked
from rag_platform.trials.shadow_set import ShadowSet
from rag_platform.trials.trial_records import Trial, Trials

WAITING = 8
"""Answers that wait to be compared or sampled."""
PATIENCE = 20.0
"""Seconds to wait for a moment in which no answer is being written."""
REST = 4.0
"""Times that a comparison took, until the next one."""
DAMAGED = "it is damaged, or was removed"
_log = logging.getLogger(__name__)


class LiveTraffic:
    """Follows the answers of this process; fulfils `answering.live_trial.LiveTrial`."""

    def __init__(
        self,
        trials: Trials,
        shadow_set: ShadowSet,
        versions: Versions,
        answerer_of: Callable[[str], Answerer],
        settings: ShadowSettings,
    ) -> None:
        """Compare with what `answerer_of` a version answers, whose answers leave no trace."""
        self.rest = REST
        self._trials, self._shadow_set, self._versions = trials, shadow_set, versions
        self._answerer_of, self._settings = answerer_of, settings
        self._queue: Queue[Callable[[], None]] = Queue(WAITING)
        self._quiet, self._underway = threading.Condition(), 0
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._dropped = 0

    def version_for(self, session: str) -> str | None:
        """Return the version on trial if this session is among its share; None: the live one answers."""
        if not session or not self._shadow_set.path.exists():
            return None
        with _harmless():
            trial = self._trials.active("canary")
            if trial and drawn(trial, session):
                version = self._versions.form(trial.version)
                if self._versions.is_sound(version):
                    return version
                self._trials.end("canary", why=DAMAGED)
        return None

    @contextmanager
    def underway(self) -> Iterator[None]:
        """Compare nothing while an answer is being written."""
        with self._quiet:
            self._underway += 1
        try:
            yield
        finally:
            with self._quiet:
                self._underway -= 1
                self._quiet.notify_all()

    def answered(self, answer: Answer, request: SearchRequest) -> None:
        """Take note of an answer that a session got; returns at once."""
        if not request.session or not answer.receipt_id:
            return
        with _harmless():
            if self._shadow_set.sampled(answer.receipt_id):
                self._offer(partial(self._sample, answer, request))
            trial = self._trials.active("shadow") if self._shadow_set.path.exists() else None
            if trial and answer.version == self._versions.form(trial.live):
                self._offer(partial(self._follow, trial, answer, request))

    def wait(self) -> None:
        """Wait until what was taken note of is done."""
        self._queue.join()

    def _offer(self, job: Callable[[], None]) -> None:
        with self._quiet:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="live traffic", daemon=True)
                self._thread.start()
                atexit.register(self._close)
        try:
            self._queue.put_nowait(job)
        except Full:
            self._dropped += 1

    def _work(self) -> None:
        while not self._closed.is_set():
            job = self._queue.get()
            with self._quiet:
                quiet = self._quiet.wait_for(lambda: not self._underway or self._closed.is_set(), PATIENCE)
            began = time.monotonic()
            if not quiet:
                self._dropped += 1
            elif not self._closed.is_set():
                with _harmless():
                    job()
            self._queue.task_done()
            self._closed.wait(self.rest * (time.monotonic() - began))

    def _close(self) -> None:
        """Let the thread end before the interpreter does: it may be within native code."""
        self._closed.set()
        with self._quiet:
            self._quiet.notify_all()
        with suppress(Full):
            self._queue.put_nowait(lambda: None)
        if self._thread:
            self._thread.join(PATIENCE)

    def _sample(self, answer: Answer, request: SearchRequest) -> None:
        """Keep a question, masked, if whoever asked lets us; one that was asked with filters is another question."""
        person = request.asker or request.who or ""
        whole = replace(request.filters, principals=()) == Filters()
        if whole and self._shadow_set.may_take(person):
            text = masked(answer.standalone or answer.question, self._versions.live().view(()))
            if text:
                self._shadow_set.add(answer.receipt_id, text, request.now)

    def _follow(self, trial: Trial, answer: Answer, request: SearchRequest) -> None:
        """Answer the same from the version on trial, as the same asker, and record what differs in numbers."""
        other = self._answerer_of(self._versions.form(trial.version))
        question = answer.standalone or answer.question
        second = other.ask(question, k=request.k, mode=request.mode, filters=request.filters, now=request.now)
        left = self._settings.judged - self._trials.figures(trial)["judged"]
        self._trials.record(trial, compare(answer, second, judge_of(other.generator, left)))
        if self._dropped:
            self._trials.record_dropped(trial, self._dropped)
            self._dropped = 0


def drawn(trial: Trial, session: str) -> bool:
    """Return whether a session is among the share of a trial: the same for as long as it lasts."""
    return int(digest("canary", trial.version, session), 16) < trial.share * 2**64


@contextmanager
def _harmless() -> Iterator[None]:
    try:
        yield
    except Exception:  # noqa: BLE001  an answer is worth more than what is learnt from it
        _log.warning("a trial beside the live version failed; answers go on", exc_info=True)
