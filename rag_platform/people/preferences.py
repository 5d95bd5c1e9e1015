"""What somebody chose last, to be chosen again."""

from rag_platform.storage.relational.app_database import Database


class Preferences:
    """Last choices by person and name, in the journal's file."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def get(self, principal: str, name: str) -> str | None:
        """Return what a person chose last; None: nothing yet."""
        with self._file.reading() as connection:
            found = connection.execute(
                "select value from preferences where principal = ? and name = ?", (principal, name)
            ).fetchone()
        return found["value"] if found else None

    def set(self, principal: str, name: str, value: str) -> None:
        """Keep what a person chose."""
        with self._file.writing() as connection:
            connection.execute(
                "insert into preferences values (?, ?, ?) "
                "on conflict (principal, name) do update set value = excluded.value",
                (principal, name, value),
            )
