"""Claims, whoever wrote them, judged as the sentences of answers are."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.answering.claim_files.claim_rows import ClaimRow
from rag_platform.api.access import CurrentAsker, Served
from rag_platform.api.answers import count_request
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Question, RequestModel, Text
from rag_platform.api.problems import reply
from rag_platform.core.answers import State
from rag_platform.operations.asking.claim_checks import check_claims, claim_document


class _CheckRoute(JsonRoute):
    """A route that makes nothing, and quotes what its caller may read just now: nothing of that is kept."""

    once = False


router = APIRouter(prefix="/v1", route_class=_CheckRoute, tags=["search and ask"])
MOST = 100


class Claim(RequestModel):
    """A claim, and what it is held to."""

    claim: Question
    source: Text = Field("", description="The text that should support it; without one, the documents.")
    question: Text = Field("", description="What it answers; without a source, what is searched for.")


class ClaimsRequest(RequestModel):
    """The claims that are to be judged."""

    claims: Annotated[list[Claim], Field(min_length=1, max_length=MOST)]


class JudgedClaimDocument(BaseModel):
    """A claim, and its state: of several sentences the worst counts."""

    claim: str
    state: State
    probability: float | None = Field(description="Of being supported; null: not estimated.")
    check: str
    quotes: list[str] = Field(description="What supports it, or what denies it.")
    warnings: list[str]


class ClaimsDocument(BaseModel):
    """The claims, in their order."""

    claims: list[JudgedClaimDocument]


@router.post("/check", response_model=ClaimsDocument)
def check(workspace: Served, caller: CurrentAsker, given: ClaimsRequest) -> Response:
    """Judge claims by their sources, or by the documents that the caller may read; each counts as a search."""
    rows = [ClaimRow(number, one.claim, one.source, one.question) for number, one in enumerate(given.claims, 1)]
    count_request(workspace, caller, "searches", len(rows))
    judged = map(claim_document, check_claims(workspace, rows, caller.principals))
    return reply({"claims": [{name: one[name] for name in JudgedClaimDocument.model_fields} for one in judged]})
