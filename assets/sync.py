"""The same assets, run in this process: what `rag sync` does. The runs stand in Dagster's UI like any other."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import yaml
from dagster._core.events import StepFailureData
from dagster._core.instance.ref import InstanceRef
from sqlalchemy.exc import SQLAlchemyError

from assets.automation import follow_settings
from assets.corpus import FetchConfig
from assets.definitions import definitions_of
from assets.leftovers import clear_killed
from assets.release import PublishConfig
from assets.resources import Reporter, quiet
from rag_platform.core import errors
from rag_platform.core.errors import SettingsError, StorageError
from rag_platform.monitoring.cost_ledger import total
from rag_platform.workspace import Workspace

_SECONDS = {
    "raw": "fetch",
    "documents": "extract",
    "chunks": "chunk",
    "embeddings": "embed",
    "index": "index",
    "evaluation": "evaluate",
    "live_index": "publish",
}


_OURS = {name for name, value in vars(errors).items() if isinstance(value, type)}


@dataclass
class Ledger:
    """What a sync did; `to_dict` is the contract of `rag sync --json`."""

    version: str | None = None
    published: bool = False
    gate: dict | None = None
    sources: dict[str, dict] = field(default_factory=dict)
    chunks: dict[str, int] = field(default_factory=lambda: {"total": 0, "embedded": 0, "reused": 0})
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_SECONDS.values(), 0.0))
    run_id: str | None = None
    bytes_written: dict[str, int] = field(default_factory=dict)
    """By stage."""
    held: dict | None = None
    """The rollback since which nothing is published by itself."""
    moved: bool = False
    """True when this sync published the version; False when it was live already."""
    errors: list[str] = field(default_factory=list)
    """What stopped a source or the release."""

    def to_dict(self) -> dict:
        """Return the document that `rag sync --json` prints."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def exit_code(self) -> int:
        """0 done, 1 something failed, 3 built but refused by the gate."""
        if self.errors:
            return 1
        return 3 if self.gate and not self.gate["passed"] and not self.published else 0


def dagster_instance(workspace: Workspace) -> dg.DagsterInstance:
    """Open the Dagster instance of a workspace: its dagster.yaml, with data/dagster for what that keeps in SQLite."""
    home = workspace.settings.home
    state = workspace.settings.data / "dagster"
    state.mkdir(parents=True, exist_ok=True)
    storage = dagster_yaml(home).get("storage", {})
    overrides = {
        "storage": storage if storage.keys() - {"sqlite"} else {"sqlite": {"base_dir": str(state)}},
        "local_artifact_storage": {
            "module": "dagster._core.storage.root",
            "class": "LocalArtifactStorage",
            "config": {"base_dir": str(state)},
        },
        # Capturing the console takes two helper processes per step, and there is nothing in it that the events lack.
        "compute_logs": {
            "module": "dagster._core.storage.noop_compute_log_manager",
            "class": "NoOpComputeLogManager",
            "config": {},
        },
        "telemetry": {"enabled": False},
    }
    return dg.DagsterInstance.from_ref(InstanceRef.from_dir(str(home), overrides=overrides))


def dagster_yaml(home: Path) -> dict:
    """Read a workspace's dagster.yaml; `SettingsError` when it is none."""
    path = home / "dagster.yaml"
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid YAML: {error}") from error
    if not isinstance(content or {}, dict):
        raise SettingsError(f"{path}: expected keys such as storage and concurrency, not {content!r:.60}")
    return content or {}


def sync(
    workspace: Workspace,
    sources: Sequence[str] = (),
    *,
    publish: bool = True,
    allow_mass_delete: bool = False,
    full: bool = False,
    fetches: bool = True,
    reporter: Reporter = quiet,
) -> Ledger:
    """Bring these sources (default: all that are not paused) up to date, then build, score and publish a version.

    A source that fails keeps its last good state and does not stop the others; the ledger names it. With `full`,
    everything is read anew, while what is published stays; without `fetches`, no source is read.
    """
    fetch = FetchConfig(allow_mass_delete=allow_mass_delete, full=full, retry=False)
    chosen = [workspace.settings.source(source).id for source in sources or _not_paused(workspace) if fetches]
    ledger, began = Ledger(), datetime.now(UTC).isoformat()
    definitions = definitions_of(workspace, reporter)
    with _state_can_be_written(workspace), workspace.activity.running("sync"), dagster_instance(workspace) as instance:
        clear_killed(instance)
        follow_settings(instance, [source.id for source in workspace.settings.sources], all_of_them=True)
        for source in chosen:
            _sync_source(ledger, source, definitions, instance, fetch)
        _release(ledger, definitions, instance, publish=publish)
    _conclude(ledger, workspace)
    ledger.bytes_written = total(workspace.costs.entries(began))["bytes_written"]
    return ledger


def _not_paused(workspace: Workspace) -> list[str]:
    return [source.id for source in workspace.settings.sources if not source.paused]


