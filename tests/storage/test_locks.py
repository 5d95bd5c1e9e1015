"""A lock keeps others out, tells who holds it, and goes with its process."""

import subprocess
import sys
import threading
from pathlib import Path

from rag_platform.storage.locks import LockFile, is_locked, locked, read_note

HOLD = """
import sys
from pathlib import Path
from rag_platform.storage.locks import LockFile
with LockFile(Path(sys.argv[1])) as file:
    file.wait()
    file.write_note(b"somebody")
    print("held", flush=True)
    input()
"""


def _holder(path: Path) -> subprocess.Popen:
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    return process


def test_a_lock_of_another_process_is_seen_with_its_note_and_goes_when_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "one.lock"
    with _holder(path) as holder:
        with LockFile(path) as file:
            assert is_locked(path) and not file.attempt()
        assert read_note(path) == b"somebody"
        holder.kill()
        holder.wait()
    assert not is_locked(path)
    with LockFile(path) as file:
        assert file.attempt()


def test_threads_that_wait_for_a_lock_hold_it_one_after_the_other(tmp_path: Path) -> None:
    inside, most = [], []

    def work() -> None:
        for _ in range(20):
            with locked(tmp_path / "lock"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 80


def test_asking_whether_a_file_is_locked_makes_none(tmp_path: Path) -> None:
    assert not is_locked(tmp_path / "lock")
    assert list(tmp_path.iterdir()) == []


def test_many_that_ask_at_once_do_not_take_each_other_for_the_holder(tmp_path: Path) -> None:
    path, seen = tmp_path / "lock", []
    path.touch()

    def ask() -> None:
        seen.extend(is_locked(path) for _ in range(100))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [False] * 400


def test_a_shorter_note_leaves_nothing_of_the_longer_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with LockFile(path) as file:
        file.wait()
        file.write_note(b"a long note")
        file.write_note(b"short")
        assert read_note(path) == b"short"
