"""Changes of the sources in rag.toml: one is added, paused, resumed or taken out.

The text stays as people wrote it: comments, order and all that is not changed. What comes out is read as a whole before
it takes the file's place, in one step, so that a wrong change changes nothing; two at a time wait for each other.
"""

import os
import re
import shutil
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from rag_platform.config.settings import FILE, Settings, settings_from
from rag_platform.core.errors import AlreadyThere, SettingsError
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.locks import locked

_SOURCE = re.compile(r"[ \t]*\[\[[ \t]*(?:sources|\"sources\"|'sources')[ \t]*\]\]")
_HEADER = re.compile(r"^[ \t]*\[.*$", re.MULTILINE)
_INNER = re.compile(r"[ \t]*\[[ \t]*(?:sources|\"sources\"|'sources')[ \t]*\.")
_ID = re.compile(r"^[ \t]*(?:id|\"id\"|'id')[ \t]*=.*$", re.MULTILINE)
_PAUSED = re.compile(r"^[ \t]*(?:paused|\"paused\"|'paused')[ \t]*=[^\n]*\n?", re.MULTILINE)
_TAIL = re.compile(r"[ \t]*(?:#.*)?\r?\n?")
_LONG = 100
"""Characters from which a list is written one value to a line."""


def add_source(home: Path, table: Mapping[str, Any]) -> Settings:
    """Write a new source into rag.toml, after those that are there, and return the settings as they are then.

    Args:
        home: the workspace's folder; a rag.toml is made where there is none.
        table: the source as in the file: `id`, `kind` and what its kind wants.

    Raises:
        AlreadyThere: there is a source of that id.
        SettingsError: the file would not be right then; nothing was changed.
    """
    with _editing(home) as file:
        if any(source.get("id") == table.get("id") for source in file.tables):
            raise AlreadyThere(
                f"there is a source {table.get('id')!r} already", "an id that is free", "Choose another."
            )
        at = file.blocks()[-1].end if file.tables else _before_tables(file.text)
        before, after = file.text[:at].rstrip(), file.text[at:].lstrip("\r\n")
        parts = [*([before] if before else []), _written(table), *([after] if after else [])]
        return file.replace("\n\n".join(part.rstrip("\n") for part in parts) + "\n", [*file.tables, dict(table)])


def pause_source(home: Path, source_id: str, *, paused: bool = True) -> Settings:
    """Pause a source, or resume it, and return the settings as they are then; `SettingsError` when there is none."""
    with _editing(home) as file:
        place = file.place_of(source_id)
        if bool(file.tables[place].get("paused")) == paused:
            return settings_from(file.text, home)
        block = file.blocks()[place]
        text = _without_paused(file, block)
        if paused:
            line = next(one for one in _real(_ID, text, block.start) if one.start() < len(text))
            text = text[: line.end()].rstrip("\r") + "\npaused = true" + text[line.end() :]
        table = {key: value for key, value in file.tables[place].items() if key != "paused"}
        changed = [*file.tables]
        changed[place] = table | ({"paused": True} if paused else {})
        return file.replace(text, changed)


def remove_source(home: Path, source_id: str) -> Settings:
    """Take a source out of rag.toml and return the settings as they are then; what follows its table stays."""
    with _editing(home) as file:
        place = file.place_of(source_id)
        block = file.blocks()[place]
        before, after = file.text[: block.start].rstrip(), file.text[block.end :].lstrip("\r\n")
        text = "\n\n".join(part for part in (before, after) if part)
        return file.replace(text if text.endswith("\n") or not text else text + "\n", _but(file.tables, place))


