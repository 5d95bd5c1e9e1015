"""A reader that a document has taken over: it runs the document as Python, says what came of it, and tries all."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_server

from rag_platform.documents.sandbox import process
from rag_platform.documents.sandbox.process import ReaderProcess

TAKEN_OVER = """
import sys, types
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.reading import extraction

def read(content):
    scope = {}
    try:
        exec(content, scope)
        said = f"done {scope.get('found')}"
    except (MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        said = f"refused {type(error).__name__}: {error}"
    return Extracted(said, "text")

hostile = types.ModuleType("rag_platform.documents.formats.hostile")
hostile.read = read
sys.modules[hostile.__name__] = hostile
extraction.READERS["hostile"] = "hostile:read"
"""


@contextmanager
def taken_over() -> Iterator[None]:
    """Let readers that are started meanwhile have the type "hostile"."""
    before = process._START
    process._START = before.replace("\nserve(", f"\n{TAKEN_OVER}\nserve(")
    try:
        yield
    finally:
        process._START = before


def tried(reader: ReaderProcess, code: str) -> str:
    """Return what came of running code in a reader: "done …", "refused …" or why the reader ended."""
    (part,) = reader.read(code.encode(), uri="a", type="hostile")
    return part.read.text if part.read else part.reason or ""


def refused(said: str) -> bool:
    """Return whether an attempt was refused by the system, and not for another reason."""
    return said.startswith(
        ("refused PermissionError", "refused OSError: [Errno 38]", "refused ValueError: not allowed")
    )


class Listener:
    """A server on loopback that counts who connects."""

    def __init__(self) -> None:
        self.met = 0
        self._socket = create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.met += 1
            connection.close()

    def close(self) -> None:
        """End it."""
        self._socket.close()


# Each is formatted with a workspace, a victim (process id), a port and a mark for names of files.
READING = {
    "passwd": "found = open('/etc/passwd').read()",
    "a folder": "import os; found = os.listdir('/etc')",
    "the workspace's settings": "found = open(r'{workspace}/rag.toml').read()",
    "app.sqlite": "found = open(r'{workspace}/data/app.sqlite', 'rb').read()",
    "another process's environment": "found = open('/proc/{victim}/environ').read()",
    "another process's memory": "found = open('/proc/{victim}/mem', 'rb')",
    "its own process in proc": "found = open('/proc/self/environ').read()",
    "a device": "import os; found = os.open('/dev/zero', os.O_RDONLY)",
}
WRITING = {
    "a temporary file": "open('/tmp/{mark}', 'w').write('x')",
    "the home folder": "import os; open(os.path.expanduser('~/{mark}'), 'w').write('x')",
    "the package": "import rag_platform; open(rag_platform.__path__[0] + '/{mark}', 'w')",
    "the workspace": "open(r'{workspace}/{mark}', 'w')",
    "shared memory": "open('/dev/shm/{mark}', 'w')",
    "a folder": "import os; os.mkdir('/tmp/{mark}')",
    "away": "import os; os.unlink(r'{workspace}/rag.toml')",
    "an endless file": "import os; f = os.memfd_create('x')\nwhile True: os.write(f, bytes(1 << 20))",
}
NETWORK = {
    "TCP": "import socket; socket.create_connection(('127.0.0.1', {port}), 2)",
    "UDP": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 53))",
    "a Unix socket": "import socket; socket.socket(socket.AF_UNIX).connect('\\0x')",
    "a server": "import socket; socket.create_server(('127.0.0.1', 0))",
    "netlink": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
}
CALL = "import ctypes; libc = ctypes.CDLL(None, use_errno=True)\n"
FAILED = "\nif result < 0: raise OSError(ctypes.get_errno(), 'refused')"
PROCESSES = {
    "a shell": "import subprocess; found = subprocess.run(['/bin/sh', '-c', 'echo x']).returncode",
    "becoming a shell": "import os; os.execv('/bin/sh', ['sh', '-c', 'exit 3'])",
    "a fork bomb": "import os; os.fork() or os._exit(0)",
    "the parent's end": "import os; os.kill(os.getppid(), 0)",  # 0: whether it could, without doing it
    "everybody's end": "import os; os.kill(-1, 0)",
    "another's end": "import os, signal; os.kill({victim}, signal.SIGKILL)",
    "a signal when bytes come": "import fcntl, os; r, w = os.pipe(); fcntl.fcntl(r, fcntl.F_SETOWN, {victim})",
    "tracing": CALL + "result = libc.ptrace(16, {victim}, 0, 0)" + FAILED,
    "another's memory": CALL + "result = libc.process_vm_readv({victim}, None, 0, None, 0, 0)" + FAILED,
    "another's limits": "import resource; resource.prlimit({victim}, resource.RLIMIT_CPU, (1, 1))",
    "a looser limit": "import resource; resource.setrlimit(resource.RLIMIT_CPU, (9999, 9999))",
    "living on": CALL + "result = libc.prctl(1, 0, 0, 0, 0)" + FAILED,
}
PRIVILEGES = {
    "another user": "import os; os.setuid(0); os.setuid(1)",
    "a mount": CALL + "result = libc.mount(b'none', b'/not-there', b'tmpfs', 0, None)" + FAILED,
    "another root": "import os; os.chroot('/tmp')",
    "a user namespace": CALL + "result = libc.unshare(0x10000000)" + FAILED,
    "a kernel module": CALL + "result = libc.syscall(313, 0, b'', 0)" + FAILED,
    "BPF": CALL + "result = libc.syscall(321, 0, 0, 0)" + FAILED,
    "io_uring": CALL + "result = libc.syscall(425, 1, 0)" + FAILED,
    "keys": CALL + "result = libc.syscall(250, 0, -3, 1)" + FAILED,
    "calls of 32 bits": CALL + "result = libc.syscall(0x40000000 | 39)" + FAILED,
}
ATTEMPTS = {
    f"{kind}: {name}": code
    for kind, attempts in {
        "read": READING, "write": WRITING, "network": NETWORK, "processes": PROCESSES, "privileges": PRIVILEGES
    }.items()
    for name, code in attempts.items()
}  # fmt: skip

OWNER = """
import sys
sys.path[:0] = sys.argv[1:2]
from benchmarks.attack.taken_over import taken_over
from rag_platform.documents.sandbox.process import ReaderProcess
reader = ReaderProcess()
with taken_over():
    reader.read(b"", uri="a", type="hostile")
print(reader._process.pid, flush=True)
reader.read(sys.argv[2].encode(), uri="a", type="hostile")
"""
"""A program that owns a reader, says its process id, and lets it run code; its arguments: our folder, and the code."""
