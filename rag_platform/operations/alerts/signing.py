"""The headers by which whoever gets a webhook knows whose it is: https://www.standardwebhooks.com, version 1."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterable
from datetime import datetime

from rag_platform.core.errors import AlertFailed

PREFIX = "whsec_"
SHORTEST = 24
"""Bytes of a key."""


def signed_headers(message_id: str, body: bytes, keys: Iterable[str], now: datetime) -> dict[str, str]:
    """Return the headers of a webhook: its id, the moment of sending, and a signature by each key, if there is one.

    Raises:
        AlertFailed: a key is none; it does not say what the key is.
    """
    moment = str(int(now.timestamp()))
    told = f"{message_id}.{moment}.".encode() + body
    marks = [base64.b64encode(hmac.digest(_bytes_of(key), told, hashlib.sha256)).decode() for key in keys]
    signed = {"webhook-signature": " ".join(f"v1,{mark}" for mark in marks)} if marks else {}
    return {"webhook-id": message_id, "webhook-timestamp": moment} | signed


def _bytes_of(key: str) -> bytes:
    try:
        decoded = base64.b64decode(key.strip().removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        decoded = b""
    if len(decoded) < SHORTEST:
        told = f"a signing key is no Base64 of {SHORTEST} bytes or more; `openssl rand -base64 32` makes one"
        raise AlertFailed(told, transient=False)
    return decoded
