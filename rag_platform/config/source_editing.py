"""Changes of rag.toml: a source is added, changed, paused, resumed or taken out, or a value of another section is set.

The text stays as people wrote it: comments, order and all that is not changed. What comes out is read as a whole before
it takes the file's place, in one step, so that a wrong change changes nothing; two at a time wait for each other.
"""

import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ConvertError
from tomlkit.items import AoT, Array, Item, Key, Table, Whitespace

from rag_platform.config.settings import FILE, Settings
from rag_platform.config.settings_file import settings_from
from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.errors import AlreadyThere, SettingsError
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.locks import locked

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
    return _add(home, [table])


def add_parts(home: Path, table: Mapping[str, Any], count: int) -> Settings:
    """Write so many sources that read a part each of what `table` names, as `add_source` does one.

    They are called by its `id` and their number, and share its collection: where it has none, one of its id.
    """
    name, rest = table.get("id"), {key: value for key, value in table.items() if key not in ("id", "part")}
    parts = [{"id": f"{name}-{at}", "part": f"{at}/{count}"} for at in range(1, count + 1)]
    return _add(home, [part | {"collection": name} | rest for part in parts])


def _add(home: Path, tables: Sequence[Mapping[str, Any]]) -> Settings:
    with _editing(home) as file:
        for table in tables:
            if table.get("id") in file.ids:
                raise AlreadyThere(
                    f"there is a source {table.get('id')!r} already", "an id that is free", "Choose another."
                )
            file.append(table)
        return file.save([*file.ids, *(str(table.get("id")) for table in tables)])


def pause_source(home: Path, source_id: str, *, paused: bool = True) -> Settings:
    """Pause a source, or resume it, and return the settings as they are then; `SettingsError` when there is none."""
    with _editing(home) as file:
        table = file.tables[file.place_of(source_id)]
        if not paused:
            table.pop("paused", None)
        elif "paused" in table:
            table["paused"] = True
        else:
            table.value._insert_after("id", "paused", tomlkit.item(True))
        return file.save(file.ids)


def change_source(home: Path, source_id: str, values: Mapping[str, Any]) -> Settings:
    """Set these keys of a source and return the settings as they are then; None takes a key out: its default counts.

    Raises:
        SettingsError: there is no such source, its id or kind is named, or the file would not be right then; nothing
            was changed.
    """
    if fixed := {"id", "kind"}.intersection(values):
        raise SettingsError(f"{', '.join(sorted(fixed))} of a source cannot be changed; remove it and add another")
    with _editing(home) as file:
        place = file.place_of(source_id)
        table = file.tables[place]
        wanted = {key: value for key, value in {**table.unwrap(), **values}.items() if value is not None}
        comments = _take_comments(table)
        for key, value in values.items():
            if value is None or isinstance(table.get(key), AoT | Table):
                table.pop(key, None)
            if value is not None and key in table:
                table[key] = _item(value)
            elif value is not None:
                table.value._insert_after("kind", key, _item(value))
        _last_body(table).extend(comments)
        return file.save(file.ids, {place: wanted})


def remove_source(home: Path, source_id: str) -> Settings:
    """Take a source out of rag.toml and return the settings as they are then; what follows its table stays."""
    with _editing(home) as file:
        place = file.place_of(source_id)
        file.remove(place)
        return file.save([one for at, one in enumerate(file.ids) if at != place])


def set_value(home: Path, section: str, key: str, value: float | str | bool | Sequence[str] | None) -> Settings:
    """Set a value of a section that is no list, such as [answer], and return the settings as they are then.

    None takes the key out: its default counts.

    Raises:
        SettingsError: the file would not be right then, or a variable says otherwise; nothing was changed.
    """
    with _editing(home) as file:
        if section not in file.document:
            if file.document.body:
                file.document.add(tomlkit.nl())
            file.document.add(section, tomlkit.table())
        if value is None:
            file.document[section].pop(key, None)
            return file.save(file.ids)
        file.document[section][key] = list(value) if isinstance(value, tuple) else value
        found = getattr(getattr(settings_from(file.document.as_string(), home), section), key)
        if found != (tuple(value) if isinstance(value, list | tuple) else value):
            variable = f"RAG_{section}__{key}".upper()
            raise SettingsError(f"the variable {variable} says what {key} in [{section}] is, before rag.toml")
        return file.save(file.ids)