def _sync_source(
    ledger: Ledger, source: str, definitions: dg.Definitions, instance: dg.DagsterInstance, fetch: FetchConfig
) -> None:
    result = _execute(definitions, "source", instance, ops={"raw": fetch}, partition=source)
    ledger.run_id = result.run_id
    reports = _reports(result)
    counts = reports.get("raw", {})
    failures = [*counts.get("failures", []), *reports.get("documents", {}).get("failures", [])]
    ledger.sources[source] = {name: counts.get(name, 0) for name in ("seen", "new", "changed", "unchanged", "gone")}
    if counts.get("forgotten"):
        ledger.sources[source]["forgotten"] = counts["forgotten"]
    ledger.sources[source]["failed"] = failures
    for message in _failures(result):
        ledger.errors.append(f"{source}: {message}")
        ledger.sources[source]["failed"].append({"uri": source, "reason": message})
    embedded = reports.get("embeddings", {})
    ledger.chunks["embedded"] += embedded.get("embedded", 0)
    ledger.chunks["reused"] += embedded.get("reused", 0)
    _add_seconds(ledger, reports)


def _release(ledger: Ledger, definitions: dg.Definitions, instance: dg.DagsterInstance, *, publish: bool) -> None:
    result = _execute(definitions, "release", instance, ops={"live_index": PublishConfig(publish=publish)})
    ledger.run_id = result.run_id
    reports = _reports(result)
    ledger.version = reports.get("index", {}).get("version")
    ledger.chunks["total"] = reports.get("index", {}).get("dagster/row_count", 0)
    ledger.moved = reports.get("live_index", {}).get("published", False)
    ledger.errors.extend(_failures(result))
    _add_seconds(ledger, reports)


def _conclude(ledger: Ledger, workspace: Workspace) -> None:
    """Read the verdict and the pointer, rather than believe what was reported."""
    if ledger.version:
        ledger.gate = workspace.versions.manifest(ledger.version).get("verdict")
        ledger.published = workspace.versions.live_id() == ledger.version
        ledger.held = workspace.versions.held()


def _execute(
    definitions: dg.Definitions, job: str, instance: dg.DagsterInstance, *, ops: dict, partition: str | None = None
) -> dg.ExecuteInProcessResult:
    quiet_console = {"console": {"config": {"log_level": "CRITICAL"}}}  # the run's events are kept all the same
    return definitions.resolve_job_def(job).execute_in_process(
        instance=instance,
        run_config=dg.RunConfig(ops=ops, loggers=quiet_console),
        partition_key=partition,
        raise_on_error=False,
        tags={"trigger": "rag sync"},
    )


@contextmanager
def _state_can_be_written(workspace: Workspace) -> Iterator[None]:
    """Translate what Dagster raises when it cannot write down its runs: on a full disk it is the first to notice."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        free = workspace.store.free_bytes()
        raise StorageError(
            f"the run could not be written down in {workspace.settings.data / 'dagster'} "
            f"({free / 1e6:.1f} MB are free there): {getattr(error, 'orig', error)}. "
            "The live version is untouched. Free some space, or mend the folder's permissions, and run again."
        ) from error


def _reports(result: dg.ExecuteInProcessResult) -> dict[str, dict]:
    """Return each asset's metadata as plain values."""
    events = result.get_asset_materialization_events()
    return {
        event.asset_key.to_user_string(): {name: value.value for name, value in event.materialization.metadata.items()}
        for event in events
    }


def _failures(result: dg.ExecuteInProcessResult) -> list[str]:
    """Say what failed, in the words of our own errors; a check that refused is told by the gate."""
    if any(event.is_step_failure and _was_interrupted(event) for event in result.all_events):
        raise KeyboardInterrupt  # Dagster takes the signal; the person meant the whole sync
    refused = {event.step_key for event in result.all_events if _is_refusal(event)}
    return [
        _message(event.step_failure_data)
        for event in result.all_events
        if event.is_step_failure and event.step_key not in refused
    ]


def _was_interrupted(event: dg.DagsterEvent) -> bool:
    error = event.step_failure_data.error
    return error is not None and error.cls_name == "DagsterExecutionInterruptedError"


def _is_refusal(event: dg.DagsterEvent) -> bool:
    evaluation = event.asset_check_evaluation_data if event.event_type_value == "ASSET_CHECK_EVALUATION" else None
    return evaluation is not None and not evaluation.passed and evaluation.check_name == "gate"


def _message(failure: StepFailureData) -> str:
    """Return what the step said, without Dagster's wrapping."""
    if failure.user_failure_data and failure.user_failure_data.description:
        return failure.user_failure_data.description
    chain = []
    error = failure.error
    while error:
        chain.append(error)
        error = error.cause
    ours = [error for error in chain if error.cls_name in _OURS]
    if ours:
        return ours[0].message.strip().removeprefix(f"{errors.__name__}.{ours[0].cls_name}: ")
    return chain[-1].message.strip() if chain else "the step failed without an error"


def _add_seconds(ledger: Ledger, reports: dict[str, dict]) -> None:
    for asset, metadata in reports.items():
        stage = _SECONDS[asset]
        ledger.seconds[stage] = round(ledger.seconds[stage] + metadata.get("seconds", 0.0), 3)
