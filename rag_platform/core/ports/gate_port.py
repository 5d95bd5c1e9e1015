"""What we ask of the gate that judges versions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rag_platform.core.ports.progress_ports import Progress, silent


@dataclass(frozen=True, slots=True)
class SourceJudgement:
    """What a version does with one source, against the live one."""

    source: str
    passed: bool
    reasons: tuple[str, ...] = ()
    """In sentences for people; of a source that has too few questions also that."""
    questions: int = 0
    """How many rest on its documents."""
    lost: tuple[str, ...] = ()
    """Questions, by id, that lost their answer because of it: they rest on it, or its documents took their place."""
    measures: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    """(in the live version, in this one), over the questions that rest on it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a gate decided on a version, and the numbers that it rests on."""

    version: str
    passed: bool
    reasons: tuple[str, ...]
    """In sentences for people."""
    questions: int = 0
    """How many were scored."""
    means: Mapping[str, float] = field(default_factory=dict)
    """By measure."""
    report: str = ""
    """Markdown."""
    sources: Mapping[str, SourceJudgement] = field(default_factory=dict)
    """By source; those to which the loss is laid do not pass. All pass where it cannot be laid at one."""


class Gate(Protocol):
    """Decides whether a candidate version may be published."""

    def judge(self, version: str, *, progress: Progress = silent) -> Judgement:
        """Judge a version against the live one, and store the verdict with it (`Versions.record_evaluation`).

        The verdict is a JSON object with at least ``passed``, ``reasons`` and ``live``, the version that was live when
        it was judged, or None. A version that is not sound does not pass, whatever its scores.
        """
        ...
