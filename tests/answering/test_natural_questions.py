"""Questions that people could have asked: made of headings and definitions, in the language of both, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.answering.suggestions.natural_questions import is_general, questions_of, reads_naturally


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How to add a source", "How do I add a source?"),
        ("How citations are verified", "How are citations verified?"),
        ("When a process is killed", "What happens when a process is killed?"),
        ("Signing in", "How does signing in work?"),
        ("Who may do what", "Who may do what?"),
        ("When does the ferry run?", "When does the ferry run?"),
    ],
)
def test_a_heading_that_asks_in_all_but_its_sign_becomes_a_question(heading, question):
    assert next(questions_of(heading, "", "en")) == question


@pytest.mark.parametrize(
    "heading", ["Search", "The page", "Introduction", "029", "v1.2 (2024)", "“Quoted”", "Now:", "a " * 20]
)
def test_of_a_heading_that_says_nothing_no_question_is_made(heading):
    assert list(questions_of(heading, f"{heading} has a button. It is blue.", "en")) == []


@pytest.mark.parametrize(
    ("language", "heading", "text", "question"),
    [
        ("en", "Paid leave", "There is paid leave.", "What should I know about paid leave?"),
        ("en", "Northwind merger", "It was.", "What should I know about Northwind merger?"),
        ("de", "Bezahlter Urlaub", "Es gibt ihn.", "Bezahlter Urlaub: Was sollte ich wissen?"),
        ("es", "Vacaciones pagadas", "Hay vacaciones.", "¿Qué debo saber sobre vacaciones pagadas?"),
        ("hi", "सवेतन अवकाश", "यह मिलता है।", "सवेतन अवकाश: मुझे क्या जानना चाहिए?"),
        ("ne", "तलबी बिदा", "यो पाइन्छ।", "तलबी बिदा बारे मैले के जान्नुपर्छ?"),
        ("zh", "带薪休假", "有带薪休假。", "关于带薪休假，我应该了解什么？"),
        ("fr", "Congés payés", "Il y a des congés payés.", "Congés payés : que faut-il savoir ?"),
        ("ru", "Гидроузел", "Он стоит.", "Гидроузел: что нужно знать?"),
        ("lt", "Mokamos atostogos", "Jos yra.", "Mokamos atostogos?"),
    ],
)
def test_of_any_other_heading_it_is_asked_what_one_should_know(language, heading, text, question):
    assert [*questions_of(heading, text, language)] == [question] and is_general(question, language)


@pytest.mark.parametrize(
    ("language", "heading", "text", "question"),
    [
        ("en", "Weir", "A weir is a low dam across a river.", "What is a weir?"),
        ("de", "Pegel", "Ein Pegel (auch Latte) ist ein Gerät zum Messen.", "Was ist ein Pegel?"),
        ("es", "El Niño", "El Niño es un fenómeno del clima.", "¿Qué es El Niño?"),
        ("fr", "L’eau", "L’eau est une substance.", "Qu’est-ce que l’eau ?"),
        ("ru", "Тессеракт", "Тессеракт — это куб.", "Что такое Тессеракт?"),
        ("ne", "काठमाडौँ", "काठमाडौँ नेपालको राजधानी हो।", "काठमाडौँ के हो?"),
        ("hi", "गंगा", "गंगा भारत की एक प्रमुख नदी है।", "गंगा क्या है?"),
        ("zh", "水电大坝", "水电大坝是一种建筑。", "水电大坝是什么？"),
        ("th", "เขื่อนแม่น้ำ", "เขื่อนแม่น้ำคือสิ่งก่อสร้าง", "เขื่อนแม่น้ำคืออะไร?"),
        ("vi", "Đập nước", "Đập nước là một công trình.", "Đập nước là gì?"),
        ("el", "Το φράγμα", "Το φράγμα είναι ένα έργο.", "Τι είναι Το φράγμα;"),
        ("tr", "Baraj gölü", "Baraj gölü, suyun biriktiği yerdir.", "Baraj gölü nedir?"),
        ("ro", "Barajul", "Barajul este o construcție.", "Ce este Barajul?"),
    ],
)
def test_what_a_text_defines_is_asked_for_in_its_language(language, heading, text, question):
    assert next(questions_of(heading, text, language)) == question
    assert question not in questions_of(heading, "", language) and question not in questions_of(heading, text, "xx")


@pytest.mark.parametrize(
    "question",
    [
        "weir level cm",
        "What does “The page” say about “Search”?",
        "Why?",
        "What does this passage say of it?",
        "x" * 130 + "?",
        "See https://a.example?",
        "What is `x`?",
        "a; b;",
    ],
)
def test_what_nobody_would_ask_is_told_apart(question):
    assert not reads_naturally(question)
    assert (
        reads_naturally("When does the ferry run?")
        and reads_naturally("水坝是什么？")
        and reads_naturally("Τι είναι αυτό;")
    )


@given(st.text(max_size=200), st.text(max_size=400), st.sampled_from(["en", "de", "tr", "zh", "hi", "xx"]))
def test_any_heading_gives_natural_questions_or_none(heading, text, language):
    assert all(reads_naturally(question) for question in questions_of(heading, text, language))
