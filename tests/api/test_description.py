"""Requests made of the API's own description, to every route: none is answered by a fault of ours, nor otherwise."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from rag_platform.api.application import application
from rag_platform.people.tokens import Tokens
from tests.api.published import publish

_STARTS = {"begin_sync", "begin_evaluation", "begin_backup", "preview"}
"""They start processes; what they refuse is tested by hand."""
_CHECKED = [not_a_server_error, status_code_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def described(tmp_path_factory, tiny_embedder):
    workspace = publish(tmp_path_factory.mktemp("described"), tiny_embedder)
    token = Tokens(workspace.journal).create("boss", ["admin"])
    return schemathesis.openapi.from_asgi("/openapi.json", application(workspace)), token


def test_every_route_answers_as_it_is_described(described):
    schema, token = described
    operations = [one.ok() for one in schema.get_all_operations()]
    assert len(operations) >= 106
    for operation in operations:
        if operation.definition.raw["operationId"] in _STARTS:
            continue

        @settings(max_examples=2, phases=[Phase.generate], deadline=None, derandomize=True,
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(case=operation.as_strategy())
        def asked(case):
            answer = case.call(headers={"authorization": f"Bearer {token}"})
            case.validate_response(answer, checks=_CHECKED)

        asked()
