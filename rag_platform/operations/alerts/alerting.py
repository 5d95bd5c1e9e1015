"""The way in: tell what began, what is over and what happened, and deliver what waits. No run is ever stopped by it."""

import logging
import threading
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from rag_platform.core.errors import AlertFailed, message_of
from rag_platform.core.threads.repeating import repeat
from rag_platform.operations.alerts.conditions import conditions_of
from rag_platform.operations.alerts.delivery import Target, routes_of, send, targets_of, with_question
from rag_platform.operations.alerts.happenings import looks
from rag_platform.operations.alerts.outbox import MIGRATIONS, Alert, Outbox
from rag_platform.operations.status.release_status import release_status
from rag_platform.workspace import Workspace

FILE = "alerts.sqlite"
CATCHING_UP = timedelta(minutes=15)
"""For how long what looks every minute leaves a source late untold: a machine that was off at night reads it first."""
LIMIT = 40.0
"""Seconds that a run spends on deliveries at most; what is not delivered then waits for the next one."""


def alert(
    workspace: Workspace,
    now: datetime | None = None,
    *,
    tries: int = 3,
    patience: timedelta = timedelta(),
    limit: float = LIMIT,
) -> list[str]:
    """Tell each condition that began or is over, and each thing that happened, once, to every target of [alerts].

    Args:
        workspace: of which.
        now: the clock.
        tries: attempts for each message, seconds apart; what fails then is tried again by a later call.
        patience: for how long a source may be late untold.
        limit: seconds after which this returns, whatever a server does.

    Returns:
        What could not be delivered, in sentences. It never raises.
    """
    if not targets_of(workspace.settings.alerts):
        return []
    problems: list[str] = []
    arguments = (workspace, now or datetime.now(UTC), tries, patience, problems)
    working = threading.Thread(target=_guarded, args=arguments, daemon=True)
    working.start()
    working.join(limit)
    late = [f"it took longer than {limit:g} s; deliveries go on with the next run"] if working.is_alive() else []
    return [*problems, *late]


def keep_alerting(workspace: Workspace, every: timedelta = timedelta(minutes=1)) -> threading.Event:
    """Look again and again, in a thread, as long as the program runs; setting what this returns ends it."""

    def look() -> None:
        for problem in alert(workspace, tries=1, patience=CATCHING_UP):
            logging.getLogger(__name__).warning(problem)

    return repeat(look, every, "alerts") if targets_of(workspace.settings.alerts) else threading.Event()


def try_targets(workspace: Workspace) -> dict[str, str | None]:
    """Send a message to each target at once; by target: why it failed, None where it arrived."""
    now = datetime.now(UTC).isoformat()
    text = "This is a test of the alerts: nothing has happened."
    message = Alert(uuid.uuid4().hex, "test", "test", "A test", text, workspace.settings.home.name, now)
    outcomes: dict[str, str | None] = {}
    for target in targets_of(workspace.settings.alerts):
        try:
            send(workspace, target, message)
            outcomes[target.shown] = None
        except AlertFailed as error:
            outcomes[target.shown] = str(error)
    return outcomes


def alert_log(workspace: Workspace, limit: int) -> dict[str, Any]:
    """Return what was ``told`` and is not over, and the newest ``messages``, with their targets as people know them."""
    outbox, names = outbox_of(workspace), {one.key: one.shown for one in targets_of(workspace.settings.alerts)}
    messages = outbox.messages()[:limit]
    for message in messages:
        message["target"] = names.get(message["target"], message["target"].partition(" ")[0])
    return {"told": outbox.told(), "messages": messages}


def outbox_of(workspace: Workspace) -> Outbox:
    """Return what was told, and what waits: of all processes that share a database, where [scale] names one."""
    settings = workspace.settings
    exists = (settings.data / FILE).exists
    return Outbox(
        lambda: workspace.database(FILE, MIGRATIONS),
        lambda: bool(settings.scale.database) or exists(),
        settings.home.name,
    )


def _guarded(workspace: Workspace, now: datetime, tries: int, patience: timedelta, problems: list[str]) -> None:
    try:
        settings, outbox = workspace.settings.alerts, outbox_of(workspace)
        status, routes = release_status(workspace, now=now), routes_of(settings)
        outbox.forget([*routes])
        outbox.update(conditions_of(status, routes, patience), status.said, routes, now)
        outbox.look({event: look for event, look in looks(workspace).items() if event in routes}, routes, now)
        for target in targets_of(settings):
            _deliver(workspace, outbox, target, now, tries, problems)
    except Exception as error:  # noqa: BLE001  whatever it is, the run goes on
        problems.append(message_of(error))


def _deliver(
    workspace: Workspace, outbox: Outbox, target: Target, now: datetime, tries: int, problems: list[str]
) -> None:
    """Deliver what is due to one target, up to the first that fails."""
    while (message := outbox.claim(target.key, now)) is not None:
        told = with_question(workspace, message)
        try:
            if told:
                _attempts(tries)(send, workspace, target, told)
        except AlertFailed as error:
            outbox.failed(message, target.key, str(error), now)
            problems.append(f"{target.shown}: {message.title!r} was not delivered: {error}; it is tried again")
            return
        outbox.delivered(message, target.key, now)


def _attempts(tries: int) -> Retrying:
    return Retrying(
        retry=retry_if_exception(lambda error: isinstance(error, AlertFailed) and error.transient),
        stop=stop_after_attempt(tries),
        wait=wait_exponential(multiplier=0.5, max=4),
        reraise=True,
    )
