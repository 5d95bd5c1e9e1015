"""What is said to go with a collection, before it does."""

from rag_platform.operations.removal import plan_collection
from rag_platform.pipeline.sync import sync
from tests.api.published import publish
from tests.pipeline.fixed_gate import FixedGate


def test_answers_from_a_version_that_is_not_live_any_more_are_counted(tmp_path, tiny_embedder):
    workspace = publish(tmp_path, tiny_embedder)
    answer = workspace.answerer.ask("Who makes waves of half a metre?")
    assert any(one.uri.endswith("waves.md") for one in answer.citations)
    assert plan_collection(workspace, "teaching", "physics").answers == 1
    workspace.collections().remove("physics", "waves.md")
    assert sync(workspace, gate=FixedGate(workspace)).moved
    planned = plan_collection(workspace, "teaching", "physics")
    assert (planned.documents, planned.answers) == (0, 1)
