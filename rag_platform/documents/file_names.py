"""What an address says about its file: the name, its extension, the folder that it is in."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

_NOTION = re.compile(r" [0-9a-f]{32}(?:_all)?$")
"""The id that Notion puts behind the name of a page."""
_COMPRESSED = frozenset((".gz", ".bz2", ".xz", ".zst", ".zstd"))


def without_compression(uri: str) -> str:
    """Return an address without the ending that says how its file is compressed: ``a.md.gz`` becomes ``a.md``."""
    suffix = suffix_of(uri)
    return uri[: -len(suffix)] if suffix in _COMPRESSED and uri.lower().endswith(suffix) else uri


def suffix_of(uri: str) -> str:
    """Return the extension of an address's last part, in lower case, with its dot."""
    return PurePosixPath(unquote(_path(uri))).suffix.lower()


def stem_of(uri: str) -> str:
    """Return an address's last part without its extension."""
    return _NOTION.sub("", unquote(PurePosixPath(_path(without_compression(uri))).stem))


def name_in_folder(uri: str) -> str:
    """Return an address's last part below the folder that it is in: ``src/main.py``."""
    return "/".join(part for part in PurePosixPath(unquote(_path(uri))).parts[-2:] if part != "/")


def _path(uri: str) -> str:
    try:
        return urlsplit(uri).path
    except ValueError:  # brackets that hold no IPv6 address
        return uri


class FreeNames:
    """Names of files that are each given once: "scan.pdf", then "scan (2).pdf"."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}
        """The number to try next, so that ten thousand files of one name take no longer than ten thousand names."""

    def take(self, name: str) -> str:
        """Return a name that nothing has yet; from now on it is taken."""
        free = name
        stem, dot, suffix = name.rpartition(".") if "." in name else (name, "", "")
        while free in self._taken:
            self._next[name] = number = self._next.get(name, 1) + 1
            free = f"{stem} ({number}){dot}{suffix}"
        self._taken.add(free)
        return free
