"""The campaign for leaks asks every operation that there is: a new one is asked by itself, or somebody says why not."""

import pytest

from benchmarks.attack.api_operations import UNDESCRIBED, requests, undescribed
from rag_platform.api.application import application
from rag_platform.workspace import open_workspace


@pytest.fixture
def app(tmp_path):
    (tmp_path / "rag.toml").write_text('[[sources]]\nid = "teaching"\nkind = "upload"\n')
    return application(open_workspace(tmp_path))


def test_every_operation_is_asked_for_a_word_and_by_a_name(app) -> None:
    described = app.openapi()
    asked = {(method, path): given for method, path, given in requests(described, "the-word", "the-name")}
    every = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
    assert asked.keys() == every
    assert asked["GET", "/v1/suggestions"]["params"] == {"receipt": "the-name"}
    assert asked["POST", "/v1/check"]["json"] == {"claims": [{"claim": "the-word"}]}
    assert asked["GET", "/v1/shared/{token}"]["url"] == "/v1/shared/the-name"


def test_a_route_that_is_not_described_is_asked_otherwise_or_tells_nothing(app) -> None:
    assert undescribed(app) == UNDESCRIBED.keys()
    app.add_api_route("/v1/hearsay", lambda: "", include_in_schema=False)
    assert undescribed(app) - UNDESCRIBED.keys() == {"/v1/hearsay"}
