"""The words of a version as they are written: which there are, and which chunks hold them."""

import pytest

from rag_platform.index.vocabulary import Vocabulary, VocabularyWriter

TEXTS = ["Liquor, LIQUORS and the Café", "a café; liquorice", "getUser old_weir e-mail", "我们的城市 liquor", ""]


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    folder, writer = tmp_path_factory.mktemp("words") / "vocabulary", VocabularyWriter()
    for text in TEXTS:
        writer.add(text)
    writer.write(folder)
    return Vocabulary(folder)


@pytest.mark.parametrize(
    ("part", "ends", "words"),
    [
        ("quor", {}, ["liquor", "liquorice", "liquors"]),
        ("liquor", {"ends": True}, ["liquor"]),
        ("or", {"begins": True}, []),
        ("old", {"begins": True, "ends": True}, ["old"]),
        ("a", {"begins": True}, ["a", "and"]),
        ("caf", {}, ["cafe"]),
        ("我们", {}, []),
        ("", {"begins": True, "ends": True}, []),
    ],
)
def test_words_are_found_by_their_parts(vocabulary, part, ends, words) -> None:
    assert list(vocabulary.words(part, vocabulary.postings, **ends)) == words
