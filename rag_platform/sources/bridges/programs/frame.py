"""The frame of a bridge's process: one request on standard input, messages on what was standard output.

Run as ``python -I frame.py PROGRAM``. It needs nothing but Python's own library, because the Python that runs it may be
one in which this platform is not installed.
"""

import base64
import json
import os
import runpy
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any, TextIO

DATE = "$date"
"""The key under which a date of rag.toml stands in a request."""


def main() -> None:
    """Answer one request, and end; also when the process that waits for the answer has ended."""
    request = json.loads(sys.stdin.readline(), object_hook=_dated)
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no message
    _limit(request["memory"])
    sys.path[:0] = request["code"]
    threading.Thread(target=_end_with_owner, daemon=True).start()
    try:
        for message in _messages(sys.argv[1], request):
            _send(channel, message)
        _send(channel, {"done": True})
    except MemoryError:
        _send(channel, {"error": f"it needs more than {request['memory'] >> 20} MB of memory"})
    except BaseException as error:  # noqa: BLE001  whatever a library raises, somebody waits for the reason
        _send(channel, {"error": _reason(error), "missing": _missing(error)})
    os._exit(0)  # a library's threads may go on for ever


def _messages(program: str, request: dict[str, Any]) -> Iterable[dict[str, Any]]:
    messages: Iterable[dict[str, Any]] = runpy.run_path(program)["messages"](request)
    return messages


def _send(channel: TextIO, message: dict[str, Any]) -> None:
    channel.write(json.dumps(message, default=_plain) + "\n")
    channel.flush()


def _reason(error: BaseException) -> str:
    """Return what was raised, with what it was raised from: a library often wraps the reason."""
    parts: list[str] = []
    while error is not None and len(parts) < 3:
        if not parts or str(error) not in parts[-1]:  # most repeat it
            parts.append(f"{type(error).__name__}: {error}".rstrip(": "))
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return "; because of ".join(parts)


def _missing(error: BaseException) -> str | None:
    return error.name if isinstance(error, ModuleNotFoundError) else None


def _plain(value: Any) -> Any:
    """Write what JSON does not have."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        content = bytes(value)
        with suppress(UnicodeDecodeError):
            return content.decode("utf-8")
        return base64.b64encode(content).decode()
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    return str(value)


def _dated(table: dict[str, Any]) -> Any:
    return datetime.fromisoformat(table[DATE]) if table.keys() == {DATE} else table


def _limit(memory: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # no such limit on this system
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_owner() -> None:
    sys.stdin.read()  # its end of the pipe is open as long as it lives
    os._exit(1)


if __name__ == "__main__":
    main()
