"""Dagster as its web server shows it (GraphQL): start a run of a source, follow it, end it.

The library knows no Dagster. What it knows is the jobs of `assets`: ``sync`` brings one source, which is a partition,
to publication, and ``release`` builds, scores and publishes what is there.
"""

import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from rag_platform.core.errors import OrchestratorDown, OrchestratorError
from rag_platform.operations.processes import is_alive

PATIENCE = httpx.Timeout(20.0, connect=2.0)
PARTITION, REPOSITORY = "dagster/partition", ".dagster/repository"
"""The tags of a run that name its source, and the code location that began it."""
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
    ... on AssetCheckEvaluationEvent {{ evaluation {{ checkName success severity description }} }}
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
    """A run as Dagster describes it."""

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
        """Whether it waits or goes on."""
        return self.status in UNDER_WAY and not self.lost


class Orchestrator:
    """A Dagster web server that runs the pipeline of one workspace, perhaps beside those of others."""

    def __init__(self, url: str, home: Path, partitions: str = "source") -> None:
        """Speak to the server at `url`, for the workspace in `home`; nothing is sent yet.

        `partitions` is the name of the set in which its sources are.
        """
        self.url = url.rstrip("/")
        self._home, self._partitions = str(home), partitions
        self._client = httpx.Client(trust_env=False, timeout=PATIENCE)
        weakref.finalize(self, self._client.close)

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
        at, _ = self._location()
        if reload:
            self.reload(at["repositoryLocationName"])
        if source is not None:
            self._result(_ADD, "addDynamicPartition", at=at, set=self._partitions, key=source)
        tags = {"trigger": "page", **({"started_by": who} if who else {}), **({PARTITION: source} if source else {})}
        run = {
            "selector": {**at, "jobName": "sync" if source else "release"},
            "mode": "default",
            "runConfigData": {},
            "executionMetadata": {"tags": [{"key": key, "value": value} for key, value in tags.items()]},
        }
        return str(self._result(_LAUNCH, "launchRun", run=run)["run"]["runId"])

    def reload(self, location: str | None = None) -> None:
        """Let Dagster read rag.toml again."""
        self._result(
            _RELOAD, "reloadRepositoryLocation", name=location or self._location()[0]["repositoryLocationName"]
        )

    def run(self, run_id: str) -> Run:
        """Return how far a run has come; `OrchestratorError` when there is none of that id."""
        return _detailed_run(self._result(_ONE, "runOrError", id=run_id, most=_EVENTS), local=self._is_here())

    def latest(self, source: str | None = None, *, most: int = 1, under_way: bool = False) -> list[Run]:
        """Return the newest runs, of one source or of all; with `under_way`, those that wait or go on."""
        at, alone = self._location()
        own = {} if alone else {REPOSITORY: f"{at['repositoryName']}@{at['repositoryLocationName']}"}
        tags = [{"key": key, "value": value} for key, value in ({PARTITION: source} | own).items() if value]
        wanted: dict[str, Any] = {"tags": tags} if tags else {}
        wanted |= {"statuses": list(UNDER_WAY)} if under_way else {}
        return [_run(one) for one in self._result(_RUNS, "runsOrError", filter=wanted, most=most)["results"]]

    def cancel(self, run_id: str, *, at_once: bool = False) -> None:
        """Ask a run to end; `at_once`: note it as ended, for one whose process is gone."""
        policy = "MARK_AS_CANCELED_IMMEDIATELY" if at_once else "SAFE_TERMINATE"
        self._result(_TERMINATE, "terminateRun", id=run_id, policy=policy)

    def idle_daemons(self) -> list[str]:
        """Name what should run beside the web server and does not: without it, a run waits for ever."""
        statuses = self._send(_DAEMONS)["instance"]["daemonHealth"]["allDaemonStatuses"]
        return [one["daemonType"] for one in statuses if one["required"] and not one["healthy"]]

    def _location(self) -> tuple[dict[str, str], bool]:
        """Find the code location that has our jobs for this workspace, and tell whether it is the only one of ours."""
        own, others = [], []
        for one in self._result(_REPOSITORIES, "repositoriesOrError")["nodes"]:
            jobs = {
                job["name"]: {entry["label"]: entry.get("text") for entry in job["metadataEntries"]}
                for job in one["jobs"]
            }
            home = jobs.get("release", {}).get("home")
            if jobs.keys() >= JOBS and home in (None, self._home):
                own.append({"repositoryName": one["name"], "repositoryLocationName": one["location"]["name"]})
            others += [home] if home and home != self._home else []
        if own:
            return own[0], not others
        runs = f"runs the workspace {', '.join(others)}, not {self._home}" if others else "has no job `sync`"
        raise OrchestratorError(
            f"Dagster at {self.url} {runs}. Start it with RAG_HOME={self._home}, or name the right one as url "
            "in [dagster]"
        )

    def _is_here(self) -> bool:
        return urlsplit(self.url).hostname in ("127.0.0.1", "::1", "localhost")

    def _result(self, query: str, field: str, /, **variables: Any) -> dict[str, Any]:
        """Send a query and return one field of its answer; what Dagster refused is an `OrchestratorError`."""
        result: dict[str, Any] = self._send(query, **variables)[field]
        problems = [result["message"]] if "message" in result else [one["message"] for one in result.get("errors", ())]
        if problems:
            raise OrchestratorError(f"Dagster refused it: {'; '.join(map(_first_line, problems))}")
        inner = result.get("locationOrLoadError") or {}
        if "message" in inner:
            raise OrchestratorError(f"Dagster cannot load the pipeline: {_last_line(inner['message'])}")
        return result

    def _send(self, query: str, /, **variables: Any) -> dict[str, Any]:
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
            errors = content.get("errors") if isinstance(content, dict) else None
            raise OrchestratorError(f"Dagster refused it: {errors[0]['message'] if errors else answer.status_code}")
        data: dict[str, Any] = content["data"]
        return data


