"""The command that installs what is missing, from where this platform was installed.

No package index has this platform, and whoever registers its name there would serve our users. So a command names the
folder, file or address that pip recorded at the installation (PEP 610), and never the bare name.
"""

import json
import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

NAME = "rag-platform"
UNKNOWN = "WHEEL"
"""Stands in a command for what was installed, when nothing recorded it."""


def install_command(*extras: str) -> str:
    """Return the command that adds extras to this installation.

    >>> install_command("ocr")  # doctest: +SKIP
    "/venv/bin/python -m pip install '/downloads/rag_platform-0.1.0-py3-none-any.whl[ocr]'"
    """
    python = shlex.quote(sys.executable or "python")
    options, requirement = _requirement(_record(), f"[{','.join(extras)}]" if extras else "")
    command = f"{python} -m pip install {options}{shlex.quote(requirement)}"
    if requirement.startswith(UNKNOWN):
        command += f", where {UNKNOWN} is the wheel or folder that you installed rag_platform from"
    return command


def platform_version() -> str:
    """Return this platform's version; of a tree that was never installed, that is unknown."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return "unknown (not installed)"


def _record() -> dict[str, object]:
    """Return what pip recorded of where this was installed from; nothing: it recorded none."""
    try:
        text = distribution(NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        text = None
    record = json.loads(text or "{}")
    return record if isinstance(record, dict) else {}


def _requirement(record: dict[str, object], extras: str) -> tuple[str, str]:
    """Return pip's options and the requirement that names what was installed, with extras."""
    address = _without_credentials(str(record.get("url") or ""))
    parts = urlsplit(address)
    if not parts.scheme:
        return "", UNKNOWN + extras
    if parts.scheme == "file" and "vcs_info" not in record:
        editable = record.get("dir_info") == {"editable": True}
        return "--editable " if editable else "", str(Path(url2pathname(unquote(parts.path)))) + extras
    vcs = record.get("vcs_info")
    if isinstance(vcs, dict):
        address = f"{vcs.get('vcs')}+{address}@{vcs.get('commit_id')}"
    return "", f"{NAME}{extras} @ {address}"


def _without_credentials(address: str) -> str:
    return re.sub(r"//[^/@]*@", "//", address, count=1)
