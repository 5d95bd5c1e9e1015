"""A version on trial: it answers live traffic unseen, or a share of the sessions, until another becomes live."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.core.hits import Filters
from rag_platform.trials import live_traffic
from rag_platform.trials.answer_comparison import compare_on, judge_of, summary
from rag_platform.trials.live_traffic import DAMAGED, WAITING, drawn
from rag_platform.trials.trial_records import REPLACED
from rag_platform.workspace import Workspace, open_workspace
from tests.chat_server import serving, whole
from tests.index.corpora import file_of

CORVIN = "What does the ferry at Corvin cost?"
PENROSE = "What does the ferry at Penrose cost?"


def versions(workspace: Workspace) -> tuple[str, str]:
    live, other = workspace.versions.ids()
    return live, other


def test_a_shadow_answers_the_same_questions_and_records_numbers_alone(opened: Callable[..., Workspace]) -> None:
    workspace = opened()
    live, other = versions(workspace)
    trial = workspace.trials.begin("shadow", other)
    answers = [workspace.answerer.ask(question, asker="user:ada", session="ada") for question in (CORVIN, PENROSE)]
    workspace.answerer.ask(CORVIN)  # of a program that asks once
    workspace.live_traffic.wait()
    assert {answer.version for answer in answers} == {live}
    assert "canary" not in workspace.journal.find(answers[0].receipt_id).settings
    figures = workspace.trials.figures(trial)
    assert figures["questions"] == 2 and 0 < figures["overlap"] <= 1 and figures["judged"] == 0
    assert figures["same_first"] == 0.5, "the ferry at Corvin is no more"
    assert len(workspace.journal.receipts()) == 3, "what nobody is shown has no receipt"
    assert len(workspace.audit.events()) == 3
    for word in (b"Corvin", b"ada", b"crowns"):
        assert word not in workspace.shadow_set.path.read_bytes()


def test_it_reads_what_the_asker_reads(opened: Callable[..., Workspace]) -> None:
    workspace = opened()
    trial = workspace.trials.begin("shadow", versions(workspace)[1])
    for principals in ((), ("user:ilse",)):
        workspace.answerer.ask("Who is the warden Zebedee?", session="x", filters=Filters(principals=principals))
    workspace.live_traffic.wait()
    assert workspace.trials.figures(trial)["overlap"] == 1


def test_a_slow_or_failing_comparison_neither_slows_nor_breaks_an_answer(opened: Callable[..., Workspace]) -> None:
    workspace = opened()
    trial = workspace.trials.begin("shadow", versions(workspace)[1])
    begun, go_on = threading.Event(), threading.Event()

    def stuck(_: str) -> None:
        begun.set()
        go_on.wait(60)
        raise RuntimeError("the disk is gone")

    workspace.live_traffic._answerer_of = stuck
    answers = [workspace.answerer.ask(CORVIN, session="ada")]
    assert begun.wait(60)
    answers += [workspace.answerer.ask(PENROSE, session="ada") for _ in range(WAITING + 3)]
    assert all(answer.receipt_id for answer in answers), "each came while the first was stuck"
    workspace.live_traffic._answerer_of = workspace.answerer_beside
    go_on.set()
    workspace.live_traffic.wait()
    assert workspace.trials.figures(trial)["questions"] == WAITING
    assert workspace.trials.all()[0].dropped == 3


def test_nothing_is_compared_while_an_answer_is_written(opened: Callable[..., Workspace], monkeypatch) -> None:
    workspace = opened()
    trial = workspace.trials.begin("shadow", versions(workspace)[1])
    monkeypatch.setattr(live_traffic, "PATIENCE", 0.01)
    with workspace.live_traffic.underway():
        workspace.answerer.ask(CORVIN, session="ada")
        workspace.live_traffic.wait()
        assert workspace.trials.figures(trial)["questions"] == 0
    workspace.live_traffic._dropped = 0
    monkeypatch.setattr(live_traffic, "PATIENCE", 60)
    workspace.answerer.ask(CORVIN, session="ada")
    workspace.live_traffic.wait()
    assert workspace.trials.figures(trial)["questions"] == 1


def test_a_share_of_the_sessions_is_answered_from_a_canary(opened: Callable[..., Workspace]) -> None:
    workspace = opened()
    live, other = versions(workspace)
    trial = workspace.trials.begin("canary", other, share=0.3)
    sessions = [f"session {number}" for number in range(1000)]
    chosen = [session for session in sessions if workspace.live_traffic.version_for(session)]
    assert chosen == [session for session in sessions if drawn(trial, session)] and 240 < len(chosen) < 360
    inside, outside = chosen[0], next(session for session in sessions if session not in chosen)
    for _ in range(2):
        answer = workspace.answerer.ask(CORVIN, session=inside)
        assert answer.version == other
    receipt = workspace.journal.find(answer.receipt_id)
    assert receipt.settings["canary"] == receipt.version == other
    assert workspace.answerer.ask(CORVIN, session=outside).version == live
    assert workspace.answerer.ask(CORVIN).version == live
    assert workspace.retriever.search(CORVIN).version == live
    everybody = workspace.trials.begin("canary", other, share=1.0)
    assert all(map(workspace.live_traffic.version_for, sessions[:20]))
    assert [one.ended is None for one in workspace.trials.all()] == [True, False]
    assert workspace.trials.figures(everybody)["questions"] == 0


def test_a_canary_ends_with_any_move_of_the_pointer(opened: Callable[..., Workspace]) -> None:
    workspace = opened()
    live, other = versions(workspace)
    for move in (
        lambda: workspace.versions.promote(other, why="it is better"),
        lambda: workspace.versions.rollback(why="it is not"),
        lambda: workspace.trials.end(why="enough was seen"),
    ):
        tried = other if workspace.versions.live_id() == live else live
        if not workspace.versions.manifest(tried).get("verdict"):
            workspace.versions.record_evaluation(tried, {}, {"passed": True, "reasons": [], "live": None})
        workspace.trials.begin("canary", tried, share=1.0)
        assert workspace.live_traffic.version_for("ada") == tried
        assert tried in workspace.versions.pins()
        move()
        assert workspace.live_traffic.version_for("ada") is None
        assert workspace.versions.pins() == {}
    assert [trial.why for trial in workspace.trials.all()] == ["enough was seen", REPLACED, REPLACED]


def test_what_is_not_sound_answers_nobody(opened: Callable[..., Workspace], built) -> None:
    workspace = opened()
    live, other = versions(workspace)
    with pytest.raises(VersionError, match="is live"):
        workspace.trials.begin("canary", live, share=1.0)
    workspace.versions.record_evaluation(other, {}, {"passed": False, "reasons": ["worse."], "live": live})
    with pytest.raises(VersionError, match=r"passed the gate: worse\."):
        workspace.trials.begin("canary", other, share=1.0)
    assert workspace.trials.begin("shadow", other).version == other, "nobody is shown that"
    workspace.versions.record_evaluation(other, {}, {"passed": True, "reasons": [], "live": live})
    workspace.trials.begin("canary", other, share=1.0)
    catalog = file_of(workspace.versions.path(other), "catalog.duckdb")
    catalog.write_bytes(b"x" * catalog.stat().st_size)
    fresh = open_workspace(workspace.settings.home)
    fresh.embedder = workspace.embedder
    assert fresh.answerer.ask(CORVIN, session="ada").version == live
    assert {trial.kind: trial.why for trial in fresh.trials.all()}["canary"] == DAMAGED
    with pytest.raises(VersionError):
        fresh.trials.begin("shadow", other)


def test_there_is_nothing_to_try_before_the_first_publication(tmp_path) -> None:
    with pytest.raises(NothingPublished):
        open_workspace(tmp_path).trials.begin("shadow", "v1")


def test_a_broken_record_of_trials_breaks_no_answer(opened: Callable[..., Workspace]) -> None:
    workspace = opened()
    workspace.shadow_set.path.write_bytes(b"no database at all" * 1000)
    assert workspace.answerer.ask(CORVIN, session="ada").receipt_id


@contextmanager
def judging(better: Callable[[str, str], int]) -> Iterator[str]:
    """Run a server that judges two answers, shown first and second."""

    def judged(body):
        shown = body["messages"][-1]["content"]
        one, two = (shown.split(f'<source n="{n}">')[1].split("</source>")[0] for n in (1, 2))
        return whole(json.dumps({"judgements": [{"better": better(one, two)}]}))

    with serving() as server:
        server.script = [judged]
        yield server


@pytest.mark.parametrize(
    ("better", "counts"),
    [
        (lambda one, _: 1 if "crowns" in one else 2, [0, 1]),
        (lambda one, _: 2 if "crowns" in one else 1, [1, 0]),
        (lambda one, two: 1, [0, 0]),  # whatever is shown first
    ],
)
def test_a_language_model_is_asked_in_both_orders(opened: Callable[..., Workspace], better, counts) -> None:
    workspace = opened()
    live, other = versions(workspace)
    with judging(better) as server:
        settings = workspace.settings.generator.model_copy(update={"base_url": server.address})
        from rag_platform.llm import OpenAICompatible

        judge = judge_of(OpenAICompatible(settings, pause=0.0), most=1)
        made = list(compare_on([CORVIN, PENROSE], workspace.evaluator_of(live), workspace.evaluator_of(other), judge))
    assert [one.preferred for one in made].count(1) == counts[0]
    assert [one.preferred for one in made].count(-1) == counts[1]
    assert len(server.requests) == 2, (
        "the answers about Penrose are the same, and no more than one pair was to be judged"
    )
    said = summary(made, "tiny")
    assert f"Of 1 answers that differ, tiny prefers {counts[0]} of this version and {counts[1]} of the live one" in said
    unjudged = [replace(one, preferred=None) for one in made]
    assert "was not judged: there is no language model." in summary(unjudged, None)
