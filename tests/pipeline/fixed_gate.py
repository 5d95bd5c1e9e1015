"""A gate whose decision is given: the port's deterministic fake."""

from dataclasses import dataclass, field

from rag_platform.core.ports import Judgement, Progress, silent
from rag_platform.workspace import Workspace


@dataclass
class FixedGate:
    """Passes or refuses every version; fulfils `ports.Gate`."""

    workspace: Workspace
    passes: bool = True
    judged: list[str] = field(default_factory=list)
    """The versions, in their order."""

    def judge(self, version: str, *, progress: Progress = silent) -> Judgement:
        """Decide, and store the verdict with the version."""
        self.judged.append(version)
        verdict = {"passed": self.passes, "reasons": ["as given"], "live": self.workspace.versions.live_id()}
        self.workspace.versions.record_evaluation(version, {}, verdict)
        return Judgement(version, self.passes, ("as given",))
