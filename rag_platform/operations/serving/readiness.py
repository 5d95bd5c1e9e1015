"""Whether a server is ready to answer: a model is loaded, and a version open and warm."""

import logging
import threading

from rag_platform.workspace import Workspace

UNPUBLISHED = "nothing is published yet"
LOADING = "the model and the live version are being loaded"


class Readiness:
    """Loads what answers need beside the server, so that asking whether it is ready takes no time."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = threading.Lock()
        self._loading: threading.Thread | None = None
        self._loaded = False

    def waits_for(self) -> str | None:
        """Return what is still to come before questions can be answered, for anybody; None: nothing."""
        if self._workspace.versions.live_id() is None:
            return UNPUBLISHED
        with self._lock:
            if not self._loaded and not (self._loading and self._loading.is_alive()):
                self._loading = threading.Thread(target=self._load, name="warm up", daemon=True)
                self._loading.start()
        return None if self._loaded else LOADING

    def wait(self) -> None:
        """Wait until all is loaded, or could not be."""
        if self.waits_for() == LOADING and self._loading:
            self._loading.join()

    def _load(self) -> None:
        try:
            assert self._workspace.embedder
            retriever = self._workspace.retriever
            retriever.warm(retriever.live())
            self._loaded = True
        except Exception:  # whoever asks next has it tried again
            logging.getLogger(__name__).exception("what answers need cannot be loaded")
