"""Secrets by name: in the keyring of the operating system, or in an encrypted file of the workspace.

A value of rag.toml refers to one as ``${secret:NAME}``; ``${NAME}`` is a variable of the environment. So a password is
in no settings, log, message or record: it is looked up at the moment it is sent.
"""

import re
from pathlib import Path
from typing import Protocol

from rag_platform.core.errors import MissingExtra, SecretError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")


class Secrets(Protocol):
    """Where secrets are kept."""

    @property
    def place(self) -> str:
        """For people: where that is."""
        ...

    def get(self, name: str) -> str | None:
        """Return a secret, None when there is none of that name; `SecretError` when none can be read."""
        ...

    def put(self, name: str, value: str) -> None:
        """Keep a secret under a name, in place of what was there."""
        ...

    def delete(self, name: str) -> bool:
        """Remove a secret; return whether there was one."""
        ...

    def names(self) -> list[str]:
        """Name all secrets, in order."""
        ...


def open_secrets(store: str, home: Path, path: Path, passphrase: str | None) -> Secrets:
    """Open where a workspace keeps its secrets.

    Args:
        store: "keyring", "file", or "auto": the keyring when there is one that works, and no passphrase.
        home: the workspace's folder.
        path: of the encrypted file.
        passphrase: of the file; None: its key is in a file outside the workspace.

    Raises:
        MissingExtra: "keyring" was asked for and the package is not installed.
        SecretError: "keyring" was asked for and the machine has none.
    """
    from rag_platform.config.os_keyring import Keyring  # either is loaded when it is asked for
    from rag_platform.config.vault import Vault

    if store == "keyring" or (store == "auto" and not passphrase and not path.exists()):
        try:
            return Keyring(home)
        except (MissingExtra, SecretError):
            if store == "keyring":
                raise
    return Vault(path, passphrase)


def check_name(name: str) -> str:
    """Return the name of a secret if it can be one."""
    if not NAME.fullmatch(name):
        raise SecretError(
            f"{name!r} cannot be the name of a secret; expected letters, digits, dots, hyphens and underscores"
        )
    return name
