"""Words of many scripts to terms."""

import pytest

from rag_platform.text.analysis import exact_terms, index_terms, query_terms, question_terms, terms
from rag_platform.text.analysis.selftest import broken_languages
from rag_platform.text.analysis.stemming import stems


def test_no_word_is_stemmed_sooner_because_a_text_has_it() -> None:
    stems("en")["zarkovians"]
    assert stems("en")._stemmer.maxCacheSize == 0, "the stemmer keeps words that it has met"
    assert stems("en").anew("zarkovians") == "zarkovian" and "unheards" not in stems("en")
    assert question_terms("unheards zarkovians", "en") == ["unheard", "zarkovian"] and "unheards" not in stems("en")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Running dogs' houses", "en", ["run", "dog", "hous"]),
        ("क्षेत्र में कृषि।", "und", ["क्षेत्र", "में", "कृषि"]),
        ("वर्ष २०७२", "ne", ["वर्ष", "2072"]),
        ("東京都庁", "ja", ["東京", "京都", "都庁"]),
        ("北京", "zh", ["北京"]),
        ("山", "zh", ["山"]),
        ("서울에서", "ko", ["서울", "울에", "에서"]),
        ("naïve café", "und", ["naive", "cafe"]),
        ("ﬁnance Ｆｕｌｌ", "und", ["finance", "full"]),
        ("snake_case v2.1", "und", ["snake", "case", "v2", "1"]),
        ("Python製のツール", "ja", ["python", "製の", "のツ", "ツー", "ール"]),
        ("laufenden Läufe", "de", ["laufend", "lauf"]),
        ("كِتَابٌ الكتـــاب", "ar", ["کتاب", "کتاب"]),
        ("שָׁלוֹם", "he", ["שלום"]),
        ("วัดที่", "th", ["วัด", "ดที่"]),
        ("ภาษา ๒๕๖๗", "th", ["ภา", "าษ", "ษา", "2567"]),
        ("ស្ត្រី", "km", ["ស្ត្រី"]),
        ("!!! …", "en", []),
        ("", "en", []),
    ],
)
def test_terms(text: str, language: str, expected: list[str]) -> None:
    assert terms(text, language) == expected


def test_nasals_of_devanagari_are_one_however_they_are_written() -> None:
    assert len({*terms("हिन्दी हिंदी हिँदी", "hi")}) == 1
    assert terms("राम्रो", "ne") == ["राम्रो"]


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("ประเทศไทย", "ราชอาณาจักรประเทศไทย", "th"),
        ("山", "泰山很高", "zh"),
        ("책", "책을 읽다", "ko"),
        ("get_user", "def getUser(): ...", "en"),
        ("getUser", "def get_user(): ...", "en"),
        ("email", "Send an e-mail.", "en"),
        ("wi-fi", "The wifi password", "en"),
        ("Straßenbahn", "an der Strassenbahnhaltestelle", "de"),
        ("databases", "Databasesを使う database", "ja"),
    ],
)
def test_what_is_asked_otherwise_is_found(question: str, text: str, language: str) -> None:
    found = {term for variants in query_terms(question, [language]) for term in variants}
    assert found & {*index_terms(text, language)}


def test_every_language_of_the_self_test_works() -> None:
    assert broken_languages() == []


def test_what_is_added_to_the_index_does_not_come_between_words() -> None:
    text = "Der getUser im Straßenbahnwagen 北京"
    assert index_terms(text, "de")[: len(terms(text, "de"))] == terms(text, "de")


def test_each_word_of_a_question_has_a_variant_per_language_that_writes_like_it() -> None:
    assert query_terms("running dogs", ["en", "hi", "ru"]) == {("run",): 1, ("dog",): 1}
    assert query_terms("Häuser", ["de", "en"]) == {("haus", "hauser"): 1}


def test_a_certain_question_is_analysed_in_its_language() -> None:
    question = "Welche Städte liegen an den Ufern der großen Flüsse?"
    assert query_terms(question, ["de", "en", "es"]) == query_terms(question, ["de"])


def test_words_that_only_ask_are_left_out_when_others_remain() -> None:
    assert [*query_terms("What is the US doing about rivers?", ["en"])] == [("us",), ("river",)]
    assert [*query_terms("the who", ["en"])] == [("the",), ("who",)]
    assert [*query_terms("der Hund", ["de", "en"])] == [("der",), ("hund",)]  # too short to be certain


def test_whole_words_leave_nothing_out() -> None:
    assert exact_terms("to be or Flussufer", ["de"]) == [["to"], ["be"], ["or"], ["flussuf"]]


def test_a_repeated_word_is_one_word_and_counted_and_a_part_of_it_is_no_repetition() -> None:
    assert query_terms("dog Dogs dog's cat", ["en"]) == {("dog",): 3, ("s",): 1, ("cat",): 1}
    assert query_terms("getUser user", ["en"]) == {("getus",): 1, ("user",): 1, ("get",): 1}


@pytest.mark.parametrize(
    ("text", "question", "found"),
    [
        ("con ma trong nhà", "ma", True),
        ("má của tôi", "ma", True),
        ("má của tôi", "má", True),
        ("má của tôi", "mà", False),
        ("con ma trong nhà", "má", False),
        ("một bát phở ngon", "phố", False),
        ("sự hòa bình", "hoà", True),
        ("Thủ đô Hà Nội", "thu do ha noi", True),
        ("Đường phố", "duong", True),
        ("đường", "đương", False),
    ],
)
def test_marks_tell_vietnamese_words_apart_and_may_be_left_out(text, question, found) -> None:
    held = set(index_terms(text, "vi"))
    assert all(held.intersection(variants) for variants in query_terms(question, ["vi"])) == found


def test_a_word_with_marks_of_vietnamese_alone_is_meant_with_them_beside_other_languages() -> None:
    assert query_terms("phở", ["en", "vi"]) == query_terms("phở", ["vi"])
    assert set(index_terms("a pho", "en")).intersection(*query_terms("pho", ["en", "vi"]))