def _detailed_run(found: Mapping[str, Any], *, local: bool) -> Run:
    events, run = found["eventConnection"]["events"], _run(found)
    return replace(
        run,
        steps=tuple(_step(one) for one in found["stepStats"]),
        problems=tuple(dict.fromkeys(_problems(events))),
        lost=local and run.status in ("STARTING", "STARTED", "CANCELING") and _process_is_gone(events),
    )


def _run(found: Mapping[str, Any]) -> Run:
    source = next((tag["value"] for tag in found["tags"] if tag["key"] == PARTITION), None)
    started, ended = _moment(found["startTime"]), _moment(found["endTime"])
    created = datetime.fromtimestamp(found["creationTime"], UTC)
    return Run(found["runId"], found["jobName"], found["status"], source, created, started, ended)


def _step(found: Mapping[str, Any]) -> Step:
    return Step(found["stepKey"], found["status"] or "", _moment(found["startTime"]), _moment(found["endTime"]))


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _process_is_gone(events: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the process of a run on this machine has ended without saying so."""
    for event in reversed(events):
        for entry in event.get("metadataEntries") or ():
            if entry["label"] == "pid" and entry.get("text", "").isdigit():
                return not is_alive(int(entry["text"]), float(event["timestamp"]) / 1000)
    return False


def _problems(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    failed = False
    for event in events:
        if event["__typename"] == "AssetCheckEvaluationEvent":
            yield from _failed_check(event["evaluation"])
        elif event["__typename"] == "ExecutionStepFailureEvent" and _of_a_check(event):
            failed = True  # the check itself has said why
        elif event["__typename"] == "ExecutionStepFailureEvent":
            failed = True
            described = (event.get("failureMetadata") or {}).get("description")
            yield described or _innermost(event.get("error")) or event["message"]
        elif event["__typename"] == "RunFailureEvent" and not failed:
            yield _innermost(event.get("error")) or event["message"]


def _failed_check(evaluation: Mapping[str, Any]) -> Iterator[str]:
    """Return what a check that stops the run found, in the check's own words."""
    if not evaluation["success"] and evaluation["severity"] == "ERROR":
        yield evaluation.get("description") or f"The check {evaluation['checkName']!r} did not pass."


def _of_a_check(event: Mapping[str, Any]) -> bool:
    return (event.get("error") or {}).get("className") == "DagsterAssetCheckFailedError"


def _innermost(error: Mapping[str, Any] | None) -> str | None:
    """Return what was raised first, without the names of classes and without a trace."""
    while error and error.get("cause"):
        error = error["cause"]
    if not error:
        return None
    name, colon, rest = error["message"].strip().partition(": ")
    message = rest if colon and name.replace(".", "").replace("_", "").isalnum() else error["message"].strip()
    return str(message)


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]


def _last_line(message: str) -> str:
    return message.strip().rpartition("\n")[2]
