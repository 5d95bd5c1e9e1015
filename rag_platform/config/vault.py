"""Secrets in one encrypted file of the workspace.

The file is AES-256 in GCM (NIST SP 800-38D): nobody can read it without the key, and a changed byte is noticed. The key
is derived from a passphrase with scrypt (RFC 7914) or, without a passphrase, read from a file outside the workspace.
"""

import base64
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from rag_platform.core.errors import SecretError
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.locks import locked

KEY_FILE = Path("~/.config/rag-platform/secrets.key")
KEY_BYTES, NONCE_BYTES = 32, 12
SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**15, 8, 1
"""32 MB and about a tenth of a second for each guess."""


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
            content: dict[str, str] = json.loads(AESGCM(self._key(header)).decrypt(nonce, sealed, header))
        except InvalidTag:
            raise SecretError(
                f"{self.path} cannot be opened: {self._advice(json.loads(header))}, or the file was changed. If the "
                "key is lost, move the file aside and set the secrets again"
            ) from None
        return content

    def _parts(self, content: bytes) -> tuple[bytes, bytes, bytes]:
        try:
            header, body = content.split(b"\n", 1)
            parsed = json.loads(header)
            base64.b64decode(parsed["salt"], validate=True)
            if parsed["version"] != 1 or len(body) <= NONCE_BYTES:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise SecretError(
                f"{self.path} is no file of secrets, or it is damaged; restore it from a backup, or "
                "move it aside and set the secrets again"
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
            self._derived[salt] = _derive(salt, self._passphrase)
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


def _derive(salt: bytes, passphrase: str) -> bytes:
    return Scrypt(salt=salt, length=KEY_BYTES, n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P).derive(passphrase.encode())


def _write_private(path: Path, content: bytes, *, new: bool = False) -> None:
    """Write a file that its owner alone may read, from its first byte on."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        path.chmod(0o600)
        file.write(content)
