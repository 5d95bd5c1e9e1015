"""What people should know of a candidate from the questions that are really asked; it decides nothing."""

from collections.abc import Iterator

from evals.measures.scoring import Scores
from rag_platform.llm.client import OpenAICompatible
from rag_platform.trials.answer_comparison import compare_on, judge_of, summary
from rag_platform.trials.trial_report import in_words, trial_reports
from rag_platform.workspace import Workspace


def shadow_remarks(workspace: Workspace, version: str, live: Scores | None) -> Iterator[str]:
    """Compare a candidate with the live version on the shadow set, and tell what its trials showed."""
    if live is None or not (workspace.settings.data / "shadow.sqlite").exists():
        return
    settings = workspace.settings.shadow
    if questions := workspace.shadow_set.questions()[: settings.compared]:
        server = workspace.generator if settings.judged else None
        answerers = workspace.answerer_beside(live.version), workspace.answerer_beside(version)
        compared = list(compare_on(questions, *answerers, judge_of(server, settings.judged)))
        model = server.name if isinstance(server, OpenAICompatible) else None
        yield f"On {len(questions)} real questions (masked): {summary(compared, model)} This decides nothing."
    for report in trial_reports(workspace.trials, workspace.journal, version):
        yield f"On trial as {in_words(report)} This decides nothing."
