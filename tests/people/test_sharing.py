"""Assistants and prompts: whose they are, who may use them, what is kept of them."""

import pytest

from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.journal.journal import Journal
from rag_platform.people.sharing.assistants import LONGEST_INSTRUCTIONS, Assistant
from rag_platform.people.sharing.question_templates import QuestionTemplate
from rag_platform.people.sharing.shelf import Shelf


@pytest.fixture
def shelf(database):
    return Shelf(Journal(database), "assistant", Assistant)


def test_an_assistant_is_its_owners_and_whom_it_is_shared_with(shelf):
    made = shelf.put("ann", " Onboarding\nhelper! ", Assistant("Begins", starters=("When?",)), ["group:new"])
    assert made == "onboarding-helper"
    found = shelf.find(made, {"bob", "group:new"})
    assert (found.name, found.body.starters, found.readers) == ("Onboarding helper!", ("When?",), ("group:new",))
    assert shelf.find(made, {"bob", "*"}) is None and shelf.of({"bob"}) == []
    assert [one.id for one in shelf.of({"ann"})] == [made]
    for change in (lambda: shelf.put("bob", "Mine", Assistant(), [], made), lambda: shelf.remove(made, "bob")):
        with pytest.raises(NotFound, match="of yours"):
            change()
    assert shelf.put("bob", "Onboarding helper", Assistant()) == "onboarding-helper-2"
    assert shelf.put("ann", "Renamed", Assistant(), [], made) == made, "its address stays"
    back = shelf.remove("onboarding-helper-2", "bob")
    assert [one.id for one in shelf.of({"ann", "bob"})] == [made]
    back()
    assert [one.id for one in shelf.of({"ann", "bob"})] == ["onboarding-helper-2", made]


def test_what_is_kept_is_clean_and_has_an_end(shelf):
    with pytest.raises(SettingsError, match="no name"):
        shelf.put("ann", " \n", Assistant())
    assert shelf.put("ann", "مساعد", Assistant()) == "مساعد"
    assert shelf.put("ann", "<script>alert(1)</script>" * 9, Assistant()).isascii()
    assert shelf.put("ann", "??", Assistant()) == "assistant"
    long = Assistant("x\n" * 900, "y" * 99_999, ("a", "a"), "", ("q",) * 50 + ("",)).trimmed()
    assert len(long.about) <= 300 and len(long.instructions) == LONGEST_INSTRUCTIONS
    assert long.collections == ("a",) and long.starters == ("q",) * 6


def test_a_template_asks_for_its_gaps_once_and_leaves_braces_of_values_alone():
    template = QuestionTemplate("Compare {{one}} with {{ other }} for {{one}}, in {year}. {{}}")
    assert template.gaps == ("one", "other")
    filled = template.filled({"one": "{{other}}", "other": " b "})
    assert filled == "Compare {{other}} with b for {{other}}, in {year}. {{}}"
