"""Secrets that we give out and know again: ``kind_id_secret``, of which a hash is kept.

The id finds the row, the secret is compared in constant time: how long it takes tells nothing of either.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

_FORM = re.compile(r"([a-z]+)_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class SecretKey:
    """A secret as it was given, and what is kept of it."""

    id: str
    hash: bytes
    text: str

    def matches(self, kept: bytes | None) -> bool:
        """Return whether it is the one that this hash was kept of; None: none was."""
        return hmac.compare_digest(kept or bytes(32), self.hash) and kept is not None


def new_key(kind: str) -> SecretKey:
    """Make a secret of 256 random bits."""
    key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    return SecretKey(key_id, _hash(secret), f"{kind}_{key_id}_{secret}")


def read_key(kind: str, text: str) -> SecretKey | None:
    """Read a secret of that kind; None: it is none."""
    parts = _FORM.fullmatch(text)
    return SecretKey(parts[2], _hash(parts[3]), text) if parts and parts[1] == kind else None


def _hash(secret: str) -> bytes:
    """Hash a secret of 256 random bits, of which no dictionary knows any: no slow hash is needed."""
    return hashlib.sha256(secret.encode()).digest()
