"""The command `rag` as a process of its own, forked from one that has imported what commands import.

What a test sees is what a shell sees: arguments, environment, streams and an exit code. Only the seconds that each
process would spend on importing the same libraries, and on opening the same model, are spent once.
"""

import atexit
import contextlib
import gc
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
_TIMEOUT = 180
_IMPORTED = ("onnxruntime", "tokenizers", "usearch.index", "tantivy", "evals.evaluation_gate", "rag_platform.answering")


def run_rag(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `rag` in the root of the repository, with these variables in its environment besides the test's own."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        request = {
            "arguments": ["rag", *arguments],
            "environment": {**os.environ, **variables},
            "out": str(out),
            "err": str(err),
        }
        server = _server()
        try:
            server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            code = int(server.stdout.readline())
        except BaseException:  # the test's time is over: its answer is not to be read by the next
            _server.cache_clear()
            server.kill()
            raise
        return subprocess.CompletedProcess(arguments, code, out.read_text("utf-8"), err.read_text("utf-8"))


@cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.rag_commands"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(_end, server)
    return server


def _end(server: subprocess.Popen[str]) -> None:
    server.stdin.close()
    server.wait(60)
    server.stdout.close()


def _serve() -> None:
    import importlib
    import pkgutil

    from rag_platform import cli

    commands = (module.name for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}."))
    for name in (*_IMPORTED, *commands):
        importlib.import_module(name)
    _warm()
    gc.freeze()  # collecting in a child would copy all of it
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            _become_rag(request)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()
    os._exit(0)


def _warm() -> None:
    """Read and open what nearly every command needs: the same in each of them, and without a thread."""
    from rag_platform.config.settings import ModelSettings
    from rag_platform.config.source_kinds import kind_of
    from rag_platform.core.errors import ModelError
    from rag_platform.embeddings import onnx_embedder
    from rag_platform.text.instructions.injection import wordings
    from rag_platform.text.language import may_be

    kind_of("folder")
    wordings()
    may_be("Which language is this?", ["en"])
    onnx_embedder.open_session = cache(onnx_embedder.open_session)
    with contextlib.suppress(ModelError):  # those who need it say so
        onnx_embedder.open_embedder(ModelSettings())


def _become_rag(request: dict) -> None:
    import signal

    from rag_platform.__main__ import main

    signal.alarm(_TIMEOUT)
    writing = os.O_WRONLY | os.O_CREAT
    for descriptor, (path, mode) in enumerate(
        ((os.devnull, os.O_RDONLY), (request["out"], writing), (request["err"], writing))
    ):
        os.dup2(os.open(path, mode, 0o600), descriptor)
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[:0] = request["environment"].get("PYTHONPATH", "").split(os.pathsep)
    sys.argv = request["arguments"]
    try:
        main()
    except SystemExit as end:
        _end_at_once(int(end.code or 0))


def _end_at_once(code: int) -> None:
    """End as Python does, but for freeing what was imported before the fork: copying its pages takes a second."""
    import atexit
    import threading

    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _serve()
