"""What an address says about its file: the name, its extension, the folder that it is in."""

import re
from collections.abc import Iterable, Set
from itertools import chain, count
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


def unused(name: str, taken: Iterable[str]) -> str:
    """Return a name that nothing has yet: "scan.pdf", then "scan (2).pdf"."""
    known = taken if isinstance(taken, Set) else set(taken)
    stem, dot, suffix = name.rpartition(".") if "." in name else (name, "", "")
    names = chain([name], (f"{stem} ({number}){dot}{suffix}" for number in count(2)))
    return next(one for one in names if one not in known)
