"""What is known of evaluations, gathered once for all who look, and shown to each only as far as they may read it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import streamlit as st

from app import frame
from app.texts import say
from evals.questions import editing, sets
from evals.report import evaluation_history, release_report, security_trimming
from evals.report.release_report import Findings
from evals.report.security_trimming import Hidden
from rag_platform.core.errors import VersionError
from rag_platform.core.ids import digest
from rag_platform.index.releases.open_version import EVALUATION
from rag_platform.people.identity import Person

_DAMAGE = (KeyError, TypeError, ValueError, AttributeError, pl.exceptions.PolarsError)


def findings(version: str, person: Person) -> Findings:
    """Return what came of evaluating a version, as far as this person may know.

    Raises:
        VersionError: it was never evaluated, or what was stored of it is damaged.
        QuestionSetError: a question set is malformed.
    """
    return security_trimming.seen(_findings(frame.workspace(), version, stamp(version)), hidden(person))


def hidden(person: Person) -> Hidden:
    """Return what this person may not see of questions and documents."""
    return _hidden(frame.workspace(), person.principals, stamp(""))


def history() -> list[dict[str, Any]]:
    """Return every evaluation that can be read, oldest first."""
    return _history(frame.workspace(), stamp(""))


def manifests() -> list[Mapping]:
    """Return what is known of each version, newest first; one that is damaged is left out."""
    return [one for one in reversed(frame.workspace().versions.manifests()) if "counts" in one]


@st.cache_resource(show_spinner=False, max_entries=8)
def _findings(_workspace: Any, version: str, stamp: str) -> Findings:  # noqa: ARG001 - the stamp tells when it is old
    try:
        questions = sets.workspace_questions(_workspace)
        return release_report.gather_again(_workspace, version, questions)
    except _DAMAGE as error:
        raise VersionError(say("quality-damaged", version=version, error=type(error).__name__)) from error


@st.cache_resource(show_spinner=False, max_entries=64)
def _hidden(_workspace: Any, principals: tuple[str, ...], stamp: str) -> Hidden:  # noqa: ARG001
    stored, _ = editing.stored_questions(_workspace)
    return security_trimming.hidden_from(_workspace, [one.question for one in stored], principals)


@st.cache_resource(show_spinner=False, max_entries=2)
def _history(_workspace: Any, stamp: str) -> list[dict[str, Any]]:  # noqa: ARG001
    path = release_report.history_path(_workspace)
    return [entry for entry in evaluation_history.read(path) if _whole(entry)]


def _whole(entry: Mapping) -> bool:
    """Tell whether an entry has what a chart needs; its line may have been damaged."""
    means, intervals = entry["means"], entry.get("intervals", {})
    return (
        isinstance(means, dict)
        and all(isinstance(value, int | float) for value in means.values())
        and isinstance(intervals, dict)
        and all(isinstance(ends, list) and len(ends) == 2 for ends in intervals.values())
    )


def stamp(version: str) -> str:
    """Return what changes when something that findings are made of does."""
    workspace = frame.workspace()
    versions, home = workspace.versions, workspace.settings.home
    files = [versions.path(one) / EVALUATION for one in versions.ids()]
    files += [workspace.settings.data / "evals" / "history.jsonl", *sets.question_files(workspace)]
    return digest(str(home), version, *(f"{path}{_changed(path)}" for path in files))


def _changed(path: Path) -> str:
    try:
        stat = path.stat()
    except OSError:
        return "-"
    return f"{stat.st_mtime_ns} {stat.st_size}"
