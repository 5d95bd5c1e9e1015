"""Real questions are kept with leave, masked, for a while, and no longer than their receipts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from rag_platform.core.hits import Filters
from rag_platform.trials.masking import masked
from rag_platform.workspace import Workspace

ON = "[shadow]\nsample = 1.0\n"
ASSUMED = ON + 'leave = "assumed"\n'
QUESTION = "What does the ferry cost on weekdays?"


def ask(workspace: Workspace, question: str = QUESTION, asker: str = "user:ada", **options: object) -> str:
    receipt = workspace.answerer.ask(question, asker=asker, session=asker, **options).receipt_id
    workspace.live_traffic.wait()
    return receipt


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        (QUESTION, QUESTION),
        ("Does Jane Roe pay crowns for the ferry on weekdays?", "Does … … … crowns for the ferry on weekdays?"),
        ("What does the ferry cost? Tell ferry@crowns.example", "What does the ferry cost? … …"),
        ("Is the ferry two crowns? Call +44 20 7946 0958", "Is the ferry two crowns? … …"),
        ("What does Zebedee earn?", None),
        ("Jane Roe?", None),
        ("", None),
    ],
)
def test_only_what_public_passages_have_in_common_stays(
    opened: Callable[..., Workspace], question: str, kept: str | None
) -> None:
    workspace = opened()
    assert masked(question, workspace.versions.live().view(())) == kept


def test_nothing_is_kept_unless_it_is_switched_on_and_allowed(opened: Callable[..., Workspace]) -> None:
    workspace = opened()
    ask(workspace)
    assert not workspace.shadow_set.path.exists()
    workspace = opened(ON)
    ask(workspace)
    assert workspace.shadow_set.questions() == []
    workspace.shadow_set.decide("user:ada", given=True)
    receipt = ask(workspace)
    assert workspace.shadow_set.questions() == [QUESTION]
    held = workspace.shadow_set.path.read_bytes()
    assert b"ada" not in held and receipt.encode() not in held
    workspace.shadow_set.decide("user:ada", given=False, receipts=[receipt])
    ask(workspace, "What does the ferry at Penrose cost?")
    assert workspace.shadow_set.questions() == []


def test_where_leave_is_assumed_who_refused_is_not_sampled(opened: Callable[..., Workspace]) -> None:
    workspace = opened(ASSUMED)
    workspace.shadow_set.decide("token:kiosk", given=False)
    ask(workspace, asker="", who="token:kiosk")
    ask(workspace, filters=Filters(sources=("river",)))
    workspace.answerer.ask(QUESTION)  # of no session: a program that asks once and ends
    workspace.live_traffic.wait()
    assert workspace.shadow_set.questions() == []
    ask(workspace, asker="", who="token:shop")
    ask(workspace)
    assert workspace.shadow_set.questions() == [QUESTION], "each is kept once"


def test_what_is_old_or_too_many_goes(opened: Callable[..., Workspace]) -> None:
    workspace = opened(ASSUMED + "questions = 2\nkeep_days = 10\n")
    now = datetime(2026, 3, 1, tzinfo=UTC)
    for age, question in ((40, "oldest"), (9, "older"), (8, "old"), (0, "new")):
        workspace.shadow_set.add(question, question, now - timedelta(days=age))
    assert set(workspace.shadow_set.questions(now)) == {"old", "new"}
    assert workspace.shadow_set.questions(now + timedelta(days=5)) == ["new"]


def test_a_share_is_sampled_and_the_same_one(opened: Callable[..., Workspace]) -> None:
    workspace = opened("[shadow]\nsample = 0.25\n")
    chosen = [number for number in range(2000) if workspace.shadow_set.sampled(str(number))]
    assert 400 < len(chosen) < 600
    assert all(workspace.shadow_set.sampled(str(number)) for number in chosen)
