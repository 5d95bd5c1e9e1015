"""App data that lies in PostgreSQL: into a backup as the files that it would be here, and out of it again."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from rag_platform.access.migrations import MIGRATIONS as OF_RULES
from rag_platform.config.settings import Settings
from rag_platform.core.errors import StorageError
from rag_platform.index.releases.pointers import MIGRATIONS as POINTER_STEPS
from rag_platform.journal.migrations import MIGRATIONS
from rag_platform.operations.alerts.alerting import FILE as ALERTS
from rag_platform.operations.alerts.outbox import MIGRATIONS as OF_ALERTS
from rag_platform.storage.relational.copied_tables import copy_to_file, fill_from_file, is_empty, set_schema_aside
from rag_platform.storage.relational.postgres import PostgresDatabase
from rag_platform.workspace import Workspace
from rag_platform.workspace.stores import POINTER, RULES

JOURNAL = "app.sqlite"
_STEPS = {JOURNAL: MIGRATIONS, ALERTS: OF_ALERTS, RULES: OF_RULES}
"""By file: what makes its tables."""


def dump(workspace: Workspace, folder: Path) -> dict[str, Path]:
    """Write what lies in PostgreSQL into files of a folder; returns them by the names that they have in data."""
    if workspace.database_url is None:
        return {}
    for name, steps in _STEPS.items():
        copy_to_file(_schema(workspace, name), folder / name, steps)
    return {name: folder / name for name in _STEPS}


def _schema(workspace: Workspace, name: str) -> PostgresDatabase:
    database = workspace.database(name, _STEPS[name])
    assert isinstance(database, PostgresDatabase)
    return database


def of_files(settings: Settings) -> Workspace:
    """Open the workspace of a restored folder with all of its data in files, wherever its settings have them."""
    here = settings.scale.model_copy(update={"database": None, "objects": None, "store": "folder"})
    return Workspace(settings.model_copy(update={"scale": here}))


def fill(restored: Workspace, *, over: bool) -> list[str]:
    """Put restored files into the database that the restored settings name; returns what was left or kept, in words.

    A database that holds rows is another workspace's, or what is there now: it stays as it is unless `over`.
    """
    said, mark = [], f"{datetime.now(UTC):%Y%m%dt%H%M%S%f}"
    for name, steps in _STEPS.items() if restored.database_url else ():
        path, database = restored.settings.data / name, _schema(restored, name)
        if not path.exists():
            continue
        if not is_empty(database) and name == RULES:
            path.unlink()
            continue  # who may read what stays as it is decided now, and is never gone for a moment
        if not is_empty(database):
            if not over:
                said.append(f"what [scale] database holds: it stays, and the backup's rows lie in data/{name}; "
                            "--replace puts them into the database")  # fmt: skip
                continue
            if name == JOURNAL:
                keep_valid(path, tokens_of(restored))
            said.append(f"what the database held: it is kept there as schema {set_schema_aside(database, mark)}")
            database = _schema(restored, name)
        fill_from_file(database, path, steps)
        path.unlink()
    return [*said, *_let_go_of_pointer(restored, mark, over=over)]


def _let_go_of_pointer(restored: Workspace, mark: str, *, over: bool) -> list[str]:
    """Have the restored files tell which version is live: where the database knows of none, it takes that over."""
    if not restored.database_url:
        return []
    database = restored.database(POINTER, POINTER_STEPS)
    assert isinstance(database, PostgresDatabase)
    with database.reading() as connection:
        if connection.execute("select 1 from moves limit 1").fetchone() is None:
            return []
    if over:
        return [
            f"the log of moves that the database held: it is kept there as schema {set_schema_aside(database, mark)}"
        ]
    return ["which version is live: the database says so, and that stays; another schema_name is a workspace beside it"]


def tokens_of(workspace: Workspace) -> list[str]:
    """Return the ids of the tokens that are valid now, whether they lie in a file or in PostgreSQL."""
    with workspace.journal.reading() as connection:
        return [row[0] for row in connection.execute("select id from tokens")]


def keep_valid(path: Path, valid: list[str]) -> None:
    """Let no token back into a restored file that was revoked since."""
    try:
        with closing(sqlite3.connect(path)) as copy, copy:
            copy.execute("delete from tokens where id not in (select value from json_each(?))", (json.dumps(valid),))
    except sqlite3.Error as error:
        raise StorageError(f"the tokens of the backup cannot be compared with today's: {error}") from error
