"""The gallery of kinds: each has a table that its settings accept, and says what it needs."""

import tomllib

import pytest

from rag_platform.config.source_kinds import BUILT_IN, settings_of
from rag_platform.operations import source_gallery as gallery
from rag_platform.operations.source_gallery import source_gallery


@pytest.fixture(scope="module")
def cards():
    return {card.name: card for card in source_gallery()}


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_kind_of_ours_is_shown_with_a_table_that_works(cards, name):
    card = cards[name]
    if not gallery.kind_of(name).example:
        pytest.skip("it has no example")
    [table] = tomllib.loads(card.example)["sources"]
    assert settings_of(table).kind == name
    assert set(card.required) <= table.keys()
    assert card.reads and not card.error


def test_what_is_not_installed_is_said_with_the_command(monkeypatch):
    monkeypatch.setattr(gallery, "PACKAGES", (("no-such-package", "dlt", "nothing"),))
    [missing] = [card.missing for card in source_gallery() if card.name == "dlt"]
    assert "pip install" in missing["dlt"] and "[dlt]" in missing["dlt"]


def test_a_package_that_cannot_be_loaded_is_shown_with_its_reason(monkeypatch):
    monkeypatch.setattr(gallery, "kind_names", lambda: ["broken"])
    monkeypatch.setattr(gallery, "kind_of", lambda name: (_ for _ in ()).throw(ValueError("it has no module x")))
    [card] = source_gallery()
    assert (card.name, card.error) == ("broken", "it has no module x")


def test_a_kind_without_an_example_is_outlined(monkeypatch):
    kind = gallery.kind_of("git")
    assert gallery._outline("git", kind) == '[[sources]]\nkind = "git"\nid = "git"\nurl = "…"'
