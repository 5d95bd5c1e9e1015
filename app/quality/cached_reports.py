"""What is known of evaluations, gathered once for all visitors, and shown to each only as far as they may read it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import streamlit as st

from app import frame
from app.figures import short
from app.texts import say
from evals.questions import editing, sets
from evals.report import evaluation_history
from evals.report.release_report import ReleaseReport, history_path, stored_report
from evals.report.security_trimming import Restricted, restricted_for, trim_report
from rag_platform.core.errors import VersionError
from rag_platform.core.ids import digest
from rag_platform.index.releases.version_files import EVALUATION
from rag_platform.people.identity import Person

_DAMAGE = (KeyError, TypeError, ValueError, AttributeError, pl.exceptions.PolarsError)


def release_report(version: str, person: Person) -> ReleaseReport:
    """Return what came of evaluating a version, as far as this person may know.

    Raises:
        VersionError: it was never evaluated, or what was stored of it is damaged.
        QuestionSetError: a question set is malformed.
    """
    return trim_report(_release_report(frame.workspace(), version, stamp(version)), restricted(person))


def restricted(person: Person) -> Restricted:
    """Return what this person may not see of questions and documents."""
    return _restricted(frame.workspace(), person.principals, stamp(""))


def history() -> list[dict[str, Any]]:
    """Return every evaluation that can be read, oldest first."""
    return _history(frame.workspace(), stamp(""))


def manifests() -> list[Mapping[str, Any]]:
    """Return what is known of each version, newest first; one that is damaged is left out."""
    return [one for one in reversed(frame.workspace().versions.manifests()) if "counts" in one]


@st.cache_resource(show_spinner=False, max_entries=8)
def _release_report(_workspace: Any, version: str, stamp: str) -> ReleaseReport:  # noqa: ARG001 - the stamp tells when it is old
    try:
        questions = sets.workspace_questions(_workspace)
        return stored_report(_workspace, version, questions)
    except _DAMAGE as error:
        raise VersionError(say("quality-damaged", version=short(version), error=type(error).__name__)) from error


@st.cache_resource(show_spinner=False, max_entries=64)
def _restricted(_workspace: Any, principals: tuple[str, ...], stamp: str) -> Restricted:  # noqa: ARG001
    stored, _ = editing.stored_questions(_workspace)
    return restricted_for(_workspace, [one.question for one in stored], principals)


@st.cache_resource(show_spinner=False, max_entries=2)
def _history(_workspace: Any, stamp: str) -> list[dict[str, Any]]:  # noqa: ARG001
    path = history_path(_workspace)
    return [entry for entry in evaluation_history.read(path) if _whole(entry)]


def _whole(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry has what a chart needs; its line may have been damaged."""
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
    files += [history_path(workspace), *sets.question_files(workspace)]
    return digest(
        str(home), version, str(workspace.access.policy().number), *(f"{path}{_changed(path)}" for path in files)
    )


def _changed(path: Path) -> str:
    try:
        stat = path.stat()
    except OSError:
        return "-"
    return f"{stat.st_mtime_ns} {stat.st_size}"
