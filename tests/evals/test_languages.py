"""Each language of a version is searched with its own words before the version goes live."""

import pytest

from evals.candidate_evaluation import evaluate
from evals.measures.language_coverage import share_lost, unsearchable_languages
from rag_platform.index import lexical
from rag_platform.text.analysis import terms
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

RIVERS = {
    "de": "Der Fluss Nummer{n} fließt durch die alten Städte des Landes, und viele Häuser stehen an seinem Ufer{n}.",
    "hi": "नदी{n} पुराने शहरों के बीच से बहती है और उसके किनारे पर बहुत से गाँव और किताबों की दुकानें हैं{n}।",
    "zh": "第{n}条河流经许多古老的城市，两岸有许多村庄，河上的桥是{n}年前建成的。人们每天在河边散步、读书、钓鱼。",
}
ALSO = {
    "de": "Die Stadt liegt am Ufer, und das Haus am Fluss wird in diesem Jahr verkauft{n}.",
    "hi": "यह शहर पुरानी किताब की तरह है और गाँव की नदी के किनारे पर बसा हुआ है{n}।",
    "zh": "这座城市位于河边，村庄的房屋今年出售，居民们都很高兴，政府也表示支持这项计划，并且将会投入更多资金{n}。",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> SmallWorkspace:
    return SmallWorkspace(tmp_path_factory.mktemp("languages"))


def _documents(language: str) -> list[dict]:
    texts = [*(RIVERS[language].format(n=n) for n in range(3)), *(ALSO[language].format(n=n) for n in range(3))]
    return [document(f"{language}{n}.md", text, language=language) for n, text in enumerate(texts)]


def test_languages_that_work_are_passed(workspace) -> None:
    rows = [row for language in RIVERS for row in _documents(language)]
    assert unsearchable_languages(workspace.versions.open(workspace.build(*rows))) == []


def test_an_index_whose_words_are_not_those_of_the_questions_is_refused(workspace, monkeypatch) -> None:
    def cut_at_marks(text: str, language: str) -> list[str]:
        return "".join(c if c.isalpha() else " " for c in text).split() if language == "hi" else terms(text, language)

    monkeypatch.setattr(lexical, "index_terms", cut_at_marks)
    verdict = evaluate(workspace, workspace.build(*_documents("hi"), *_documents("de")[:4])).verdict
    assert not verdict.passed
    assert any("'hi'" in reason or "postings" in reason for reason in verdict.reasons), verdict.reasons


def test_a_language_that_is_not_stemmed_in_the_index_is_refused(workspace, monkeypatch) -> None:
    monkeypatch.setattr(lexical, "index_terms", lambda text, _language: terms(text, "und"))
    version = workspace.versions.open(workspace.build(*_documents("de")))
    assert any("by another form of one of their words" in problem for problem in unsearchable_languages(version))


def test_letters_that_become_no_word_are_counted(monkeypatch) -> None:
    assert share_lost(["क्षेत्र में कृषि। naïve 東京都庁 ราชอาณาจักร الكتاب"]) == 0
    monkeypatch.setattr("evals.measures.language_coverage.words", lambda word: [word] if word.isascii() else [])
    assert share_lost(["naïve cat"]) == 5 / 8
