"""A reader that a document has taken over reaches nothing, takes no more than it may, and costs itself alone."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from benchmarks.attack.taken_over import ATTEMPTS, OWNER, Listener, refused, taken_over, tried
from rag_platform.core.errors import Unprotected
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox import confinement, landlock, linux, process, seccomp
from rag_platform.documents.sandbox.process import ReaderProcess

pytestmark = pytest.mark.skipif(
    not (landlock.abi() and seccomp.supported()), reason="this system has no Landlock or no seccomp"
)


@pytest.fixture(scope="module")
def reader():
    """One for all: what one attempt left undone, the next finds."""
    with taken_over():
        reader = ReaderProcess(Limits(seconds=1, memory=1 << 30))
        tried(reader, "")
        yield reader
        reader.close()


@pytest.fixture(scope="module")
def victim():
    """A process of the same user, with a secret in its environment."""
    victim = subprocess.Popen(["sleep", "600"], env={"SECRET": "canary", "PATH": os.environ["PATH"]})
    yield victim
    victim.kill()
    victim.wait()


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_it_reaches_nothing(reader, victim, tmp_path, attempt):
    (tmp_path / "data").mkdir()
    (tmp_path / "rag.toml").write_text("secret")
    (tmp_path / "data" / "app.sqlite").write_bytes(b"secret")
    mark, listener = f"canary-{os.getpid()}", Listener()
    code = attempt.format(workspace=tmp_path, victim=victim.pid, port=listener.port, mark=mark)
    said = tried(reader, code)
    listener.close()
    assert refused(said), said
    assert (listener.met, victim.poll(), (tmp_path / "rag.toml").exists()) == (0, None, True)
    assert not [place for place in ("/tmp", "/dev/shm", Path.home(), tmp_path) if (Path(place) / mark).exists()]
    assert tried(reader, "found = 6 * 7") == "done 42"


@pytest.mark.parametrize(
    ("attempt", "reason"),
    [
        ("while True: pass", "stopped after 1 s of processor time"),
        ("x = []\nwhile True: x.append(bytes(1 << 26))", "stopped: it takes more than 1024 MB of memory"),
        ("import ctypes; ctypes.string_at(0)", "the reader died on this file (signal SIGSEGV"),
        ("import os; os._exit(3)", "the reader died on this file (exit code 3"),
        ("import os; os.write(4, bytes(1 << 16)); os._exit(0)", "stopped: its reader answered what nobody"),
    ],
    ids=["processor", "memory", "crash", "exit", "nonsense"],
)
def test_what_it_takes_costs_itself_alone(reader, attempt, reason):
    assert tried(reader, attempt).startswith(reason)
    assert tried(reader, "found = 6 * 7") == "done 42"


def test_threads_work(reader):
    assert tried(reader, "import threading; t = threading.Thread(target=print); t.start(); t.join()") == "done None"


def test_a_folder_in_which_somebody_works_gives_it_no_modules(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    reader = ReaderProcess()
    (part,) = reader.read(b"Water.", uri="a.txt")
    reader.close()
    assert part.read and part.read.text == "Water."


# --- what is missing is said ----------------------------------------------------------------------------


def test_what_holds_is_known(reader):
    assert set(reader.held) == set(confinement.GUARDED) and all(reader.held.values())


WITHOUT = """
from rag_platform.documents.sandbox import landlock
landlock.abi = lambda: 0
"""


def test_without_a_layer_the_others_hold_and_it_is_said_once(monkeypatch, caplog):
    monkeypatch.setattr(process, "_START", process._START.replace("\nfrom", WITHOUT + "\nfrom", 1))
    process._warn_once.cache_clear()
    with taken_over():
        reader = ReaderProcess()
        assert tried(reader, ATTEMPTS["read: passwd"]).startswith("done root:")
    assert refused(tried(reader, ATTEMPTS["write: a temporary file"].format(mark="canary")))
    assert reader.held["files"] == "" and reader.held["network"]
    reader.close()
    assert ["files" in record.getMessage() for record in caplog.records] == [True]


def test_protection_can_be_required(monkeypatch):
    monkeypatch.setattr(process, "_START", process._START.replace("\nfrom", WITHOUT + "\nfrom", 1))
    with pytest.raises(Unprotected, match=r"from: files \(see `rag doctor`\)"):
        ReaderProcess(Limits(confined=True)).read(b"Water.", uri="a.txt")


# --- the filter, also for the machine that this one is not ----------------------------------------------

HEADERS = {
    linux.X86: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    linux.ARM: "/usr/include/asm-generic/unistd.h",
}


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_those_of_the_kernel(machine):
    path = Path(HEADERS[machine])
    if not path.exists():
        pytest.skip(f"{path} is not installed")
    words = [line.split() for line in path.read_text().splitlines() if line.startswith("#define __NR")]
    known = {(name.split("_", 3)[-1] if "__NR_" in name else name, number) for _, name, number, *_ in words}
    known |= {(name.partition("__NR3264_")[2], number) for _, name, number, *_ in words}
    known = {(name.removeprefix("_").removeprefix("NR_"), number) for name, number in known}
    column, same = list(HEADERS).index(machine), {"newfstatat": ("newfstatat", "fstatat")}
    for name, numbers in seccomp._CALLS.items():
        if numbers[column] is not None:
            assert any((one, str(numbers[column])) in known for one in same.get(name, (name,))), name


def verdict(program: list, machine: str, number: int, *arguments: int) -> int:
    """Run a filter as the kernel does."""
    words = {0: number, 4: seccomp._AUDIT_ARCH[machine]}
    for place in range(6):
        value = arguments[place] if place < len(arguments) else 0
        words |= {16 + 8 * place: value & 0xFFFFFFFF, 20 + 8 * place: value >> 32}
    at = held = 0
    while True:
        code, if_true, if_false, k = program[at]
        if code == seccomp._RETURN:
            return k
        if code == seccomp._LOAD:
            held, jump = words[k], 0
        else:
            holds = {seccomp._EQUAL: held == k, seccomp._AT_LEAST: held >= k, seccomp._ANY_BIT: bool(held & k)}[code]
            jump = if_true if holds else if_false
        at += 1 + jump


@pytest.mark.parametrize(
    ("machine", "openat", "clone", "socket", "execve", "kill", "prlimit"),
    [(linux.X86, 257, 56, 41, 59, 62, 302), (linux.ARM, 56, 220, 198, 221, 129, 261)],
    ids=[linux.X86, linux.ARM],
)
def test_the_filter_of_each_machine(monkeypatch, machine, openat, clone, socket, execve, kill, prlimit):
    monkeypatch.setattr(seccomp, "MACHINE", machine)
    plain, for_program = (list(seccomp._program(77, execute=execute)) for execute in (False, True))

    def allowed(number: int, *arguments: int, program: list = plain) -> bool:
        return verdict(program, machine, number, *arguments) == seccomp._ALLOW

    assert allowed(openat, 0, 0, os.O_RDONLY | 0o2000000) and not allowed(openat, 0, 0, os.O_RDWR)
    assert allowed(clone, 0x3D0F00) and not allowed(clone, signal.SIGCHLD)
    assert allowed(kill, 77, 9) and not allowed(kill, 78, 9)
    assert allowed(prlimit, 0, 7, 0) and not allowed(prlimit, 0, 7, 0x7F0000000000)
    assert not allowed(socket, 2, 1) and not allowed(execve)
    assert allowed(execve, program=for_program) and not allowed(clone, signal.SIGCHLD, program=for_program)
    assert verdict(plain, machine, 435) == seccomp._ERRNO | 38
    writing = list(seccomp._program(77, execute=True, write=True))
    assert allowed(openat, 0, 0, os.O_RDWR, program=writing) and not allowed(clone, signal.SIGCHLD, program=writing)
    assert allowed(socket, 1, 1, program=writing) and not allowed(socket, 2, 1, program=writing)
    assert verdict(writing, machine, socket + (8 if machine == linux.X86 else 2)) == seccomp._ERRNO  # bind does nothing
    assert not allowed(socket + (1 if machine == linux.X86 else 5), program=writing)  # connect


# --- it dies with its owner -------------------------------------------------------------------------------

BUSY = {
    "Python": "while True: pass",
    "a C library": "import ctypes; ctypes.PyDLL(None).sleep(3600)",  # holds Python's lock all the while
}


@pytest.mark.parametrize("code", BUSY.values(), ids=BUSY)
def test_a_reader_ends_with_an_owner_that_is_killed(code):
    root = Path(__file__).parents[3]
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(root), code], stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    reader = psutil.Process(int(owner.stdout.readline()))
    time.sleep(0.2)  # it is in the middle of the file
    owner.kill()
    owner.wait()
    try:
        reader.wait(timeout=60)
    except psutil.TimeoutExpired:
        reader.kill()
        pytest.fail("the reader lived on")
    owner.stdout.close()


def test_a_reader_outlives_the_thread_that_asked_for_it(reader):
    own = ReaderProcess()
    thread = threading.Thread(target=own.read, args=(b"Water.",), kwargs={"uri": "a.txt"})
    thread.start()
    thread.join()
    first = own._process.pid
    (part,) = own.read(b"Water.", uri="a.txt")
    assert part.read and own._process.pid == first
    own.close()
