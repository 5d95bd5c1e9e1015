"""The public keys of whoever signs tokens (JWT): found by a discovery document, and kept.

They are fetched again when a token names one that is new.
"""

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
from joserfc.jwk import KeySet

from rag_platform.core.errors import IssuerSilent

_FRESH = 3600.0
"""Seconds after which the keys are fetched again."""
_PAUSE = 30.0
"""Seconds between two fetches, whatever tokens name: nobody can make us ask the issuer more often."""
_LARGEST = 200_000


class IssuerKeys:
    """The keys of one issuer; safe to ask from many threads."""

    def __init__(self, issuer: str, metadata: str, clock: Callable[[], float] = time.time) -> None:
        """Find the keys of `issuer` by the discovery document at the address `metadata`."""
        self._issuer, self._metadata, self._clock = issuer, metadata, clock
        self._lock = threading.Lock()
        self._keys: KeySet | None = None
        self._fetched = -_FRESH
        self._trouble = ""

    def key_of(self, header: dict[str, Any]) -> Any:
        """Return the key that a token with this header names.

        Raises:
            ValueError: the issuer has no such key.
            IssuerSilent: its keys cannot be had.
        """
        kid = header.get("kid")
        for fetched_anew in (False, True):
            keys = self._known(anew=fetched_anew)
            if kid is None and len(keys.keys) == 1:
                return keys.keys[0]
            found = next((key for key in keys.keys if key.kid == kid), None)
            if found is not None:
                return found
        raise ValueError("its issuer has no such key")

    def _known(self, *, anew: bool) -> KeySet:
        with self._lock:
            age = self._clock() - self._fetched
            if age > _FRESH or ((anew or self._keys is None) and age > _PAUSE):
                self._fetched = self._clock()
                try:
                    self._keys = KeySet.import_key_set(self._document(self._keys_address()))
                except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
                    self._trouble = str(error)
            if self._keys is None:  # at once: whoever waited here would hold a thread of the server
                wait = max(1, math.ceil(self._fetched + _PAUSE - self._clock()))
                raise IssuerSilent(f"the keys of {self._issuer} cannot be had: {self._trouble}", wait)
            return self._keys

    def _keys_address(self) -> str:
        metadata = self._document(self._metadata)
        if metadata["issuer"] != self._issuer:
            raise ValueError(f"its metadata are those of {metadata['issuer']!r}")
        return str(metadata["jwks_uri"])

    def _document(self, url: str) -> Any:
        with httpx.stream("GET", url, timeout=5.0) as answer:
            answer.raise_for_status()
            content = b""
            for piece in answer.iter_bytes():
                content += piece
                if len(content) > _LARGEST:
                    raise ValueError(f"{url} is too large")
        return httpx.Response(200, content=content).json()
