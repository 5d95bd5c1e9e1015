"""Values of the settings that name a secret: ``${secret:NAME}`` is a kept one, ``${NAME}`` a variable.

They are filled in at the moment they are used, and what was filled in is known, so that it can be kept out of messages.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import quote, unquote

from pydantic import AfterValidator

from rag_platform.config.secrets import Secrets
from rag_platform.core.errors import SecretError

PLACEHOLDER = re.compile(r"\$\{(secret:)?([\w.-]+)\}")
ALONE = r"^\$\{.+\}$"
"""Pattern of a setting that may only name a secret, not hold it."""
_CONFIDENTIAL = re.compile(r"auth|token|key|secret|cookie|password", re.IGNORECASE)


def without_plain_secrets(headers: dict[str, str]) -> dict[str, str]:
    """Return the headers of a setting; `ValueError` where one that is secret by its name stands there in the clear."""
    for name, value in headers.items():
        if _CONFIDENTIAL.search(name) and not PLACEHOLDER.search(value):
            raise ValueError(f"a secret never stands in the file: expected {name} = '${{secret:NAME}}' or '${{NAME}}'")
    return headers


Headers = Annotated[dict[str, str], AfterValidator(without_plain_secrets)]
"""Headers that are sent, by name, with placeholders for what is secret in them."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """A value of the settings with what its placeholders stand for."""

    value: str = field(repr=False)
    hidden: frozenset[str] = field(repr=False)
    """What was put in: it must not be shown."""

    def hide(self, text: str) -> str:
        """Take from a message what must not be shown, also in the spelling of addresses."""
        return hide(text, self.hidden)


def hide(text: str, hidden: frozenset[str] | set[str]) -> str:
    """Replace secrets in a message by three stars."""
    for secret in sorted(filter(None, hidden), key=len, reverse=True):
        for form in {secret, quote(secret, safe=""), unquote(secret), json.dumps(secret)[1:-1]}:
            text = text.replace(form, "***")
    return text


def expand(
    template: str,
    stored: Secrets | None,
    environ: Mapping[str, str],
    escape: Callable[[str, int], str] = lambda value, _: value,
) -> Expanded:
    """Put in what ``${secret:NAME}`` and ``${NAME}`` stand for.

    Args:
        template: the value as it stands in the settings.
        stored: where secrets are.
        environ: the variables of the environment.
        escape: given what is put in, and where; returns how it is spelt there.

    Raises:
        SecretError: there is no such secret or variable, or the secrets cannot be read.
    """
    hidden = set()

    def value(match: re.Match[str]) -> str:
        found = environ.get(match[2]) if not match[1] else stored.get(match[2]) if stored else None
        if found is None and match[1]:
            place = stored.place if stored else "this workspace"
            raise SecretError(f"there is no secret {match[2]!r} in {place}; keep one with: rag secret set {match[2]}")
        if found is None:
            raise SecretError(f"the variable {match[2]} is not set; expected it in the environment")
        hidden.add(found)
        return escape(found, match.start())

    return Expanded(PLACEHOLDER.sub(value, template), frozenset(hidden))
