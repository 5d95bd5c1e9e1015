"""Any two versions of a workspace to the questions that changed between them."""

from evals.candidate_evaluation import score_version
from evals.measures.queries import retrieval_settings
from evals.measures.scoring import Scores
from evals.questions.question import Question, fingerprint
from evals.questions.sets import workspace_questions
from evals.report.attribution import QuestionChange, attribute
from evals.report.ranked_runs import EvaluatedVersion
from rag_platform.core.ports import Progress, silent
from rag_platform.index.releases.version_diff import Difference
from rag_platform.workspace import Workspace


def question_changes(
    workspace: Workspace, before: str, after: str, made: Difference, *, progress: Progress = silent
) -> list[QuestionChange]:
    """Tell what changed for each question of the workspace, the greatest loss first.

    Hits that are stored with a version count if they are of today's questions, with whatever retrieval settings they
    were found; a version without any is searched anew, and nothing is written.
    """
    questions = workspace_questions(workspace)
    if not questions:
        return []
    then, now = (_evaluated(workspace, version, questions, progress) for version in (before, after))
    return attribute(questions, then, now, made, metric=workspace.settings.gate.metric)


def _evaluated(
    workspace: Workspace, version: str, questions: tuple[Question, ...], progress: Progress
) -> EvaluatedVersion:
    opened = workspace.versions.open(version)
    stored = workspace.versions.manifest(version).get("scores")
    if stored and stored.get("fingerprint") == fingerprint(questions) and "settings" in stored:
        return EvaluatedVersion(opened, Scores.from_dict(stored), stored["settings"]["retrieval"])
    scores = score_version(workspace, version, questions, progress=progress)
    return EvaluatedVersion(opened, scores, retrieval_settings(workspace))
