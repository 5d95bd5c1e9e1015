"""Secrets in the keyring of the operating system."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rag_platform.core.errors import MissingExtra, SecretError

Result = TypeVar("Result")
INDEX = "/names"
"""The entry of a keyring that holds the names of the others; no secret can be called so."""


class Keyring:
    """Secrets in the keyring of the operating system, for one workspace."""

    place = "the keyring of the operating system"

    def __init__(self, home: Path) -> None:
        self._service = f"rag-platform:{home}"
        self._ring = _keyring()

    def get(self, name: str) -> str | None:
        """Return a secret."""
        found: str | None = self._call(lambda: self._ring.get_password(self._service, name))
        return found

    def put(self, name: str, value: str) -> None:
        """Keep a secret."""
        self._call(lambda: self._ring.set_password(self._service, name, value))
        self._remember({*self.names(), name})

    def delete(self, name: str) -> bool:
        """Remove a secret."""
        known = self.get(name) is not None
        if known:
            self._call(lambda: self._ring.delete_password(self._service, name))
        self._remember({*self.names()} - {name})
        return known

    def names(self) -> list[str]:
        """Name all secrets; keyrings cannot list, so the names are an entry of their own."""
        return sorted(json.loads(self._call(lambda: self._ring.get_password(self._service, INDEX)) or "[]"))

    def _remember(self, names: set[str]) -> None:
        self._call(lambda: self._ring.set_password(self._service, INDEX, json.dumps(sorted(names))))

    def _call(self, question: Callable[[], Result]) -> Result:
        try:
            return question()
        except Exception as error:  # each keyring fails in its own way, such as one that stays locked
            raise SecretError(
                f"{self.place} does not answer ({type(error).__name__}); unlock it, or keep secrets in a file with "
                'store = "file" in [secrets]'
            ) from error


def _keyring() -> Any:
    try:
        import keyring
        from keyring.backends import fail, null
    except ModuleNotFoundError as error:
        raise MissingExtra("keyring", "keyring", "keeping secrets in the keyring") from error
    ring = keyring.get_keyring()
    if isinstance(ring, fail.Keyring | null.Keyring):
        raise SecretError('this machine has no keyring; keep secrets in a file with store = "file" in [secrets]')
    return ring
