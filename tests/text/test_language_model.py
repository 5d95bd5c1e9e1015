"""The unpacked classifier is the packed one, and is unpacked once."""

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from rag_platform.text import language_model
from rag_platform.text.language_model import open_classifier

TEXTS = (
    "Wie füge ich eine Quelle hinzu?",
    "How do I add a source?",
    "Как добавить источник?",
    "ソースを追加するには",
    "",
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_it_ranks_as_the_packed_one_does_and_is_unpacked_once(cache, monkeypatch):
    packed, first = LanguageIdentifier.from_model_file(MODEL_FILE), open_classifier()
    monkeypatch.setattr(language_model, "load_model", None)
    second = open_classifier()
    for text in TEXTS:
        assert packed.rank(text) == first.rank(text) == second.rank(text)
    second.set_languages(("de", "en"))
    packed.set_languages(("de", "en"))
    assert packed.rank(TEXTS[0]) == second.rank(TEXTS[0])


def test_a_damaged_file_is_unpacked_anew(cache):
    open_classifier()
    (path,) = (cache / "languages").iterdir()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert open_classifier().rank("Where is it?")[0][0] == "en"
    assert [one.read_bytes() != bytes(content) for one in (cache / "languages").iterdir()] == [True]


def test_where_nothing_can_be_written_it_is_unpacked_each_time(cache):
    cache.write_text("a file where the folder would be")
    assert open_classifier().rank("Where is it?")[0][0] == "en"
