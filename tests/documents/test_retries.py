"""What was stopped is read again: with a back-off and a cap, and as if nothing had happened once it is read."""

from datetime import UTC, datetime, timedelta

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.schemas import DOCUMENTS, RAW
from rag_platform.documents.extracted import Extracted, Part
from rag_platform.documents.options import Limits
from rag_platform.documents.retries import Retries, without_attempts
from rag_platform.documents.stage import Reading, read_documents
from rag_platform.storage.blobs import Blobs

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
SOURCE = SourceSettings(id="farm", kind="memory")
EMPTY = pl.DataFrame(schema=DOCUMENTS)
RETRIES = Retries(attempts=3, pause=timedelta(hours=1))
REASON = "stopped after 60 s of processor time"


class Machine:
    """Stands for the readers: it is busy with some files, and reads the others."""

    def __init__(self) -> None:
        self.busy: set[str] = set()
        self.read_files: list[str] = []

    def read(self, content: bytes, *, uri: str, **_: object) -> list[Part]:
        self.read_files.append(uri)
        inner = [Part("!/inner.txt", Extracted("Words of the inner file.", "text"))]
        if uri in self.busy:
            return [*inner, Part("", None, REASON, stopped=True)]
        return [*inner, Part("", Extracted(content.decode(), "text"))]


@pytest.fixture(scope="module")
def blobs(tmp_path_factory):
    return Blobs(tmp_path_factory.mktemp("blobs"))


@pytest.fixture
def machine():
    return Machine()


def raw(blobs: Blobs, *uris: str) -> pl.DataFrame:
    rows = [
        {"uri": uri, "status": "ok", "sha256": blobs.put(f"The words of {uri}.".encode()), "metadata": "{}",
         "fetched_at": NOW, "run_id": "run-1"} for uri in uris
    ]  # fmt: skip
    return pl.DataFrame([{name: row.get(name) for name in RAW} for row in rows], schema=RAW)


def run(blobs, machine, before, hours: float, limits: Limits = Limits()) -> Reading:  # noqa: B008
    table = raw(blobs, "a", "b")
    now = NOW + timedelta(hours=hours)
    return read_documents(table, before, blobs, SOURCE, sandbox=machine, limits=limits, retries=RETRIES, now=now)


def reason(reading: Reading) -> str:
    return dict(reading.failed)["a"]


def test_it_is_tried_again_later_each_time_and_not_for_ever(blobs, machine):
    machine.busy = {"a"}
    first = run(blobs, machine, EMPTY, 0)
    assert reason(first) == f"{REASON}; attempt 1 of 3; will be tried again at 2024-05-01 13:00 UTC or later"
    assert run(blobs, machine, first.table, 0.9).extracted == 0
    second = run(blobs, machine, first.table, 1.5)
    assert reason(second) == f"{REASON}; attempt 2 of 3; will be tried again at 2024-05-01 15:30 UTC or later"
    assert (second.extracted, second.reused) == (2, 2)
    third = run(blobs, machine, second.table, 4)
    assert reason(third) == f"{REASON}; attempt 3 of 3: `rag sync --full` tries again"
    assert run(blobs, machine, third.table, 9999).extracted == 0
    assert sorted(machine.read_files[:2]) == ["a", "b"] and machine.read_files[2:] == ["a", "a"]


def test_once_it_is_read_nothing_tells_that_it_was_not(blobs, machine):
    machine.busy = {"a"}
    stopped = run(blobs, machine, EMPTY, 0)
    machine.busy = set()
    assert run(blobs, machine, stopped.table, 2).table.equals(run(blobs, machine, EMPTY, 2).table)


def test_asking_for_everything_anew_tries_at_once_and_counts_anew(blobs, machine):
    machine.busy = {"a"}
    table = EMPTY
    for hours in (0, 2, 9):
        table = run(blobs, machine, table, hours).table
    again = run(blobs, machine, without_attempts(table), 9)
    assert "attempt 1 of 3" in reason(again) and again.extracted == 2


@pytest.mark.parametrize("limits", [Limits(seconds=300), Limits(memory=1 << 33)])
def test_other_limits_try_at_once(blobs, machine, limits):
    machine.busy = {"a"}
    stopped = run(blobs, machine, EMPTY, 0)
    machine.busy = set()
    assert run(blobs, machine, stopped.table, 0, limits).failed == ()


def test_the_length_of_a_text_is_part_of_what_is_read(blobs, machine):
    first = run(blobs, machine, EMPTY, 0)
    assert run(blobs, machine, first.table, 0, Limits(characters=9)).extracted == 4


worlds = st.tuples(st.sets(st.sampled_from(["a", "b"])), st.floats(0, 5))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(worlds, min_size=1, max_size=8))
def test_incremental_equals_rebuild(blobs, history):
    """Of what was read, always; of everything, once the machine is idle and everything was asked for anew."""
    machine, table, hours, whole = Machine(), EMPTY, 0.0, run(blobs, Machine(), EMPTY, 0).table
    for busy, later in history:
        machine.busy, hours = busy, hours + later
        table = run(blobs, machine, table, hours).table
        stopped = table.filter(pl.col("attempts") > 0)
        read = table.filter(~pl.col("raw_uri").is_in(stopped["raw_uri"].implode()))
        assert read.equals(whole.filter(pl.col("uri").is_in(read["uri"].implode())))
        assert (stopped["attempts"] <= RETRIES.attempts).all()
    machine.busy = set()
    assert run(blobs, machine, without_attempts(table), hours).table.equals(whole)
