"""Which documents a converter was, or would be, needed for: they alone are read again when it comes or changes."""

from collections.abc import Iterable

from rag_platform.documents.options import Options

_AND, _IS = "; ", ": "


def with_converters(key: str, converters: Iterable[str], options: Options) -> str:
    """Return the stage key of what needs these converters: it names each, and what of it there is."""
    return _AND.join([key, *(f"{name}{_IS}{_state(name, options)}" for name in sorted({*converters} - {""}))])


def is_as_read(stored: str, key: str, options: Options) -> bool:
    """Return whether what was read under a stage key would be read the same under another one."""
    converters = [one.partition(_IS)[0] for one in stored.split(_AND)[1:]]
    return stored == with_converters(key, converters, options)


def _state(name: str, options: Options) -> str:
    """Return its name and version, as `registry.installed` tells them; "off": none may run; empty: it is not there."""
    if options.converter == "off":
        return "off"
    return next((one for one in options.converter.split(", ") if one.startswith(f"{name} ")), "")