@dataclass(frozen=True, slots=True)
class _Block:
    """Where a source's table stands: from its header to the end of its last line that is no comment."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _File:
    """rag.toml while nobody else changes it."""

    home: Path
    path: Path
    text: str
    tables: list[dict[str, Any]]

    def place_of(self, source_id: str) -> int:
        """Tell which of the tables is a source's."""
        for place, table in enumerate(self.tables):
            if table.get("id") == source_id:
                return place
        known = ", ".join(str(table.get("id")) for table in self.tables) or "none"
        raise SettingsError(f"{self.path}: no source has the id {source_id!r}; known: {known}")

    def blocks(self) -> list[_Block]:
        """Find the tables of the sources in the text, in their order."""
        headers = _real(_HEADER, self.text)
        starts = [one.start() for one in headers if _SOURCE.match(one[0])]
        ends = [one.start() for one in headers if not _INNER.match(one[0])] + [len(self.text)]
        if len(starts) != len(self.tables):
            raise SettingsError(
                f"{self.path}: the sources are written as a list, sources = [...]; expected a [[sources]] table of "
                "each. Change the file by hand, or write them as tables first"
            )
        return [_Block(start, self._trimmed(start, ends[bisect_right(ends, start)])) for start in starts]

    def replace(self, text: str, tables: list[dict[str, Any]]) -> Settings:
        """Put another text in the file's place when it says what was meant, and the whole of it is right."""
        if tomllib.loads(text).get("sources", []) != tables:
            raise SettingsError(f"{self.path} is written in a way that cannot be changed by itself; change it by hand")
        settings = settings_from(text, self.home)
        if [source.id for source in settings.sources] != [table["id"] for table in tables]:
            raise SettingsError(
                "the variable RAG_SOURCES says which sources there are, before rag.toml; change it there"
            )
        target = self.path.resolve()  # what a link leads to, not the link
        with atomic_write(target) as beside:
            beside.write_text(text, encoding="utf-8", newline="")
            if target.exists():
                shutil.copymode(target, beside)
        return settings

    def _trimmed(self, start: int, end: int) -> int:
        """Leave out the comments at the end: they are about what follows."""
        lines = self.text[start:end].splitlines(keepends=True)
        while _TAIL.fullmatch(lines[-1]) and _whole(self.text[start : end - len(lines[-1])]):
            end -= len(lines.pop())
        return end


@contextmanager
def _editing(home: Path) -> Iterator[_File]:
    path = home / FILE
    with locked(home / "data" / "locks" / f"{FILE}.lock"):
        try:
            text = path.read_bytes().decode() if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path} cannot be read: {error}") from error
        settings_from(text, home)  # what is wrong already is told before anything is changed
        if path.exists() and not os.access(path.resolve(), os.W_OK):
            raise SettingsError(f"{path} cannot be written; mend its permissions, or change the file by hand")
        yield _File(home, path, text, tomllib.loads(text).get("sources", []))


def _real(pattern: re.Pattern[str], text: str, start: int = 0) -> list[re.Match[str]]:
    """Find the lines that are what they look like: not those within a text of several lines."""
    found, whole = [], start
    for one in pattern.finditer(text, start):
        if _whole(text[whole : one.start()]):
            found.append(one)
            whole = one.start()  # so that each piece of the file is read once
    return found


def _whole(text: str) -> bool:
    """Tell whether a piece of the file that begins with a statement ends with one."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _before_tables(text: str) -> int:
    """Return where the first table begins: a file without sources gets its first before the others."""
    first = next(iter(_real(_HEADER, text)), None)
    if first is None:
        return len(text)
    lines = text[: first.start()].splitlines(keepends=True)
    at = first.start()
    while lines and lines[-1].lstrip().startswith("#"):  # what is said above a table is said of it
        at -= len(lines.pop())
    return at


def _without_paused(file: _File, block: _Block) -> str:
    for line in _real(_PAUSED, file.text, block.start):
        if line.start() < block.end:
            return file.text[: line.start()] + file.text[line.end() :]
    return file.text


def _but(tables: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    return tables[:place] + tables[place + 1 :]


def _written(table: Mapping[str, Any]) -> str:
    lines = ["[[sources]]", *(f"{key} = {_value(value)}" for key, value in table.items())]
    return "\n".join(lines)


def _value(value: Any) -> str:
    if isinstance(value, str) and "\n" in value:
        written = tomlkit.string(value, multiline=True).as_string()
        return f"{written[:3]}\n{written[3:]}"  # TOML leaves out a line's end that comes first
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return table.as_string()
    item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
    if isinstance(value, list | tuple) and len(item.as_string()) > _LONG:
        item.multiline(True)
    return item.as_string()
