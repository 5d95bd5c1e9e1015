"""The page's words: each is there, each is used, and a language may lack some."""

import ast
import re
from datetime import datetime
from pathlib import Path

import pytest
from fluent.syntax import ast as fluent
from fluent.syntax import parse
from fluent.syntax.serializer import FluentSerializer
from fluent.syntax.visitor import Visitor

from app import texts
from app.texts import say, say_html

APP = Path(texts.__file__).resolve().parents[1]
LANGUAGES = sorted(path.name for path in (APP / "texts").iterdir() if any(path.glob("*.ftl")))


def messages_of(language):
    return {
        entry.id.name: (path, entry)
        for path in sorted((APP / "texts" / language).glob("*.ftl"))
        for entry in parse(path.read_text(encoding="utf-8")).body
        if isinstance(entry, fluent.Message)
    }


MESSAGES = messages_of("en")


def calls():
    """Yield every call of `say` and `say_html`: where it is, its key or the beginning of one, and its values."""
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "say_html"):
                yield path.name, node.args[0], {keyword.arg for keyword in node.keywords}


def test_every_file_is_read_whole():
    for path in (APP / "texts").rglob("*.ftl"):
        junk = [entry for entry in parse(path.read_text(encoding="utf-8")).body if isinstance(entry, fluent.Junk)]
        assert not junk, f"{path}: {junk[0].content}"


def test_every_text_that_is_said_is_there_with_its_values():
    for where, key, given in calls():
        if not isinstance(key, ast.Constant):
            continue
        assert key.value in MESSAGES, f"{where} says {key.value!r}, which is in no file of app/texts/en"
        needed = values_of(MESSAGES[key.value][1])
        assert None in given or needed == given, f"{where} says {key.value!r} with {given}; it needs {needed}"


def test_every_text_is_said_somewhere():
    nodes = [node for path in APP.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    whole = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    firsts = [node.values[0] for node in nodes if isinstance(node, ast.JoinedStr) and node.values]
    begun = tuple(
        first.value for first in firsts if isinstance(first, ast.Constant) and re.fullmatch(r"[a-z-]+-", first.value)
    )
    assert not [key for key in MESSAGES if key not in whole and not key.startswith(begun)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_there_twice(language):
    keys = [
        entry.id.name
        for path in (APP / "texts" / language).glob("*.ftl")
        for entry in parse(path.read_text(encoding="utf-8")).body
        if isinstance(entry, fluent.Message)
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_a_translation_has_the_values_tags_and_addresses_of_its_original(language):
    for key, (path, message) in messages_of(language).items():
        if key == texts.UNREAD:
            continue
        assert key in MESSAGES, f"{path} has {key}, which is in no file of app/texts/en"
        original = MESSAGES[key][1]
        assert values_of(message) == values_of(original), f"{path}: {key}"
        assert fixed_of(message) == fixed_of(original), f"{path}: {key}"


def fixed_of(message):
    """Return what a translation leaves as it is: tags, commands and names in code."""
    text = FluentSerializer().serialize_entry(message)
    return set(re.findall(r"<[^>]+>|`[^`]+`|(?<=<code>)[^<{]+", text))


@pytest.mark.parametrize(
    ("language", "moment"),
    [
        ("en", "4 March 2026, 09:05"),
        ("de", "4. März 2026, 09:05"),
        ("es", "4 de marzo de 2026, 09:05"),
        ("hi", "4 मार्च 2026, 09:05"),
        ("ne", "2026 मार्च 4, 09:05"),
        ("zh", "2026年3月4日, 09:05"),
    ],
)
def test_a_day_is_said_as_its_language_says_it(language, moment, monkeypatch):
    monkeypatch.setattr(texts, "spoken", lambda: language)
    assert texts.say_moment(datetime(2026, 3, 4, 9, 5)) == moment


def values_of(message):
    class Values(Visitor):
        def __init__(self):
            self.found = set()

        def visit_VariableReference(self, node):  # noqa: N802 - the visitor names it
            self.found.add(node.id.name)

    values = Values()
    values.visit(message)
    return values.found


def test_values_are_escaped_where_html_is_said():
    assert "<h3>This did not work</h3>&lt;b&gt;" in say_html("frame-failed", reason="<b>")
    assert say("frame-too-many", kind="questions", seconds=1).endswith("a second.")
    assert say("frame-version", version="1", since="", documents=12_000).endswith("12,000 documents")


def test_what_is_not_there_or_not_given_is_an_error():
    with pytest.raises(KeyError, match="no text 'frame-nonsense'"):
        say("frame-nonsense")
    with pytest.raises(KeyError, match="frame-failed"):
        say("frame-failed")


def test_another_language_is_spoken_and_english_where_it_lacks_a_text(tmp_path, monkeypatch):
    for language, text in (("en", "frame-ask = Ask\nframe-search = Search\n"), ("de", "frame-ask = Fragen\n")):
        (tmp_path / language).mkdir()
        (tmp_path / language / "frame.ftl").write_text(text)
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    monkeypatch.setattr(texts, "spoken", lambda: "de")
    texts._bundle.cache_clear()
    try:
        assert say("frame-ask") == "Fragen" and say("frame-search") == "Search"
    finally:
        texts._bundle.cache_clear()
