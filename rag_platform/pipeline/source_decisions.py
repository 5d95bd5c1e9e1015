"""What people decide about a source: to hold it at its live state, or to let its newest one be published.

Either counts from the next version on; whoever decides has it built (`rag sync --no-fetch`).
"""

from datetime import UTC, datetime

from rag_platform.core.errors import SettingsError
from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.screening import newest_state
from rag_platform.workspace import Workspace


def hold_source(workspace: Workspace, source: str, *, who: str, why: str) -> Hold:
    """Hold a source at its live state until somebody releases it; `SettingsError` when there is no such source."""
    source = workspace.settings.source(source).id
    state = newest_state(workspace, source)
    return workspace.holds.hold(Hold(source, "person", why, datetime.now(UTC), state, who=who))


def release_source(workspace: Workspace, source: str, *, who: str, why: str) -> Hold:
    """End a source's hold and return it; what the brake or the questions held may pass as it was when it was held.

    Raises:
        SettingsError: there is no such source, or it is not held.
    """
    source = workspace.settings.source(source).id
    hold = workspace.holds.active().get(source)
    if hold is None:
        raise SettingsError(f"source {source!r} is not held; `rag index status` names those that are")
    if hold.cause != "person":
        workspace.holds.permit(source, hold.state, who=who, why=why)
    workspace.holds.end(source, why=why, who=who)
    return hold
