"""The library's port `Gate`, fulfilled by the workspace's questions: what a sync publishes by."""

from evals.candidate_evaluation import evaluate
from rag_platform.core.ports import Judgement, Progress, silent
from rag_platform.workspace import Workspace


class EvaluationGate:
    """Scores a version on the workspace's questions and compares it with the live one; fulfils `ports.Gate`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def judge(self, version: str, *, progress: Progress = silent) -> Judgement:
        """Judge a version against the live one; scores, verdict and report are stored with it."""
        made = evaluate(self._workspace, version, progress=progress)
        return Judgement(
            version,
            made.verdict.passed,
            made.verdict.reasons,
            questions=made.scores.questions.height,
            means=made.scores.means,
            report=made.report,
            sources=made.verdict.sources,
        )
