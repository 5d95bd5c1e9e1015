"""Questions for the evaluation that people's judgements propose: of answers found bad, or better, and of abstentions.

A proposal is a receipt that was judged, so forgetting a document or a person takes it along. It waits until an editor
accepts it into a question set (`evals.questions.accepted_feedback`) or dismisses it.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from rag_platform.core.answers import Citation
from rag_platform.core.errors import NotFound
from rag_platform.core.principals import limits
from rag_platform.index.releases.versions import Versions
from rag_platform.journal.permissions import unreadable
from rag_platform.journal.receipts import Receipt, receipt_of
from rag_platform.storage.relational.app_database import Database, Row

State = Literal["open", "accepted", "dismissed"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question that somebody asked, with what they thought of its answer."""

    receipt: Receipt
    good: bool
    reason: str
    """One of `journal.REASONS`; empty: none was given."""
    comment: str
    judged_at: datetime
    state: State

    @property
    def id(self) -> str:
        """The receipt's id."""
        return self.receipt.id

    @property
    def question(self) -> str:
        """The question, so that it can be understood without its chat."""
        return self.receipt.standalone or self.receipt.question

    @property
    def version(self) -> str:
        """The version that answered."""
        return self.receipt.version

    @property
    def cited(self) -> tuple[Citation, ...]:
        """What the answer cites; none for an abstention."""
        return self.receipt.citations

    @property
    def answerable(self) -> bool:
        """Whether the documents hold an answer, as far as the judgement tells: not where declining was right."""
        return not (self.receipt.abstained and self.good)


class Proposals:
    """The proposals of a journal."""

    def __init__(self, journal: Database, versions: Versions) -> None:
        """Read permissions from `versions`."""
        self._journal = journal
        self._versions = versions

    def list(self, principals: Sequence[str] = (), state: State = "open", limit: int = 200) -> list[Proposal]:
        """Return the proposals in that state, newest first, that rest on nothing which these principals may not read.

        Who is limited to collections sees none that found nothing, unless it was asked of these alone. Of several
        judgements of an answer the last one counts.
        """
        found: list[Proposal] = []
        with self._journal.reading() as connection:
            rows = connection.execute(f"{_ALL} where state = ? order by given_at desc", (state,))
            while len(found) < limit and (some := [_proposal(row) for row in rows.fetchmany(limit)]):
                found += self._open_to(some, principals)
        return found[:limit]

    def count(self) -> int:
        """Return how many wait for a decision, whoever may read them."""
        with self._journal.reading() as connection:
            return int(connection.execute("select count(*) from proposals where state = 'open'").fetchone()[0])

    def find(self, prefix: str, principals: Sequence[str] = ()) -> Proposal:
        """Return the proposal whose id begins with `prefix`.

        Raises:
            NotFound: there is none that these principals may read, or more than one.
        """
        with self._journal.reading() as connection:
            rows = connection.execute(
                f"{_ALL} where substr(proposals.receipt_id, 1, length(:id)) = :id limit 2", {"id": prefix}
            ).fetchall()
        found = [_proposal(row) for row in rows]
        if len(found) == 1 and self._open_to(found, principals):
            return found[0]
        which = "several proposed questions have" if len(found) > 1 else "no proposed question has"
        raise NotFound(f"{which} an id that begins with {prefix!r}; `rag questions proposed` lists them")

    def _open_to(self, proposals: Sequence[Proposal], principals: Sequence[str]) -> Sequence[Proposal]:
        """Return those that these principals may see."""
        documents = {doc_id for proposal in proposals for doc_id in proposal.receipt.documents}
        hidden, limited = unreadable(self._versions, documents, principals), limits(principals)
        seen = [one for one in proposals if not one.receipt.documents & hidden]
        return [one for one in seen if _lies_within(one.receipt, limited)] if limited else seen

    def dismiss(self, proposal_id: str, who: str = "") -> None:
        """Decide that no question is made of a proposal; `NotFound` when there is none that waits."""
        self.settle(proposal_id, "dismissed", who)

    def settle(self, proposal_id: str, state: State, who: str = "") -> None:
        """Store the decision on a proposal, and who took it; `NotFound` when there is none of that id that waits."""
        with self._journal.writing() as connection:
            settled = connection.execute(
                "update proposals set state = ?, settled_by = ?, settled_at = ? "
                "where receipt_id = ? and state = 'open'",
                (state, who, datetime.now(UTC).isoformat(), proposal_id),
            )
            if not settled.rowcount:
                raise NotFound(f"no proposed question {proposal_id!r} waits; `rag questions proposed` lists them")


_JUDGED = """(select receipt_id, good, reason, comment, given_at from feedback
union all select better, true, '', '', given_at from preferred_answers)"""
_ALL = f"""select receipts.*, judged.good, judged.reason, judged.comment, judged.given_at, state from proposals
join receipts on receipts.id = proposals.receipt_id
join {_JUDGED} as judged on judged.receipt_id = proposals.receipt_id and judged.given_at =
    (select max(given_at) from {_JUDGED} as others where others.receipt_id = proposals.receipt_id)"""


def _lies_within(receipt: Receipt, limited: Set[str]) -> bool:
    """Return whether a receipt, whose documents may be read, tells of these collections: by them, or where it asked."""
    asked = {*receipt.filters.get("collections", ())} or limits(receipt.filters.get("principals", ()))
    return bool(receipt.documents) or bool(asked and asked <= limited)


def _proposal(row: Row) -> Proposal:
    judged = datetime.fromisoformat(row["given_at"])
    return Proposal(receipt_of(row), bool(row["good"]), row["reason"], row["comment"], judged, row["state"])
