"""What is sent to Dagster's web server, and what is made of its answers; a real Dagster is in tests/app."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rag_platform.core.errors import OrchestratorError
from rag_platform.operations.dagster_client import Orchestrator
from tests.loopback import LoopbackHandler, LoopbackServer, running

LOCATION = {
    "__typename": "RepositoryConnection",
    "nodes": [
        {
            "name": "__repository__",
            "location": {"name": "rag_platform"},
            "jobs": [{"name": name, "metadataEntries": []} for name in ("sync", "release")],
        }
    ],
}


class _Answers(LoopbackHandler):
    answers: dict[str, Any]
    received: list[dict[str, Any]]

    def do_POST(self) -> None:
        query = json.loads(self.body())
        self.received.append(query)
        (field,) = [name for name in self.answers if name in query["query"]]
        self.answer({"data": {field: self.answers[field]}})


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    handler = type("Answers", (_Answers,), {"answers": {"repositoriesOrError": LOCATION}, "received": []})
    with running(LoopbackServer(handler)) as served:
        yield served


def _orchestrator(server: LoopbackServer) -> Orchestrator:
    return Orchestrator(server.address, Path("/home"))


def test_the_code_location_is_reloaded_by_its_name(server: LoopbackServer) -> None:
    handler = server.RequestHandlerClass
    handler.answers["reloadRepositoryLocation"] = {"__typename": "WorkspaceLocationEntry", "locationOrLoadError": None}
    _orchestrator(server).reload()
    assert handler.received[-1]["variables"] == {"name": "rag_platform"}


def test_what_dagster_cannot_load_is_an_error(server: LoopbackServer) -> None:
    told = {"__typename": "PythonError", "message": "Traceback …\nSettingsError: rag.toml is wrong"}
    server.RequestHandlerClass.answers["reloadRepositoryLocation"] = {"locationOrLoadError": told}
    with pytest.raises(OrchestratorError, match=r"cannot load the pipeline: SettingsError: rag\.toml is wrong"):
        _orchestrator(server).reload()


def test_a_run_that_a_check_stopped_says_what_the_check_found(server: LoopbackServer) -> None:
    error = {"message": "1 blocking asset check failed with ERROR severity: evaluation: gate", "cause": None}
    error["className"] = "DagsterAssetCheckFailedError"
    lost = "Not published: 26 of your 89 questions lost their answer."
    remark = {"checkName": "count", "success": False, "severity": "WARN", "description": "9 documents"}
    events = [
        {"__typename": "AssetCheckEvaluationEvent", "evaluation": remark},
        {
            "__typename": "AssetCheckEvaluationEvent",
            "evaluation": {"checkName": "gate", "success": False, "severity": "ERROR", "description": lost},
        },
        {"__typename": "ExecutionStepFailureEvent", "message": "the step failed", "error": error},
        {"__typename": "RunFailureEvent", "message": "the run failed", "error": error},
    ]
    server.RequestHandlerClass.answers = {
        "runOrError": {
            "__typename": "Run", "runId": "r", "jobName": "release", "status": "FAILURE", "creationTime": 1.0,
            "startTime": 1.0, "endTime": 2.0, "tags": [], "stepStats": [], "eventConnection": {"events": events},
        }
    }  # fmt: skip
    assert _orchestrator(server).run("r").problems == (lost,)
