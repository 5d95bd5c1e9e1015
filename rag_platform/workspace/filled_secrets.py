"""Settings that name a secret, filled in at the moment they are used."""

from rag_platform.config.placeholders import Expanded, expand, hide
from rag_platform.workspace.workspace import Workspace


class Filled:
    """Fills in what is secret, and knows what that was."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._hidden: set[str] = set()

    def __call__(self, template: str) -> str:
        """Return a value of the settings; `SecretError` when something it names is not there."""
        stored = self._workspace.secrets if "${secret:" in template else None
        expanded: Expanded = expand(template, stored, self._workspace.settings.variables)
        self._hidden |= expanded.hidden
        return expanded.value

    def hide(self, text: str) -> str:
        """Take what is secret from a message."""
        return hide(" ".join(text.split()), self._hidden)
