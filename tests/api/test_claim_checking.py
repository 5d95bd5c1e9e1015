"""Claims judged, and questions suggested, over the API: by what the caller may read."""

import pytest

from tests.api.published import QUESTION, client_of, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("claims"), tiny_embedder)


def _states(client, *claims):
    return [one["state"] for one in client.post("/v1/check", json={"claims": [*claims]}).json()["claims"]]


def test_claims_are_held_to_their_source_or_to_the_documents(workspace):
    client = client_of(workspace)
    beside = {"claim": "The tram runs until ten.", "source": "The tram runs until ten."}
    of_documents = {"claim": "The ferry runs from six until dusk."}
    assert _states(client, beside, of_documents) == ["quoted", "quoted"]
    (told,) = client.post("/v1/check", json={"claims": [of_documents]}).json()["claims"]
    assert told["claim"] == of_documents["claim"] and "six until dusk" in told["quotes"][0]


def test_what_the_caller_may_not_read_supports_nothing(workspace):
    claim = {"claim": "The ferry warden earns nine crowns."}
    board, public = client_of(workspace, principals=("group:board",)), client_of(workspace)
    assert _states(board, claim) == ["quoted"]
    hidden = public.post("/v1/check", json={"claims": [claim]}).json()["claims"][0]
    assert hidden["state"] != "quoted" and "nine crowns" not in str(hidden["quotes"])


def test_no_claims_and_too_many_are_refused(workspace):
    client = client_of(workspace)
    for claims in ([], [{"claim": "x"}] * 101, [{"claim": " "}]):
        assert client.post("/v1/check", json={"claims": claims}).status_code == 400
    assert client_of(workspace, "read").post("/v1/check", json={"claims": [{"claim": "x"}]}).status_code == 403


def test_questions_are_suggested_to_begin_and_after_an_answer(workspace):
    ilse, asha = client_of(workspace), client_of(workspace)
    assert isinstance(ilse.get("/v1/suggestions").json()["questions"], list)
    receipt = ilse.post("/v1/ask", json={"question": QUESTION}).json()["receipt_id"]
    after = ilse.get("/v1/suggestions", params={"receipt": receipt})
    assert after.status_code == 200 and "nine crowns" not in after.text
    assert asha.get("/v1/suggestions", params={"receipt": receipt}).status_code == 404
