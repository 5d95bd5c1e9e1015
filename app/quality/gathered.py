"""What is known of evaluations, gathered once for all who look, and shown to each only as far as they may read it."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import polars as pl
import streamlit as st

from app import frame
from app.texts import say
from rag_platform.core.errors import MissingExtra, VersionError
from rag_platform.core.records import digest
from rag_platform.index.releases.open_version import EVALUATION
from rag_platform.people.identity import Person

if TYPE_CHECKING:
    from evals.report.findings import Findings
    from evals.report.visible import Hidden

_DAMAGE = (KeyError, TypeError, ValueError, AttributeError, pl.exceptions.PolarsError)


def evals(module: str) -> ModuleType:
    """Load a module of the evaluation when it is needed.

    Raises:
        MissingExtra: a package that it needs is not installed.
    """
    try:
        return importlib.import_module(f"evals.{module}")
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "evals", "eval", say("quality-title")) from error


def findings(version: str, person: Person) -> "Findings":
    """Return what came of evaluating a version, as far as this person may know.

    Raises:
        VersionError: it was never evaluated, or what was stored of it is damaged.
        QuestionSetError: a question set is malformed.
    """
    return evals("visible").seen(_findings(frame.workspace(), version, stamp(version)), hidden(person))


def hidden(person: Person) -> "Hidden":
    """Return what this person may not see of questions and documents."""
    return _hidden(frame.workspace(), person.principals, stamp(""))


def history() -> list[dict[str, Any]]:
    """Return every evaluation that can be read, oldest first."""
    return _history(frame.workspace(), stamp(""))


def manifests() -> list[Mapping]:
    """Return what is known of each version, newest first; one that is damaged is left out."""
    return [one for one in reversed(frame.workspace().versions.manifests()) if "counts" in one]


@st.cache_resource(show_spinner=False, max_entries=8)
def _findings(_workspace: Any, version: str, stamp: str) -> "Findings":  # noqa: ARG001 - the stamp tells when it is old
    try:
        questions = evals("question_sets").workspace_questions(_workspace)
        return evals("findings").gather_again(_workspace, version, questions)
    except _DAMAGE as error:
        raise VersionError(say("quality-damaged", version=version, error=type(error).__name__)) from error


@st.cache_resource(show_spinner=False, max_entries=64)
def _hidden(_workspace: Any, principals: tuple[str, ...], stamp: str) -> "Hidden":  # noqa: ARG001
    stored, _ = evals("editing").stored_questions(_workspace)
    return evals("visible").hidden_from(_workspace, [one.question for one in stored], principals)


@st.cache_resource(show_spinner=False, max_entries=2)
def _history(_workspace: Any, stamp: str) -> list[dict[str, Any]]:  # noqa: ARG001
    path = evals("findings").history_path(_workspace)
    return [entry for entry in evals("history").read(path) if _whole(entry)]


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
    files += [workspace.settings.data / "evals" / "history.jsonl", *evals("question_sets").question_files(workspace)]
    return digest(str(home), version, *(f"{path}{_changed(path)}" for path in files))


def _changed(path: Path) -> str:
    try:
        stat = path.stat()
    except OSError:
        return "-"
    return f"{stat.st_mtime_ns} {stat.st_size}"
