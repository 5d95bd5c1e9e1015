"""The process that drives Ray, for `RayExecutor`: a request on its standard input, results on its standard output."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rag_platform.core.errors import RagError, SettingsError
from rag_platform.shards.committing import attempt

_KILLS = 3
"""Times a worker may be killed over a shard before its items are tried one by one, and over one that is given up."""
_AHEAD = 2
"""Shards for each CPU that are handed to the cluster: their inputs and results are all that waits there."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be computed."""

    address: str
    """Of the cluster; "local": one of this machine, for this request."""
    memory: int
    """Bytes that a task may take."""
    work: bytes
    """The pickled `ShardWork`."""
    shards: list[bytes]
    """The pickled items of each shard."""


def main() -> None:
    """Answer the request of standard input, and end when that does."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what Ray prints is not an answer
    request: Request = pickle.load(sys.stdin.buffer)  # noqa: S301  our own process wrote it
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        for answer in _computed(request):
            pickle.dump(answer, answers)
            answers.flush()
    except RagError as error:
        pickle.dump(_carried(error), answers)
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # who asked is gone


def _end_with_input() -> None:
    while os.read(0, 1 << 16):  # not by sys.stdin: its lock would be held when the interpreter ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _computed(request: Request) -> Iterator[tuple[int, Any]]:
    """Yield the place of each shard with its table; what killed its worker again and again is in it as failed."""
    import ray

    _connect(ray, request.address)
    _check_memory(ray.nodes(), request.memory)
    task = ray.remote(num_cpus=1, memory=request.memory, max_retries=_KILLS - 1)(_shard)
    work, waiting = ray.put(request.work), list(enumerate(request.shards))[::-1]
    room = _AHEAD * max(int(ray.cluster_resources().get("CPU", 1)), 1)
    running: dict[Any, int] = {}
    while waiting or running:
        while waiting and len(running) < room:
            place, items = waiting.pop()
            running[task.remote(work, items, request.memory)] = place
        (ready,), _ = ray.wait(list(running))
        place = running.pop(ready)
        try:
            answer = ray.get(ready)
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
            culprits = _culprits(ray, task, work, request, place)
            answer = ray.get(task.remote(work, request.shards[place], request.memory, culprits))
        if isinstance(answer, RagError):
            raise answer
        yield place, answer


def _connect(ray: Any, address: str) -> None:
    options = {"include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address, logging_level="ERROR", log_to_driver=False, **options)
    except (OSError, RuntimeError, ValueError) as error:
        why = str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__
        raise SettingsError(
            f"[scale] ray_address = {address!r}: no cluster can be used there ({why}). Expected its address and token"
        ) from error


def _culprits(ray: Any, task: Any, work: Any, request: Request, place: int) -> set[int]:
    """Return the places of the items that kill their worker when they are alone with it."""
    found = set()
    for at, item in enumerate(pickle.loads(request.shards[place])):  # noqa: S301
        try:
            ray.get(task.remote(work, pickle.dumps([item]), request.memory))
        except ray.exceptions.WorkerCrashedError:
            found.add(at)
    return found


def _check_memory(nodes: Sequence[dict[str, Any]], memory: int) -> None:
    most = max((node["Resources"].get("memory", 0) for node in nodes if node["Alive"]), default=0)
    if most < memory:
        raise SettingsError(
            f"[scale] task_memory_mb = {memory >> 20}: no node of the Ray cluster offers more than {int(most) >> 20} MB"
        )


def _shard(pickled_work: bytes, pickled_items: bytes, memory: int, culprits: Collection[int] = ()) -> Any:
    """Compute a shard in a worker; an error that ends the run is returned."""
    work, items = _work(pickled_work), pickle.loads(pickled_items)  # noqa: S301
    try:
        with _bounded(memory):
            killed = f"whoever worked on it was killed, {_KILLS} times"
            return work.table(
                [work.failed(item, killed) if at in culprits else attempt(work, item) for at, item in enumerate(items)]
            )
    except RagError as error:
        return _carried(error)


@lru_cache(maxsize=1)
def _work(pickled: bytes) -> Any:
    """Unpickle it once in each worker."""
    return pickle.loads(pickled)  # noqa: S301


@contextmanager
def _bounded(memory: int) -> Iterator[None]:
    """Let this process take so many bytes more, where the system counts them; then allocations fail, not the worker."""
    import resource  # no system but Unix has it

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        yield  # not Linux
        return
    now = next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmData:"))
    resource.setrlimit(resource.RLIMIT_DATA, (now + memory, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _carried(error: RagError) -> RagError:
    """Return an error that can be pickled; one that is made of something else than a message becomes a general one."""
    try:
        made = pickle.loads(pickle.dumps(error))  # noqa: S301
    except TypeError:
        return RagError(str(error))
    return made if isinstance(made, RagError) else RagError(str(error))
