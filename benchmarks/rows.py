"""What the sync after one edit reads of a large table, with and without a cursor column.

    python -m benchmarks.rows [--rows N] [--characters N]

Makes an SQLite table, and a raw table as a sync of all of it leaves. Then it edits one row, deletes one, adds one, and
prints the seconds and the largest memory of the sync that follows, each way in a process of its own.
"""

import argparse
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl

from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import scrape
from rag_platform.sources.databases.sql import Sql, SqlSource
from rag_platform.storage.blobs import Blobs

START = datetime(2026, 1, 1, tzinfo=UTC)


def fill(home: Path, rows: int, characters: int) -> None:
    """Write the table: one row a minute."""
    text = ("The warden reads the gauge at the lock and notes the height of the river. " * 1000)[:characters]
    made = ((n, f"{n} {text}", (START + timedelta(minutes=n)).isoformat(" ")) for n in range(rows))
    with sqlite3.connect(home / "desk.db") as connection:
        connection.execute("create table tickets (id integer primary key, body text, changed text)")
        connection.executemany("insert into tickets values (?, ?, ?)", made)
    connection.close()


def change(home: Path) -> None:
    """Edit one row, delete one, add one."""
    now = (START + timedelta(days=1000)).isoformat(" ")
    with sqlite3.connect(home / "desk.db") as connection:
        connection.execute("update tickets set body = body || ' Edited.', changed = ? where id = 7", (now,))
        connection.execute("delete from tickets where id = 8")
        connection.execute("insert into tickets (body, changed) values ('A new row, just written.', ?)", (now,))
    connection.close()


def source(home: Path, cursor: str) -> Sql:
    """Open the table as a source, with or without a cursor."""
    options = {"query": "select id, body, changed from tickets", "key": "id", "template": "{body}"}
    return Sql(SqlSource(id="desk", kind="sql", url="sqlite:///desk.db", cursor=cursor or None, **options), home)


def synced(home: Path, cursor: str) -> pl.DataFrame:
    """Return the raw table of a sync of all rows; the bytes are of one row, for they are not looked at."""
    sha256 = Blobs(home / "blobs").put(b"the same for all")
    state = {"status": "ok", "sha256": sha256, "first_seen": START, "last_seen": START, "missing": 0}
    items = source(home, cursor).list().items
    return pl.DataFrame([{"uri": item.uri, "fingerprint": item.fingerprint, **state} for item in items], schema=RAW)


def measure(home: Path, cursor: str) -> dict:
    """Run the sync after the change; returns what it took."""
    previous = pl.read_parquet(home / f"raw-{cursor}.parquet")
    before, busy = time.perf_counter(), time.process_time()
    now = START + timedelta(days=1001)
    blobs = Blobs(home / "blobs")
    done = scrape(source(home, cursor), previous, blobs, source_id="desk", now=now, run_id="r", max_deleted_share=0.2)
    seconds, busy = time.perf_counter() - before, time.process_time() - busy
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts = {name: count for name, count in done.tally.to_dict().items() if name != "failed"}
    return {"seconds": round(seconds, 2), "of_cpu": round(busy, 2), "megabytes": round(memory / 1000), **counts}


def main() -> None:
    """Make the table, change it, and print what each way took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--characters", type=int, default=4000, help="of the text of a row")
    parser.add_argument("--measure", nargs=2, metavar=("HOME", "CURSOR"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(Path(given.measure[0]), given.measure[1])))
        return
    with tempfile.TemporaryDirectory(prefix="rows-") as folder:
        home = Path(folder)
        fill(home, given.rows, given.characters)
        for cursor in ("", "changed"):
            synced(home, cursor).write_parquet(home / f"raw-{cursor}.parquet")
        change(home)
        for cursor in ("", "changed", "", "changed"):
            command = [sys.executable, "-m", "benchmarks.rows", "--measure", folder, cursor]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            print(f"{'with' if cursor else 'without'} cursor: {done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
