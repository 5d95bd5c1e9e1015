"""Whether the servers of [scale] answer, and what is said of them."""

import json
from collections.abc import Iterator

from rag_platform.core.errors import RagError
from rag_platform.storage.objects.shared_tables import MARKER, SharedStore
from rag_platform.workspace import Workspace


def servers_within_reach(workspace: Workspace) -> Iterator[tuple[str, str, str]]:
    """Yield (what, "ok", "hint" or "wrong", what was found) of each server that the settings name."""
    scale, store = workspace.settings.scale, workspace.store
    if scale.database:
        try:
            _ = workspace.journal
            yield "database", "ok", "app data, alerts, locks and the pointer are in PostgreSQL"
        except RagError as error:
            yield "database", "wrong", str(error)
    if isinstance(store, SharedStore):
        try:
            count, size = store.there()
            said = f"{count} objects, {size / 1e6:.1f} MB, in {scale.objects}; data/ holds copies for this machine"
            level = "ok" if store.handed_over() else "hint"
            later = "" if store.handed_over() else ". What only data/ has is handed over by the next sync"
            yield "objects", level, f"{said}{later}"
        except RagError as error:
            yield "objects", "wrong", str(error)
    elif (marker := workspace.settings.data / MARKER).exists():
        address = json.loads(marker.read_bytes()).get("address")
        yield (
            "objects",
            "wrong",
            f"data/ holds copies of {address}, which [scale] objects does not name: they may be old",
        )
