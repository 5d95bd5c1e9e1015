"""Settings with ``${NAME}`` in them -> their values; what came from a variable never shows in a message."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

from rag_platform.errors import SettingsError

VARIABLE = re.compile(r"\$\{(\w+)\}")


class Variables:
    """The environment's variables, and a memory of those that were used."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._secrets: set[str] = set()

    def expand(self, text: str, where: str, escape: Callable[[re.Match[str]], bool] = lambda _: False) -> str:
        """Put variables into a text; `escape` says of which the value is percent-encoded.

        Raises:
            SettingsError: a variable is not set; `where` names the setting.
        """

        def value(match: re.Match[str]) -> str:
            if match[1] not in self._environ:
                raise SettingsError(
                    f"{where} = {text!r}: the variable {match[1]} is not set; expected it in the environment"
                )
            self.hide(self._environ[match[1]])
            return quote(self._environ[match[1]], safe="") if escape(match) else self._environ[match[1]]

        return VARIABLE.sub(value, text)

    def hide(self, secret: str | None) -> None:
        """Keep a text out of messages."""
        self._secrets.update(filter(None, (secret,)))

    def without_secrets(self, text: str) -> str:
        """Return a message's text on one line, with stars for what must not be seen."""
        text = " ".join(text.split())
        for secret in sorted(self._secrets, key=len, reverse=True):
            for form in {secret, quote(secret, safe=""), unquote(secret)}:
                text = text.replace(form, "***")
        return text
