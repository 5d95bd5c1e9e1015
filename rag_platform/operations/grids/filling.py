"""Grids are filled by threads of the process, whoever looks: what is missing or stale, answer by answer, in turn.

That a grid waits to be filled is kept with it. So it goes on when its owner leaves, in another process when this one
ends, and ends everywhere when its owner says so.
"""

import atexit
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial

from rag_platform.answering.generators.extractive import Extractive
from rag_platform.core.answers import Answer
from rag_platform.core.errors import RagError, TooManyRequests, message_of
from rag_platform.core.generation import Wishes
from rag_platform.core.hits import Filters
from rag_platform.core.threads.repeating import repeat
from rag_platform.operations.grids.grid_view import (
    AT_ONCE,
    Row,
    at_once,
    due_cells,
    generator_of,
    writer_of,
)
from rag_platform.operations.watching.rights import reading_as
from rag_platform.people.grids.grid import Cell, Column, Grid, cell_mark
from rag_platform.workspace import Workspace

BRIEF = (
    "Your answer is one cell of a table. Give only the value, name, date or short phrase that is asked for, with its "
    "mark, in as few words as possible."
)
"""What a language model is told beside the rules about sources."""
_ENDING = threading.Event()
"""The process ends."""
_THREADS: set[threading.Thread] = set()
_TURNS = {count: threading.BoundedSemaphore(count) for count in (1, AT_ONCE)}
"""Of all grids of the process: who waited longest goes first."""
_LONGEST_WAIT = 5.0
"""Seconds, so that it is soon known when a grid is stopped."""
Wait = Callable[[float], object]


def begin_filling(workspace: Workspace, grid_id: str, owner: str, principals: Sequence[str], token: str = "") -> None:
    """Ask what a grid lacks and what is stale, in the background, as these principals read.

    Raises:
        NotFound: it is not this owner's.
    """
    workspace.grid_cells.want(grid_id, owner, principals, datetime.now(UTC), token)
    _in_background(workspace, grid_id)


def keep_filling(workspace: Workspace, every: timedelta = timedelta(minutes=1)) -> threading.Event:
    """Go on with the grids that no process fills, again and again, as long as the program runs.

    Setting what this returns ends it.
    """
    return repeat(partial(fill_waiting, workspace), every, "grids", at_once=True)


def fill_waiting(workspace: Workspace, grid_id: str | None = None, *, wait: Wait = _ENDING.wait) -> None:
    """Fill the grids that wait, this one or all, and return when there are none that nobody fills."""
    while not _ENDING.is_set() and (grid := workspace.grid_cells.claim(datetime.now(UTC), grid_id)):
        filled = False
        try:
            filled = _fill(workspace, grid, wait)
        except Exception as error:  # noqa: BLE001  one grid never stops the others
            filled = not _ENDING.is_set()
            logging.getLogger(__name__).warning("grid %s: %s", grid.id, message_of(error))
        finally:
            workspace.grid_cells.release(grid, filled=filled)


def _in_background(workspace: Workspace, grid_id: str) -> None:
    def fill() -> None:
        try:
            fill_waiting(workspace, grid_id)
        except Exception:
            logging.getLogger(__name__).exception("grid %s could not be filled", grid_id)
        finally:
            _THREADS.discard(threading.current_thread())

    thread = threading.Thread(target=fill, name=f"grid {grid_id}", daemon=True)
    _THREADS.add(thread)
    thread.start()


def _fill(workspace: Workspace, grid: Grid, wait: Wait) -> bool:
    """Ask all that is due, once; returns whether nothing is left to do, else it was stopped or the process ends."""
    principals = reading_as(workspace, grid, datetime.now(UTC))
    if principals is None:
        return True  # nobody may read it now; it rests
    tried = set[tuple[int, str, str]]()
    while due := [one for one in due_cells(workspace, grid, principals) if _key(one) not in tried]:
        tried.update(map(_key, due))
        with ThreadPoolExecutor(at_once(workspace, grid), thread_name_prefix=f"grid {grid.id}") as pool:
            went_on = list(pool.map(partial(_asked, workspace, grid, principals, wait), due))
        if not all(went_on):
            return False
    return True


def _key(due: tuple[Column, Row]) -> tuple[int, str, str]:
    column, row = due
    return column.id, row.doc_id, cell_mark(row.revision, column.question, "")


def _asked(workspace: Workspace, grid: Grid, principals: tuple[str, ...], wait: Wait, due: tuple[Column, Row]) -> bool:
    """Ask for one cell when it is its turn, and keep it; returns whether the grid is still to be filled."""
    if not _admitted(workspace, grid, wait):
        return False
    with _TURNS[at_once(workspace, grid)]:
        if not _goes_on(workspace, grid):
            return False
        column, row = due
        workspace.grid_cells.keep(grid, column, row.doc_id, _cell(workspace, grid, principals, column, row))
    return True


def _admitted(workspace: Workspace, grid: Grid, wait: Wait) -> bool:
    """Wait until the grid's owner may have another answer written; returns whether it is still wanted then."""
    while True:
        try:
            workspace.rates.take("answers of grids", grid.owner)
        except TooManyRequests as error:
            if not _goes_on(workspace, grid):
                return False
            wait(min(error.seconds, _LONGEST_WAIT))
        else:
            return True


def _goes_on(workspace: Workspace, grid: Grid) -> bool:
    return not _ENDING.is_set() and workspace.grid_cells.renew(grid, datetime.now(UTC))


def _cell(workspace: Workspace, grid: Grid, principals: tuple[str, ...], column: Column, row: Row) -> Cell:
    """Ask a document, and return what is kept of the answer; an error is for the log, which may name servers."""
    begun, generator = time.monotonic(), generator_of(workspace, grid)
    try:
        answer = workspace.answerer.ask(
            column.question,
            filters=Filters(documents=(row.doc_id,), principals=principals),
            generator=generator,
            wishes=Wishes(instructions=BRIEF),
            asker=grid.owner,
            who=f"token:{grid.token}" if grid.token else grid.owner or None,
        )
    except RagError as error:
        logging.getLogger(__name__).warning("grid %s: %s", grid.id, message_of(error))
        return Cell("", None, failed=True, seconds=0.0)
    revision = next((hit.revision for hit in answer.hits if hit.doc_id == row.doc_id), row.revision)
    mark = cell_mark(revision, column.question, _written_by(workspace, grid, answer))
    receipt_id = answer.receipt_id or None
    return Cell(mark, receipt_id, failed=receipt_id is None, seconds=time.monotonic() - begun)


def _written_by(workspace: Workspace, grid: Grid, answer: Answer) -> str:
    """Tell who wrote an answer; what was extracted because a server failed is stale from the beginning."""
    failed = answer.model == Extractive.name and at_once(workspace, grid) == AT_ONCE
    return Extractive.name if failed else writer_of(workspace, grid)


@atexit.register
def stop_all(seconds: float = 5.0) -> None:
    """Let what is being asked be the last, and wait at most so long for each: the process ends, another goes on."""
    _ENDING.set()
    for thread in [*_THREADS]:
        thread.join(seconds)
