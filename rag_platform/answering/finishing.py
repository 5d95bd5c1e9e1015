"""What was written of the hits of a search -> an answer to be shown: checked, cited, with nothing that leads away."""

from collections.abc import Callable
from dataclasses import replace

from rag_platform.answering.citations.claim_checks import Check
from rag_platform.answering.citations.verification import verify
from rag_platform.answering.coverage import Weight
from rag_platform.answering.sanitizing import known_of, sanitize
from rag_platform.config.settings import Unsupported
from rag_platform.core.answers import Answer
from rag_platform.core.generation import Outcome
from rag_platform.core.ports import Embedder
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.abstention import abstains, abstention


def verified(
    found: SearchResult,
    said: str,
    outcome: Outcome,
    *,
    embedder: Embedder,
    weight: Callable[[SearchResult], Weight],
    check: Check | None,
    unsupported: Unsupported,
) -> Answer:
    """Return the answer, without a receipt yet.

    Args:
        found: what it was written from.
        said: what the generator wrote.
        outcome: what the generator told besides.
        embedder: judges the meaning of claims.
        weight: gives the rarity of words in the version that was searched.
        check: a model that looks again; None: none does.
        unsupported: what becomes of sentences that no source supports.
    """
    known = known_of(found.hits)
    answer = Answer(
        question=found.question,
        answer=said,
        abstained=True,
        citations=(),
        version=found.version,
        model=outcome.model,
        receipt_id="",
        hits=found.hits,
        warnings=outcome.warnings,
        reasoning=sanitize(outcome.reasoning, known=known),
    )
    if not found.hits or abstains(said):
        return replace(answer, answer=said if not found.hits else abstention(found.question))
    checked = verify(said, found.hits, embedder, weight(found), check=check, unsupported=unsupported)
    text = sanitize(checked.text, {citation.uri for citation in checked.citations}, known)
    return replace(
        answer,
        answer=text or abstention(found.question),
        abstained=not text,
        citations=checked.citations,
        warnings=(*outcome.warnings, *(sanitize(warning, known=known) for warning in checked.warnings)),
        unsupported=len(checked.unsupported),
        claims=checked.claims,
    )
