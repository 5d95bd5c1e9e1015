"""Dagster as its web server shows it (GraphQL): start a run of a source, follow it, end it.

The library knows no Dagster. What it knows is the jobs of `assets`: ``sync`` brings one source, which is a partition,
to publication, and ``release`` builds, scores and publishes what is there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from rag_platform.core.errors import OrchestratorDown, OrchestratorError
from rag_platform.operations.processes import is_alive

PATIENCE = httpx.Timeout(20.0, connect=2.0)
PARTITIONS, PARTITION = "source", "dagster/partition"
JOBS = {"sync", "release"}
UNDER_WAY = ("NOT_STARTED", "QUEUED", "STARTING", "STARTED", "CANCELING")
_EVENTS = 1000

_REPOSITORIES = """query { repositoriesOrError { __typename
  ... on RepositoryConnection { nodes { name location { name } jobs { name metadataEntries {
    label ... on TextMetadataEntry { text } } } } }
  ... on PythonError { message } } }"""
_RELOAD = """mutation ($name: String!) { reloadRepositoryLocation(repositoryLocationName: $name) { __typename
  ... on WorkspaceLocationEntry { locationOrLoadError { __typename ... on PythonError { message } } }
  ... on ReloadNotSupported { message } ... on RepositoryLocationNotFound { message } ... on PythonError { message }
  ... on UnauthorizedError { message } } }"""
_ADD = """mutation ($at: RepositorySelector!, $set: String!, $key: String!) {
  addDynamicPartition(repositorySelector: $at, partitionsDefName: $set, partitionKey: $key) { __typename
  ... on PythonError { message } ... on UnauthorizedError { message } } }"""
_LAUNCH = """mutation ($run: ExecutionParams!) { launchRun(executionParams: $run) { __typename
  ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } ... on InvalidSubsetError { message }
  ... on UnauthorizedError { message } ... on RunConfigValidationInvalid { errors { message } } } }"""
_TERMINATE = """mutation ($id: String!, $policy: TerminateRunPolicy!) {
  terminateRun(runId: $id, terminatePolicy: $policy) { __typename ... on TerminateRunFailure { message }
  ... on RunNotFoundError { message } ... on PythonError { message } ... on UnauthorizedError { message } } }"""
_RUN = "runId status jobName creationTime startTime endTime tags { key value }"
_RUNS = (
    "query ($filter: RunsFilter!, $most: Int!) { runsOrError(filter: $filter, limit: $most) { __typename "
    f"... on Runs {{ results {{ {_RUN} }} }} ... on PythonError {{ message }} }} }}"
)
_ONE = f"""query ($id: ID!, $most: Int!) {{ runOrError(runId: $id) {{ __typename
  ... on RunNotFoundError {{ message }} ... on PythonError {{ message }}
  ... on Run {{ {_RUN} stepStats {{ stepKey status startTime endTime }} eventConnection(limit: $most) {{ events {{
    __typename ... on MessageEvent {{ message timestamp }}
    ... on EngineEvent {{ metadataEntries {{ label ... on TextMetadataEntry {{ text }} }} error {{ message }} }}
    ... on ExecutionStepFailureEvent {{ stepKey failureMetadata {{ description }}
      error {{ message className cause {{ message className cause {{ message className }} }} }} }}
    ... on ExecutionStepUpForRetryEvent {{ stepKey error {{ message cause {{ message }} }} }}
    ... on RunFailureEvent {{ error {{ message }} }} }} }} }} }} }}"""
_DAEMONS = "query { instance { daemonHealth { allDaemonStatuses { daemonType required healthy } } } }"


@dataclass(frozen=True, slots=True)
class Step:
    """One asset of a run."""

    name: str
    status: str
    """IN_PROGRESS, SUCCESS, FAILURE, SKIPPED …"""
    started: datetime | None
    ended: datetime | None


@dataclass(frozen=True, slots=True)
class Run:
    """A run as Dagster tells of it."""

    id: str
    job: str
    status: str
    """QUEUED, STARTING, STARTED, SUCCESS, FAILURE, CANCELING, CANCELED …"""
    source: str | None
    created: datetime
    started: datetime | None
    ended: datetime | None
    steps: Sequence[Step] = ()
    problems: Sequence[str] = ()
    """What failed, in sentences."""
    lost: bool = False
    """Dagster takes it for running, and its process is gone."""

    @property
    def under_way(self) -> bool:
        """Tell whether it waits or goes on."""
        return self.status in UNDER_WAY and not self.lost


class Orchestrator:
    """A Dagster web server that runs the pipeline of one workspace."""

    def __init__(self, url: str, home: Path) -> None:
        """Speak to the server at `url`, for the workspace in `home`; nothing is asked yet."""
        self.url = url.rstrip("/")
        self._home = str(home)
        self._client = httpx.Client(trust_env=False, timeout=PATIENCE)

    def address_of(self, run_id: str) -> str:
        """Return where people see a run."""
        return f"{self.url}/runs/{run_id}"

    def launch(self, source: str | None, *, reload: bool = False, who: str = "") -> str:
        """Start a run and return its id.

        Args:
            source: which is brought to publication; None: only a release of what is there.
            reload: let Dagster read rag.toml again first, for its schedules.
            who: starts it.

        Raises:
            OrchestratorDown: nobody answers.
            OrchestratorError: Dagster refused it, or does not run this workspace.
        """
        at = self._location()
        if reload:
            self.reload(at["repositoryLocationName"])
        if source is not None:
            self._asked(_ADD, "addDynamicPartition", at=at, set=PARTITIONS, key=source)
        tags = {"trigger": "page", **({"started_by": who} if who else {}), **({PARTITION: source} if source else {})}
        run = {
            "selector": {**at, "jobName": "sync" if source else "release"},
            "mode": "default",
            "runConfigData": {},
            "executionMetadata": {"tags": [{"key": key, "value": value} for key, value in tags.items()]},
        }
        return self._asked(_LAUNCH, "launchRun", run=run)["run"]["runId"]

    def reload(self, location: str | None = None) -> None:
        """Let Dagster read rag.toml again."""
        self._asked(_RELOAD, "reloadRepositoryLocation", name=location or self._location()["repositoryLocationName"])

    def run(self, run_id: str) -> Run:
        """Tell how far a run has come; `OrchestratorError` when there is none of that id."""
        return _whole(self._asked(_ONE, "runOrError", id=run_id, most=_EVENTS), local=self._is_here())

    def latest(self, source: str | None = None, *, most: int = 1, under_way: bool = False) -> list[Run]:
        """Return the newest runs, of one source or of all; with `under_way`, those that wait or go on."""
        wanted: dict[str, Any] = {"tags": [{"key": PARTITION, "value": source}]} if source else {}
        wanted |= {"statuses": list(UNDER_WAY)} if under_way else {}
        return [_run(one) for one in self._asked(_RUNS, "runsOrError", filter=wanted, most=most)["results"]]

    def cancel(self, run_id: str, *, at_once: bool = False) -> None:
        """Ask a run to end; `at_once`: note it as ended, for one whose process is gone."""
        policy = "MARK_AS_CANCELED_IMMEDIATELY" if at_once else "SAFE_TERMINATE"
        self._asked(_TERMINATE, "terminateRun", id=run_id, policy=policy)

    def idle_daemons(self) -> list[str]:
        """Name what should run beside the web server and does not: without it, a run waits for ever."""
        told = self._ask(_DAEMONS)["instance"]["daemonHealth"]["allDaemonStatuses"]
        return [one["daemonType"] for one in told if one["required"] and not one["healthy"]]

    def _location(self) -> dict[str, str]:
        """Find the code location that has our jobs for this workspace."""
        others = []
        for one in self._asked(_REPOSITORIES, "repositoriesOrError")["nodes"]:
            jobs = {
                job["name"]: {entry["label"]: entry.get("text") for entry in job["metadataEntries"]}
                for job in one["jobs"]
            }
            home = jobs.get("release", {}).get("home")
            if jobs.keys() >= JOBS and home in (None, self._home):
                return {"repositoryName": one["name"], "repositoryLocationName": one["location"]["name"]}
            others += [home] if home else []
        runs = f"runs the workspace {', '.join(others)}, not {self._home}" if others else "has no job `sync`"
        raise OrchestratorError(
            f"Dagster at {self.url} {runs}. Start it with RAG_HOME={self._home}, or name the right one as url "
            "in [dagster]"
        )

    def _is_here(self) -> bool:
        return urlsplit(self.url).hostname in ("127.0.0.1", "::1", "localhost")

    def _asked(self, query: str, name: str, **variables: Any) -> dict:
        told = self._ask(query, **variables)[name]
        problems = [told["message"]] if "message" in told else [one["message"] for one in told.get("errors", ())]
        if problems:
            raise OrchestratorError(f"Dagster refused it: {'; '.join(map(_first_line, problems))}")
        inner = told.get("locationOrLoadError") or {}
        if "message" in inner:
            raise OrchestratorError(f"Dagster cannot load the pipeline: {_last_line(inner['message'])}")
        return told

    def _ask(self, query: str, **variables: Any) -> dict:
        try:
            answer = self._client.post(f"{self.url}/graphql", json={"query": query, "variables": variables})
            content = answer.json()
        except httpx.HTTPError as error:
            why = (
                "nothing answers there" if isinstance(error, httpx.ConnectError) else str(error) or "no answer in time"
            )
            raise OrchestratorDown(f"Dagster cannot be reached at {self.url}: {why}") from error
        except ValueError as error:
            raise OrchestratorError(f"what answers at {self.url} is no Dagster; check url in [dagster]") from error
        if not isinstance(content, dict) or content.get("errors") or not content.get("data"):
            told = content.get("errors") if isinstance(content, dict) else None
            raise OrchestratorError(f"Dagster refused it: {told[0]['message'] if told else answer.status_code}")
        return content["data"]


def _whole(told: Mapping[str, Any], *, local: bool) -> Run:
    events = told["eventConnection"]["events"]
    run = _run(told)
    steps = tuple(_step(one) for one in told["stepStats"])
    lost = local and run.status in ("STARTING", "STARTED", "CANCELING") and _gone(events)
    values = {name: getattr(run, name) for name in run.__slots__} | {"steps": steps, "lost": lost}
    return Run(**values | {"problems": tuple(dict.fromkeys(_problems(events)))})


def _run(told: Mapping[str, Any]) -> Run:
    source = next((tag["value"] for tag in told["tags"] if tag["key"] == PARTITION), None)
    times = (_moment(told[name]) for name in ("creationTime", "startTime", "endTime"))
    return Run(told["runId"], told["jobName"], told["status"], source, *times)


def _step(told: Mapping[str, Any]) -> Step:
    return Step(told["stepKey"], told["status"] or "", _moment(told["startTime"]), _moment(told["endTime"]))


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _gone(events: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the process of a run on this machine has ended without saying so."""
    for event in reversed(events):
        for entry in event.get("metadataEntries") or ():
            if entry["label"] == "pid" and entry.get("text", "").isdigit():
                return not is_alive(int(entry["text"]), float(event["timestamp"]) / 1000)
    return False


def _problems(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    failed = False
    for event in events:
        if event["__typename"] == "ExecutionStepFailureEvent":
            failed = True
            described = (event.get("failureMetadata") or {}).get("description")
            yield described or _innermost(event.get("error")) or event["message"]
        elif event["__typename"] == "RunFailureEvent" and not failed:
            yield _innermost(event.get("error")) or event["message"]


def _innermost(error: Mapping[str, Any] | None) -> str | None:
    """Return what was raised first, without the names of classes and without a trace."""
    while error and error.get("cause"):
        error = error["cause"]
    if not error:
        return None
    name, colon, rest = error["message"].strip().partition(": ")
    return rest if colon and name.replace(".", "").replace("_", "").isalnum() else error["message"].strip()


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]


def _last_line(message: str) -> str:
    return message.strip().rpartition("\n")[2]
