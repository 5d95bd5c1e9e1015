"""Tables of LanceDB, which its own library reads, in a process of its own."""

from collections.abc import Iterator

from rag_platform.sources.bridges.library_process import PROGRAMS, LibraryProcess
from rag_platform.sources.stores.persisted_files import key_of
from rag_platform.sources.stores.stored_records import Opening, Row, flat


def lancedb_rows(opening: Opening) -> Iterator[Row]:
    """Yield the rows of a table; those that have no id are numbered."""
    place = opening.place if "://" in opening.place else str(opening.path.resolve())
    process = LibraryProcess(PROGRAMS / "read_lancedb.py", "lancedb", opening.settings, opening.home, opening.variables)
    [tables] = [message["tables"] for message in process.ask({"place": place})]
    wanted = {"place": place, "table": opening.chosen(tables, "table")}
    for number, message in enumerate(process.ask(wanted), start=1):
        yield flat(key_of(message["row"], number), message["row"])
