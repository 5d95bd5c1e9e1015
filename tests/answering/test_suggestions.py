"""Questions that are suggested: of the documents, answered by them, and of nothing that the asker may not read."""

import json
from dataclasses import replace

import pytest

from rag_platform.answering.suggestions.question_suggestions import Suggestions, Topic
from rag_platform.answering.suggestions.templates import ABOUT, PHRASES
from rag_platform.config.settings import GeneratorSettings
from rag_platform.llm import OpenAICompatible
from rag_platform.pipeline.stages import Pipeline
from rag_platform.text.abstention import ABSTENTIONS
from rag_platform.workspace import open_workspace
from tests.chat_server import END, ROLE, chunk, serving

pytestmark = pytest.mark.slow
GUIDE = """# River guide

## Introduction

This guide is for wardens.

## Calibration

Each gauge is calibrated every spring by two wardens, who note the result in the station book.

## When does the ferry run?

The ferry at Alder Lock runs from six in the morning until dusk, except in floods.

## Flood warnings

A flood warning is sent when the river has risen by forty centimetres within one hour.
"""
SECRET = "# Vault\n\n## Who changes the code of the vault?\n\nThe treasurer changes the vault's code each Monday.\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, model_folder):
    home = tmp_path_factory.mktemp("suggestions")
    (home / "docs" / "closed").mkdir(parents=True)
    (home / "docs" / "guide.md").write_text(GUIDE)
    (home / "docs" / "closed" / "vault.md").write_text(SECRET)
    for name in ("a", "b"):
        (home / "docs" / f"{name}.md").write_text(f"# Note {name}\n\n## Introduction\n\nThis is the note {name}.\n")
    (home / "rag.toml").write_text(
        '[[sources]]\nid = "river"\nkind = "folder"\npath = "docs"\n'
        '[[sources.rules]]\nmatch = "closed/*"\nprincipals = ["group:treasury"]\n'
    )
    opened = open_workspace(home)
    pipeline = Pipeline(opened)
    pipeline.sync_source("river")
    opened.versions.promote(pipeline.build().version, "test")
    return opened


def asked(workspace, question):
    return workspace.journal.receipt(workspace.answerer.ask(question).receipt_id)


def test_examples_are_of_what_one_may_read_and_say_which_document(workspace):
    public, treasury = (workspace.suggestions.examples(who) for who in ((), ("group:treasury",)))
    assert "When does the ferry run?" in public, "a heading that is a question is one already"
    assert not any("vault" in one.lower() for one in public) and any("vault" in one.lower() for one in treasury)
    assert not any("Introduction" in one for one in treasury), "what many documents have tells of none"
    assert all(not workspace.answerer.ask(one).abstained for one in public)


def test_what_stands_beside_the_cited_passage_is_suggested_next(workspace):
    receipt = asked(workspace, "How often is a gauge calibrated?")
    found = workspace.suggestions.after(receipt)
    assert "When does the ferry run?" in found
    assert not any("Calibration" in one or "River guide" in one for one in found), "it was just answered"
    once = workspace.suggestions.after(receipt, asked=["WHEN does the ferry run?"])
    assert "When does the ferry run?" not in once
    assert workspace.suggestions.after(replace(receipt, abstained=True)) == []


def test_a_language_model_proposes_only_if_set_so_and_only_what_is_answered(workspace):
    receipt = asked(workspace, "How often is a gauge calibrated?")
    proposed = ["When is a flood warning sent?", "What is the boiling point of tungsten?", 7, ""]
    with serving() as model:
        model.script = [[ROLE, chunk(f"```json\n{json.dumps(proposed)}\n```"), *END], [ROLE, chunk("no list"), *END]]
        writer = OpenAICompatible(GeneratorSettings(base_url=model.address), pause=0.01)
        settings = workspace.settings.answer
        parts = (workspace.retriever, workspace.embedder)
        assert Suggestions(*parts, settings, writer).after(receipt) and model.requests == []
        by_model = Suggestions(
            *parts, settings.model_copy(update={"suggestions": "llm", "search_seconds": 300.0}), writer
        )
        assert by_model.after(receipt) == ["When is a flood warning sent?"]
        assert "When does the ferry run?" in by_model.after(receipt), "without a list the headings do"
        off = Suggestions(*parts, settings.model_copy(update={"suggestions": "off"}), writer)
        assert off.after(receipt) == [] == off.examples() and len(model.requests) == 2


def test_a_question_reads_in_the_documents_language():
    assert Topic("d", "Flüsse", "2.1 Pegel", "de").question == "Pegel: Was sollte ich wissen?"
    assert Topic("d", "Rivers", "3. How gauges are read", "en").question == "How are gauges read?"
    assert Topic("d", "Rivers", "rivers", "en").question == "What is “Rivers” about?"
    assert Topic("d", "029", "Gauges", "xx").question == "Gauges?"
    assert Topic("d", "Rivers", "Gauges", "fr").question == "Gauges : que faut-il savoir ?"
    assert set(ABOUT) == set(PHRASES) == set(ABSTENTIONS)
