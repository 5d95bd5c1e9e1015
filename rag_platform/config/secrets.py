"""Secrets by name: in the keyring of the operating system, or in an encrypted file of the workspace.

A value of rag.toml refers to one as ``${secret:NAME}``; ``${NAME}`` is a variable of the environment. So a password is
in no settings, log, message or record: it is looked up at the moment it is sent.

The file is AES-256 in GCM (NIST SP 800-38D): nobody can read it without the key, and a changed byte is noticed. The key
is derived from a passphrase with scrypt (RFC 7914) or, without a passphrase, read from a file outside the workspace.
"""

import base64
import json
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from rag_platform.core.errors import MissingExtra, SecretError
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.locks import locked

KEY_FILE = Path("~/.config/rag-platform/secrets.key")
KEY_BYTES, NONCE_BYTES = 32, 12
SCRYPT = {"n": 2**15, "r": 8, "p": 1}
"""32 MB and about a tenth of a second for each guess."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
INDEX = "/names"
"""The entry of a keyring that holds the names of the others; no secret can be called so."""


class Secrets(Protocol):
    """Where secrets are kept."""

    place: str
    """For people: where that is."""

    def get(self, name: str) -> str | None:
        """Return a secret, None when there is none of that name; `SecretError` when none can be read."""
        ...

    def put(self, name: str, value: str) -> None:
        """Keep a secret under a name, in place of what was there."""
        ...

    def delete(self, name: str) -> bool:
        """Remove a secret; tell whether there was one."""
        ...

    def names(self) -> list[str]:
        """Name all secrets, in order."""
        ...


class Vault:
    """Secrets in one encrypted file, readable by its owner alone and replaced whole."""

    def __init__(self, path: Path, passphrase: str | None = None, key_file: Path = KEY_FILE) -> None:
        self.path = path
        self.place = str(path)
        self._passphrase = passphrase
        self._key_file = key_file.expanduser()
        self._derived: dict[bytes, bytes] = {}

    def get(self, name: str) -> str | None:
        """Return a secret."""
        return self._read().get(name)

    def put(self, name: str, value: str) -> None:
        """Keep a secret."""
        with self._changing() as content:
            content[name] = value

    def delete(self, name: str) -> bool:
        """Remove a secret."""
        with self._changing() as content:
            return content.pop(name, None) is not None

    def names(self) -> list[str]:
        """Name all secrets."""
        return sorted(self._read())

    @contextmanager
    def _changing(self) -> Iterator[dict[str, str]]:
        """Give the content to change; two processes that do so at once wait for each other."""
        with locked(self.path.with_name(f".{self.path.name}.lock")):
            content = self._read()
            yield content
            self._write(content)

    def _read(self) -> dict[str, str]:
        try:
            header, nonce, sealed = self._parts(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        try:
            return json.loads(AESGCM(self._key(header)).decrypt(nonce, sealed, header))
        except InvalidTag:
            raise SecretError(
                f"{self.path} cannot be opened: {self._advice(json.loads(header))}, or the file was changed. If the "
                "key is lost, delete the file and set the secrets again"
            ) from None

    def _parts(self, content: bytes) -> tuple[bytes, bytes, bytes]:
        try:
            header, body = content.split(b"\n", 1)
            said = json.loads(header)
            base64.b64decode(said["salt"], validate=True)
            if said["version"] != 1 or len(body) <= NONCE_BYTES:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise SecretError(
                f"{self.path} is no file of secrets, or it is damaged; delete it and set the secrets again"
            ) from None
        return header, body[:NONCE_BYTES], body[NONCE_BYTES:]

    def _write(self, content: dict[str, str]) -> None:
        salt = base64.b64encode(secrets.token_bytes(16)).decode()
        header = json.dumps({"version": 1, "key": "scrypt" if self._passphrase else "file", "salt": salt}).encode()
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = AESGCM(self._key(header, make=True)).encrypt(nonce, json.dumps(content).encode(), header)
        with atomic_write(self.path) as beside:
            _write_private(beside, header + b"\n" + nonce + sealed)

    def _key(self, header: bytes, *, make: bool = False) -> bytes:
        wanted = json.loads(header)
        if wanted.get("key") != ("scrypt" if self._passphrase else "file"):
            raise SecretError(f"{self.path} cannot be opened: {self._advice(wanted)}")
        salt = base64.b64decode(wanted["salt"])
        if not self._passphrase:
            return self._key_from_file(make=make)
        if salt not in self._derived:
            self._derived[salt] = Scrypt(salt=salt, length=KEY_BYTES, **SCRYPT).derive(self._passphrase.encode())
        return self._derived[salt]

    def _key_from_file(self, *, make: bool) -> bytes:
        if make and not self._key_file.exists():
            self._key_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write_private(self._key_file, base64.b64encode(secrets.token_bytes(KEY_BYTES)) + b"\n", new=True)
        try:
            key = base64.b64decode(self._key_file.read_bytes(), validate=False)
        except (OSError, ValueError) as error:
            raise SecretError(
                f"the key of {self.path} cannot be read from {self._key_file}: {error}; bring the file back, or delete "
                f"{self.path} and set the secrets again"
            ) from error
        if len(key) != KEY_BYTES:
            raise SecretError(f"{self._key_file} holds no key of {KEY_BYTES} bytes; bring back the right file")
        return key

    def _advice(self, header: Mapping[str, Any]) -> str:
        if header.get("key") == "scrypt":
            given = "is another passphrase" if self._passphrase else "is not set"
            return f"it was written with a passphrase, and the variable RAG_SECRETS_KEY {given}"
        if self._passphrase:
            return f"it was written with the key file {self._key_file}; unset the variable RAG_SECRETS_KEY"
        return f"the key file {self._key_file} is another one"


class Keyring:
    """Secrets in the keyring of the operating system, for one workspace."""

    place = "the keyring of the operating system"

    def __init__(self, home: Path) -> None:
        self._service = f"rag-platform:{home}"
        self._ring = _keyring()

    def get(self, name: str) -> str | None:
        """Return a secret."""
        return self._asked(lambda: self._ring.get_password(self._service, name))

    def put(self, name: str, value: str) -> None:
        """Keep a secret."""
        self._asked(lambda: self._ring.set_password(self._service, name, value))
        self._remember({*self.names(), name})

    def delete(self, name: str) -> bool:
        """Remove a secret."""
        known = self.get(name) is not None
        if known:
            self._asked(lambda: self._ring.delete_password(self._service, name))
        self._remember({*self.names()} - {name})
        return known

    def names(self) -> list[str]:
        """Name all secrets; keyrings cannot list, so the names are an entry of their own."""
        return sorted(json.loads(self._asked(lambda: self._ring.get_password(self._service, INDEX)) or "[]"))

    def _remember(self, names: set[str]) -> None:
        self._asked(lambda: self._ring.set_password(self._service, INDEX, json.dumps(sorted(names))))

    def _asked(self, question: Callable[[], Any]) -> Any:
        try:
            return question()
        except Exception as error:  # each keyring fails in its own way, such as one that stays locked
            raise SecretError(
                f"{self.place} does not answer ({type(error).__name__}); unlock it, or keep secrets in a file with "
                'store = "file" in [secrets]'
            ) from error


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


def _write_private(path: Path, content: bytes, *, new: bool = False) -> None:
    """Write a file that its owner alone may read, from its first byte on."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(content)


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
