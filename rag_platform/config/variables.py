"""Settings with ``${NAME}`` and ``${secret:NAME}`` in them -> their values, which never show in a message."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

from rag_platform.config.placeholders import expand, hide
from rag_platform.config.secrets import Secrets
from rag_platform.core.errors import SecretError, SettingsError


class Variables:
    """The environment's variables and the kept secrets, and a memory of those that were used."""

    def __init__(self, environ: Mapping[str, str], stored: Secrets | None = None) -> None:
        self._environ = environ
        self._stored = stored
        self._secrets: set[str] = set()

    def expand(self, text: str, where: str, escape: Callable[[int], bool] = lambda _: False) -> str:
        """Put values into a text; `escape` says at which places they are percent-encoded.

        Raises:
            SettingsError: there is no such variable or secret; `where` names the setting.
        """

        def spelt(value: str, place: int) -> str:
            return quote(value, safe="") if escape(place) else value

        try:
            expanded = expand(text, self._stored, self._environ, spelt)
        except SecretError as error:
            raise SettingsError(f"{where} = {text!r}: {error}") from None
        self._secrets |= expanded.hidden
        return expanded.value

    def hide(self, secret: str | None) -> None:
        """Keep a text out of messages."""
        self._secrets.update(filter(None, (secret,)))

    def without_secrets(self, text: str) -> str:
        """Return a message's text on one line, with stars for what must not be seen."""
        return hide(" ".join(text.split()), self._secrets)
