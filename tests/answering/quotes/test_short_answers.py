import pytest

from rag_platform.answering.coverage import uniform_weight
from rag_platform.answering.quotes.asked_for import asked_for
from rag_platform.answering.quotes.short_answers import short_answer
from rag_platform.answering.quotes.values import values


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was Warsaw founded?", "time"),
        ("In what year was it built?", "year"),
        ("What happens when the river rises?", None),
        ("Since when is it closed, and why?", "time"),
        ("Wie viele Tage Urlaub gibt es?", "number"),
        ("Wie funktioniert das?", None),
        ("¿Quién fundó Varsovia?", "person"),
        ("विक्टोरिया ने अपना संविधान कब बनाया?", "time"),
        ("कौन सी टीम जीती?", None),
        ("किसने कहा था?", "person"),
        ("哪一年建成？", "year"),
        ("有多少种栉水母？", "number"),
        ("これは何年ですか。", "year"),
        ("Сколько стоит билет?", "number"),
        ("", None),
    ],
)
def test_the_first_word_that_asks_tells_what_for(question, kind):
    found = asked_for(question)
    assert (found[0] if found else None) == kind


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("It opened on 12 May 1889, and closed in the 1920s.", "en", ["12 May 1889", "1920s"]),
        ("You may come on Friday at 18:30.", "en", ["Friday", "18:30"]),
        ("Am 3. Oktober 1990 um 9 Uhr", "de", ["3. Oktober 1990", "9 Uhr"]),
        ("el 24 de enero de 1840 o en el siglo XIX", "es", ["24 de enero de 1840", "siglo XIX"]),
        ("यह 18 मई, 1756 को हुआ", "hi", ["18 मई, 1756"]),
        ("于1889年5月12日建成，公元前300年", "zh", ["1889年5月12日", "公元前300年"]),
        ("昭和20年8月15日に", "ja", ["昭和20年8月15日"]),
        ("в 12 мая 1889", "ru", ["12 мая 1889"]),
    ],
)
def test_times_are_found_as_each_language_writes_them(text, language, found):
    assert [text[start:end] for start, end in values(text, "time", language)] == found


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("It cost $1.2 million, 25 % more than two dozen.", "en", ["$1.2 million", "25 %", "two dozen"]),
        ("Es sind 1.234,5 Millionen und zwölf.", "de", ["1.234,5 Millionen", "zwölf"]),
        ("約40万人を動員した", "ja", ["40万人"]),
        ("छह पुरस्कार और 3.5 लाख", "hi", ["छह", "3.5 लाख"]),
        ("version B52 of a3", "en", []),
    ],
)
def test_numbers_are_found_with_their_scale(text, language, found):
    assert [text[start:end] for start, end in values(text, "number", language)] == found


@pytest.mark.parametrize(
    ("question", "sentence", "language", "short"),
    [
        ("When was the tower built?", "The tower was built in 1889.", "en", "1889"),
        ("When was the tower built in 1889 closed?", "The tower was built in 1889.", "en", None),
        ("When was the tower built?", "Sheep graze since 1889 on another hill.", "en", None),
        ("When was the tower built?", "Built in 1889, the tower was, as many say, sold in 1920.", "en", "1889"),
        ("When was the tower built or sold?", "The tower, 1889, was built or sold, 1920.", "en", None),
        ("How many gauges are on the river?", "In 1990 the river had 12 gauges and 3 weirs.", "en", "12 gauges"),
        ("How many gauges are on the river?", "The river has 12 old gauges or 14 new gauges.", "en", None),
        ("Who built the old tower?", "The old tower was built by Ada Byron.", "en", "Ada Byron"),
        ("Who built the old tower?", "Ada Byron painted the old tower in 1889.", "en", None),
        ("Wer baute den alten Turm?", "Der alte Turm wurde von Ada Byron gebaut.", "de", "Ada Byron"),
        ("Why was the tower built?", "The tower was built in 1889.", "en", None),
        ("亚马逊雨林有多少种树？", "亚马逊雨林有16000种树。", "zh", "16000种"),
    ],
)
def test_a_short_answer_is_marked_only_where_it_is_sure(question, sentence, language, short):
    found = short_answer(question, sentence, language, uniform_weight)
    assert (sentence[slice(*found)] if found else None) == short
