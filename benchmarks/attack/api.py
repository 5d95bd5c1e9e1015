"""The API against its own description: requests of all kinds, made by schemathesis, from three kinds of askers.

Each operation of `/v1/openapi.json` is asked, within what it allows and beyond, without a token, with a reader's and
with an editor's, over a published workspace. No answer may be a fault of the server's, each must be as the description
says, none may name a source that its asker may not read, and nobody without a token is answered.
"""

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.attack.clients import serving
from benchmarks.attack.outcome import Budget, Outcome

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = """
[access]
questions_per_minute = 0
searches_per_minute = 0
[[sources]]
id = "handbook"
kind = "folder"
path = "handbook"
[[sources]]
id = "teaching"
kind = "upload"
[[sources]]
id = "dismissals"
kind = "folder"
path = "dismissals"
principals = ["group:board"]
"""
HIDDEN = ("dismissals", "zweckverband")
"""The name of the closed source, and a word of its only document."""
MOST = 400
"""Requests of one kind from one asker to one operation."""


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Ask as nobody, as a reader and as an editor."""
    home, began = budget.scratch, time.monotonic()
    _publish(home)
    left = budget.minutes * 60 - (time.monotonic() - began)
    with serving(home) as (port, _, reader):
        editor = _rag(home, "token", "create", "editor", "--role", "editor").strip()
        askers = {"without a token": (None, 0.1), "a reader": (reader, 0.4), "an editor": (editor, 0.4)}
        address = f"http://127.0.0.1:{port}"
        return [_ask_all(address, name, *asker, left, chance) for name, asker in askers.items()]


def _ask_all(
    address: str, name: str, token: str | None, share: float, seconds: float, chance: random.Random
) -> Outcome:
    operations = [*_operations(address)]
    kinds = [(operation, negative) for operation in operations for negative in (False, True)]
    tries, wrong = 0, []
    for operation, negative in kinds:
        if token and name == "an editor" and operation.label == "POST /v1/sync":
            continue  # it would start syncs, one after the other
        until = time.monotonic() + seconds * share / len(kinds)
        count, found = _ask(operation, token, until, chance.randrange(2**32), negative=negative)
        tries, wrong = tries + count, wrong + found
    return Outcome(
        f"api: {name}", tries, len(wrong), notes=(f"{len(operations)} operations", *dict.fromkeys(wrong[:5]))
    )


def _operations(address: str) -> Iterator[Any]:
    import schemathesis

    schema = schemathesis.openapi.from_url(f"{address}/v1/openapi.json")
    for found in schema.get_all_operations():
        yield found.ok()


def _ask(operation: Any, token: str | None, until: float, seed: int, *, negative: bool) -> tuple[int, list[str]]:
    """Send requests of one kind to one operation until the time is up; return how many, and what was wrong."""
    import hypothesis
    from schemathesis import GenerationMode

    tries, wrong = [], []
    mode = GenerationMode.NEGATIVE if negative else GenerationMode.POSITIVE

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=MOST,
        deadline=None,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=[*hypothesis.HealthCheck],
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        if time.monotonic() > until:
            raise _TimeUp
        tries.append(1)
        wrong.extend(_wrong(case, token))

    with suppress(_TimeUp, hypothesis.errors.Unsatisfiable):  # nothing of this kind can be made
        ask()
    return len(tries), wrong


class _TimeUp(KeyboardInterrupt):
    """Ends the making of requests: hypothesis takes it for no failure."""


def _wrong(case: Any, token: str | None) -> list[str]:
    """Send one request and return what is wrong with its answer."""
    import requests
    from schemathesis import checks
    from schemathesis.core.failures import Failure, FailureGroup

    said = f"{case.method} {case.formatted_path}"
    try:
        answer = case.call(headers={"Authorization": f"Bearer {token}" if token else ""}, timeout=60)
        if token is None and answer.status_code not in (400, 401, 404, 405):  # 400: the body itself cannot be read
            return [f"{said}: {answer.status_code} without a token"]
        if any(word in answer.text.lower() and word not in said + str(case.body) + str(case.query) for word in HIDDEN):
            return [f"{said} names what is closed: {answer.text[:200]}"]
        case.validate_response(answer, checks=[getattr(checks, name) for name in _CHECKS])
    except (Failure, FailureGroup) as failure:
        return [f"{said}: {str(failure)[:300]}"]
    except requests.RequestException as failure:
        return [f"{said}: {failure!r}"[:300]]
    return []


_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def _publish(home: Path) -> None:
    """Make a small workspace with a live version: the handbook, a closed source and a collection."""
    (home / "rag.toml").write_text(SETTINGS, encoding="utf-8")
    (home / "handbook").mkdir()
    for name in ("api.md", "permissions.md"):
        shutil.copy(ROOT / "docs" / name, home / "handbook")
    (home / "dismissals").mkdir()
    (home / "dismissals" / "list.md").write_text("# Dismissals\n\nThe Zweckverband leaves in May.\n", encoding="utf-8")
    _rag(home, "collection", "create", "Course")
    _rag(home, "sync")


def _rag(home: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    command = [sys.executable, "-m", "rag_platform", "--home", str(home), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise RuntimeError(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout
