"""`rag doctor` says what readers of documents are kept from, and what that rests on."""

import pytest

from rag_platform.config.settings import Settings
from rag_platform.operations import doctor
from tests.documents.sandbox.test_confinement import pytestmark as confined


@confined
def test_what_holds_is_said():
    found = doctor._readers(Settings())
    assert found.level == "ok" and "network (seccomp" in found.found and "files (Landlock)" in found.found


@pytest.mark.parametrize(("protection", "level"), [("available", "hint"), ("required", "wrong")])
def test_what_is_missing_is_said(monkeypatch, protection, level):
    monkeypatch.setattr(doctor, "held_here", lambda: {"network": "", "files": "", "memory": "rlimit"})
    found = doctor._readers(Settings.model_validate({"documents": {"protection": protection}}))
    assert (found.level, found.found) == (
        level,
        "documents are not kept from: network, files; they are from: memory (rlimit)",
    )
