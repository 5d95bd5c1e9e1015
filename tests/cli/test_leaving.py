"""The command `rag` ends without taking apart what it loaded, and leaves out nothing that an exit owes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = """
import atexit, sys, threading, time
import rag_platform.cli
from rag_platform.__main__ import main
from rag_platform.storage.sqlite_reader import SqliteReader

class Slow:
    def __del__(self):
        print("taken apart", flush=True)

def run():
    global kept, slow
    slow, status = Slow(), eval(sys.argv[1])
    kept = SqliteReader(__import__("pathlib").Path(sys.argv[2]))
    kept.rows("select * from t")
    atexit.register(lambda: print("handler"))
    threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
    print("said", "x" * 100_000)
    return status

rag_platform.cli.run = run
main()
"""


def ended(path: Path, status: str, **options) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", CODE, status, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.run(command, env=environment, text=True, timeout=300, check=False, **options)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    import sqlite3
    from contextlib import closing

    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("pragma journal_mode = wal; create table t (x); insert into t values (1)")
    return path


@pytest.mark.parametrize("status", [0, 3])
def test_a_command_ends_with_its_code_once_all_is_said_and_closed(status: int, written: Path) -> None:
    done = ended(written, str(status), capture_output=True)
    assert (done.returncode, done.stderr) == (status, "")
    said = done.stdout.split()
    assert said[0] == "said"
    assert len(said[1]) == 100_000
    assert said[2:] == ["thread", "handler"]
    assert [path.name for path in written.parent.iterdir()] == [written.name]


def test_what_raises_ends_as_python_does(written: Path) -> None:
    done = ended(written, "1 / 0", capture_output=True)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows inherits handles otherwise")
def test_a_command_whose_output_is_closed_ends_with_its_code(written: Path) -> None:
    assert ended(written, "3", preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE).returncode == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["--version"], ["search", "a"]], ids=["here", "by the server"])
def test_what_could_not_be_written_is_told_and_no_success(arguments: list[str]) -> None:
    code = (
        "import rag_platform.__main__ as command\n"
        "command.ask_server = lambda arguments: 'found' if arguments[0] == 'search' else None\n"
        "command.main()"
    )
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("The output could not be written: No space left on device.")
    assert "Traceback" not in done.stderr
