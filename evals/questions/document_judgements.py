"""Which questions of a workspace's sets rest on one document."""

from collections.abc import Iterator
from dataclasses import dataclass

from evals.questions.labels import locate
from evals.questions.sets import workspace_questions
from rag_platform.core.errors import NothingPublished
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class DocumentJudgement:
    """A question of which a label names the document."""

    id: str
    question: str
    label: str
    """``<question id>#<place in its list>``."""
    quote: str
    found: bool
    """Whether the quote stands in the live version's text of the document."""


def judgements_of_document(workspace: Workspace, doc_id: str, uri: str) -> Iterator[DocumentJudgement]:
    """Yield the labels that name a document, by its address or the end of it, as the gate reads them."""
    questions = {question.id: question for question in workspace_questions(workspace)}
    try:
        documents = workspace.versions.live().documents()
    except NothingPublished:
        return
    for label in locate(questions.values(), documents):
        named = label.relevant.uri
        found = any(span.doc_id == doc_id for span in label.spans)
        if found or (not label.spans and (uri == named or uri.endswith("/" + named.lstrip("/")))):
            question = questions[label.question_id]
            yield DocumentJudgement(question.id, question.question, label.id, label.relevant.quote, found)
