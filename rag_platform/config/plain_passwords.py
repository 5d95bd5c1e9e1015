"""Passwords that would go over the network for everybody on the way to read."""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from rag_platform.config.placeholders import PLACEHOLDER
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.errors import SettingsError

_NOT_SENT = frozenset(("uri", "pdf_passwords"))
"""Keys whose values no server is sent or asked: what people are shown as an address, and what opens files."""


def check_encryption(settings: SourceSettings) -> None:
    """Raise SettingsError if a source's password would be sent over ``http://`` to another machine."""
    if not settings.plain_http and (hosts := exposed(settings)):
        raise SettingsError(
            f"sources[{settings.id}]: its password would go to {', '.join(hosts)} unencrypted, for all on the way to "
            "read; expected https://. Where nobody can listen, as on a network of your own, set plain_http = true"
        )


def exposed(settings: SourceSettings) -> list[str]:
    """Return the machines to which a source would send a password, a token or a key unencrypted."""
    values = list(_strings(settings.model_dump(exclude=set(_NOT_SENT))))
    plain = [one for value in values if value.lower().startswith("http://") and (one := _address(value))]
    if not any(map(PLACEHOLDER.search, values)) and not any(one.password for one in plain):
        return []
    return sorted({one.hostname for one in plain if one.hostname and not _is_here(one.hostname)})


def _address(value: str) -> SplitResult | None:
    """Return the parts of an address; None: it is none, but a pattern of addresses."""
    try:
        return urlsplit(value)
    except ValueError:
        return None


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner) if key not in _NOT_SENT else ()
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _strings(inner)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost") or bool(PLACEHOLDER.search(host))
