"""A package that adds a kind of source: one that works, to be changed, and the tests that every kind has to pass."""

import re
from pathlib import Path

from rag_platform.config.source_kinds import kind_names
from rag_platform.core.errors import AlreadyThere, SettingsError


def write_kind(name: str, into: Path) -> Path:
    """Write the package of a kind of that name, and return its folder.

    Raises:
        SettingsError: the name cannot be one, or there is a kind of that name.
        AlreadyThere: there is such a folder.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name):
        raise SettingsError(f"{name!r} cannot be the name of a kind; expected lower-case letters, digits and _")
    if name in kind_names():
        raise SettingsError(f"there is a kind {name!r} already; expected a new name")
    folder = into / f"rag-source-{name.replace('_', '-')}"
    if folder.exists():
        raise AlreadyThere(f"there is a folder {folder} already", "a folder that is free", "Choose another name.")
    names = {"KIND_NAME": name, "KindName": "".join(part.capitalize() for part in name.split("_"))}
    for path in sorted((Path(__file__).parent / "template").rglob("*.txt")):
        _write(folder / path.relative_to(Path(__file__).parent / "template").with_suffix(""), path, names)
    return folder


def _write(target: Path, template: Path, names: dict[str, str]) -> None:
    text = template.read_text(encoding="utf-8")
    for placeholder, name in names.items():
        text = text.replace(placeholder, name)
    target = target.with_name(target.name.replace("KIND_NAME", names["KIND_NAME"]))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
