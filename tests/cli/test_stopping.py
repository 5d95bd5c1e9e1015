"""Every command that is stopped, at whatever moment, ends in one line and leaves nothing behind."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from rag_platform.cli.commands import COMMANDS
from rag_platform.workspace import open_workspace
from tests.loopback import free_port
from tests.pipeline.fixed_gate import FixedGate

ROOT = Path(__file__).parents[2]
HELD = "d-held"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
CASES = {
    "sync": ["sync"],
    "sync --full": ["sync", "--full"],
    "search": ["search", "ferry"],
    "ask": ["ask", "When does the ferry run?"],
    "chat": ["chat"],
    "eval": ["eval"],
    "forget": ["forget", "notes/b.md", "--yes"],
    "serve": ["serve", "--port", "{port}"],
    "up": ["up"],
    "backup": ["backup", "{aside}/copies"],
    "restore": ["--home", "{aside}/new", "restore", "{aside}/ready"],
    "repair": ["repair", "--deep"],
    "collection": ["collection", "create", "Letters"],
    "source": ["source", "pause", "notes"],
    "token": ["token", "create", "t"],
    "link": ["link"],
    "acl": ["acl", "set", "notes/a*", "--deny", "user:t", "--why", "test"],
    "quarantine": ["quarantine", "accept", "{held}"],
    "audit": ["audit", "export"],
    "index": ["index", "gc"],
    "init": ["init", "{aside}/fresh"],
}
"""One call of each command that writes or serves, and a search; `{aside}` is a folder beside the workspace, `{port}` a
free one, `{held}` a document that waits for review."""
READS = {
    "why", "extract", "chunk", "impact", "guard", "health", "doctor", "models", "secret", "portal", "receipt",
    "questions", "generators", "help",
}  # fmt: skip
"""They are stopped as a search is."""


CASES |= {name: [name] for name in COMMANDS if name not in READS | {case.split()[0] for case in CASES}}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, tiny_embedder) -> Path:
    from rag_platform.operations.backup.making import backup
    from rag_platform.operations.backup.target import open_target
    from rag_platform.pipeline.sync import sync

    folder = tmp_path_factory.mktemp("stopped") / "home"
    (folder / "notes").mkdir(parents=True)
    table = '[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\nmin_words = 1\n'
    (folder / "rag.toml").write_text(table)
    (folder / "notes" / "a.md").write_text("# Ferry\n\nThe ferry runs from six until dusk.")
    (folder / "notes" / "b.md").write_text("# Gauge\n\nA gauge is calibrated every spring.")
    workspace = open_workspace(folder)
    workspace.embedder = tiny_embedder
    sync(workspace, gate=FixedGate(workspace))
    workspace.access.rules.quarantine({HELD: "-"}, who="test", why="test")
    backup(workspace, open_target(str(folder.parent / "ready")))
    return folder


def started(home: Path, arguments: list[str], **options) -> "subprocess.Popen[str]":
    """Start a command in a group of its own, as a terminal does, and wait until it takes signals."""
    words = [word.format(aside=home.parent, port=free_port(), held=HELD) for word in arguments]
    process = subprocess.Popen(
        [sys.executable, "-m", "rag_platform", *(words if "--home" in words else ["--home", str(home), *words])],
        cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=options.get("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    while process.poll() is None and not catches(process.pid, signal.SIGTERM):
        time.sleep(0.002)
    return process


def catches(pid: int, number: int) -> bool:
    """Return whether a process has set a handler; Python itself sets none for SIGTERM."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def stopped(process: "subprocess.Popen[str]", number: int, after: float) -> str:
    """Stop a command; whatever it did by then, it must have ended well or in one line."""
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, number)
    out, err = process.communicate(timeout=90)
    assert not any(word in err for word in ("Traceback", "Exception ignored", "leaked")), err
    said = [line for line in err.splitlines() if line.startswith("Stopped by")]
    if process.returncode == 128 + number:
        assert len(said) == 1 and "nothing is lost" in said[0], err
    else:
        assert process.returncode in (0, 1, 2, 3) and not said, (process.returncode, out, err)
    group = [one for one in psutil.process_iter(["pid"]) if one.pid != process.pid and of_group(one.pid, process.pid)]
    assert not group, f"still running: {group}"
    return err


def of_group(pid: int, group: int) -> bool:
    try:
        return os.getpgid(pid) == group and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.NoSuchProcess):
        return False


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks /proc whether signals are taken")
@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_command_that_is_stopped_ends_in_one_line(case: str, home: Path) -> None:
    chance = random.Random(case)
    number = chance.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM))
    stopped(started(home, CASES[case]), number, chance.choice((0.0, 0.1, 0.5, 2.0)))
    assert open_workspace(home).versions.live().verify() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_runs_until_it_is_stopped_says_how_it_ended(number: int, home: Path) -> None:
    process = started(home, ["serve", "--port", "{port}"])
    assert any("Listening" in line for line in process.stderr)  # it reads no further
    stopped(process, number, 0.2)
    assert process.returncode == 128 + number


@pytest.mark.parametrize("arguments", [["help"], ["models", "list"], ["--help"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str], home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        process = started(home, arguments, stdout=writing)
    finally:
        os.close(writing)
    _, err = process.communicate(timeout=90)
    assert (process.returncode, err) == (0, "")