@dataclass(frozen=True, slots=True)
class _File:
    """rag.toml while nobody else changes it."""

    home: Path
    path: Path
    document: tomlkit.TOMLDocument
    ids: tuple[str, ...]
    """Of the sources, before the change."""

    @property
    def tables(self) -> AoT:
        """The sources' tables."""
        found = self.document.get("sources", AoT([], parsed=True))  # or it adds blank lines of its own
        if not isinstance(found, AoT):
            raise SettingsError(
                f"{self.path}: the sources are written as a list, sources = [...]; expected a [[sources]] table of "
                "each. Change the file by hand, or write them as tables first"
            )
        return found

    def place_of(self, source_id: str) -> int:
        """Return which of the tables is a source's."""
        if source_id in self.ids:
            return self.ids.index(source_id)
        hint = f"; {near}" if (near := did_you_mean(source_id, self.ids)) else ""
        raise SettingsError(
            f"{self.path}: no source has the id {source_id!r}; known: {', '.join(self.ids) or 'none'}{hint}"
        )

    def append(self, values: Mapping[str, Any]) -> None:
        """Write a table after those that are there, and before the comments about what follows them."""
        table, tables = tomlkit.table(), self.tables
        for key, value in values.items():
            try:
                table.add(key, _item(value))
            except ConvertError as error:
                raise SettingsError(
                    f"{key} = {value!r}: expected values that TOML has; leave out what is null"
                ) from error
        if tables:
            comments = _take_comments(tables[-1])
            _last_body(tables[-1]).append((None, tomlkit.nl()))
            _last_body(table).extend(comments)
            tables.append(table)
        else:
            self.document.pop("sources", None)
            if self.document.body:
                self.document.add(tomlkit.nl())
            tables.append(table)
            self.document.add("sources", tables)

    def remove(self, place: int) -> None:
        """Take a table out; the comments after it are about what follows, and stay."""
        tables = self.tables
        comments = "".join(item.as_string() for _, item in _take_comments(tables[place])).lstrip("\r\n")
        names = [key.key if key else None for key, _ in self.document.body]
        following = [
            item for _, item in self.document.body[names.index("sources") + 1 :] if isinstance(item, AoT | Table)
        ]
        following = [*tables[place + 1 :], *following]
        del tables[place]
        if not tables:
            del self.document["sources"]
        if following:
            trivia = _first_header(following[0]).trivia
            trivia.indent = comments + trivia.indent
        elif tables:
            body = _last_body(tables[-1])
            while isinstance(body[-1][1], Whitespace):  # the blank line before what is gone
                body.pop()
        if comments and not following:
            self.document.add(tomlkit.ws("\n" * bool(tables) + comments))

    def save(self, ids: Sequence[str], expected: Mapping[int, Mapping[str, Any]] | None = None) -> Settings:
        """Put the changed text in the file's place when all of it is right, and the sources are these.

        Args:
            ids: of the sources.
            expected: what the tables at some places hold then.
        """
        text = self.document.as_string()
        settings = settings_from(text, self.home)
        tables = tomllib.loads(text).get("sources", [])
        wrong = any(tables[place] != _plain(table) for place, table in (expected or {}).items())
        if wrong or [table["id"] for table in tables] != list(ids):
            raise SettingsError(f"{self.path} is written in a way that cannot be changed by itself; change it by hand")
        if [source.id for source in settings.sources] != list(ids):
            raise SettingsError(
                "the variable RAG_SOURCES says which sources there are, before rag.toml; change it there"
            )
        target = self.path.resolve()  # what a link leads to, not the link
        with atomic_write(target) as beside:
            beside.write_text(text, encoding="utf-8", newline="")
            if target.exists():
                shutil.copymode(target, beside)
        return settings


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
        document = tomlkit.parse(text if text.endswith("\n") or not text else text + "\n")
        if "".join(document.as_string().split()) != "".join(text.split()):  # tables of sources between other tables
            raise SettingsError(
                f"{path}: other tables stand between the [[sources]] tables; put these together, or change the file by "
                "hand"
            )
        yield _File(home, path, document, tuple(table["id"] for table in tomllib.loads(text).get("sources", [])))


def _last_body(table: Table) -> list[tuple[Key | None, Item]]:
    """Return what a table holds, or its last inner table: there stands what is written before the next header."""
    body = table.value.body
    last = body[-1][1] if body else None
    if isinstance(last, AoT):
        last = last[-1]
    return _last_body(last) if isinstance(last, Table) else body


def _take_comments(table: Table) -> list[tuple[Key | None, Item]]:
    """Take out of a table what stands at its end and is about what follows: comments from the first blank line on."""
    body = _last_body(table)
    keys = [place for place, (key, _) in enumerate(body) if key is not None]
    end = keys[-1] + 1 if keys else 0
    start = next((place for place in range(end, len(body)) if isinstance(body[place][1], Whitespace)), end)
    taken = body[start:]
    del body[start:]
    return taken


def _first_header(item: AoT | Table) -> Table:
    """Return the first table of an item whose header is written."""
    table = item[0] if isinstance(item, AoT) else item
    inner = next(iter(table.value.values()), None) if table.is_super_table() else None
    return _first_header(inner) if isinstance(inner, AoT | Table) else table


def _plain(value: Any) -> Any:
    """Return a value as TOML gives it back: tuples as lists."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _item(value: Any) -> Item:
    if isinstance(value, str) and "\n" in value:
        written = tomlkit.string(value, multiline=True).as_string()
        item: Item = tomlkit.value(f"{written[:3]}\n{written[3:]}")  # TOML leaves out a line's end that comes first
        return item
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return table
    plain: Item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
    if isinstance(plain, Array) and len(plain.as_string()) > _LONG:
        plain.multiline(True)
    return plain
