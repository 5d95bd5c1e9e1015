"""The live version opened and warmed beside the one that answers, so that no search waits for a publication.

As Lucene's searchers are: whoever asks is answered from the version that was live until the new one answers as quickly.
"""

import logging
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from rag_platform.core.errors import RagError
from rag_platform.index.releases.open_version import OpenVersion

_SECONDS = 0.25
"""How often the pointer is looked at while nobody asks; a search that finds it moved has it followed at once."""

_AGAIN = 30.0
"""How often one that could not be opened is tried again."""
_log = logging.getLogger(__name__)

Warm = Callable[[OpenVersion], None]
"""Asks a version what people will ask it, before they do."""


class Followed(Protocol):
    """Versions with a pointer."""

    def live_id(self) -> str | None:
        """Name the live version."""

    def open(self, version: str) -> OpenVersion:
        """Open a version."""


class Follower:
    """Follows the pointer in a thread of its own, for as long as somebody holds the versions."""

    def __init__(self, versions: Followed, warm: Warm) -> None:
        self._versions = weakref.ref(versions)
        self._warm = warm
        self._warmed: weakref.WeakSet[OpenVersion] = weakref.WeakSet()
        self._moved = threading.Event()
        self._serving: OpenVersion | None = None
        self._failed: str | None = None
        """A live version that cannot be opened; whoever asks for it is told why."""
        self._thread = threading.Thread(target=self._follow, name="follow the live version", daemon=True)
        self._thread.start()

    def stand_in(self, live: str) -> OpenVersion | None:
        """Return what answers while the live version is opened; None: it answers itself, or nothing can for it."""
        serving = self._serving
        if serving is None or live in (serving.id, self._failed) or not (self._thread.is_alive() and serving.intact):
            return None
        self._moved.set()
        return serving

    def catch_up(self, live: str, seconds: float) -> None:
        """Wait until the live version answers, at most so long."""
        ends = time.monotonic() + seconds
        while self.stand_in(live) and time.monotonic() < ends:
            time.sleep(0.01)

    def stand_down(self) -> None:
        """Have the live version answer: this process itself has moved the pointer, and has opened what it names."""
        self._serving = None

    def warm(self, version: OpenVersion) -> None:
        """Have the files of a version read ahead, and ask it what was asked last; once while it is open."""
        if version in self._warmed:
            return
        version.reader.read_ahead()
        try:
            self._warm(version)
        except Exception:  # noqa: BLE001  a cold version answers too, and says what is wrong
            _log.warning("version %s could not be warmed", version.id, exc_info=True)
        self._warmed.add(version)

    def _follow(self) -> None:
        while (versions := self._versions()) is not None:
            live = None
            with suppress(RagError):  # a store that does not answer is asked again
                live = versions.live_id()
            if live and not (self._serving and self._serving.id == live):
                self._turn(versions, live)
            del versions
            self._moved.wait(_AGAIN if live and live == self._failed else _SECONDS)
            self._moved.clear()

    def _turn(self, versions: Followed, live: str) -> None:
        try:
            opened = versions.open(live)
        except (RagError, OSError):
            self._failed = live
            return
        self.warm(opened)
        if versions.live_id() == live:
            self._serving, self._failed = opened, None
