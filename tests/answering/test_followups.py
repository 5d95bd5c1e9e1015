"""Follow-ups by rule, on a small hand-made set: the question before, the follow-up, what it must and must not have."""

import pytest

from rag_platform.answering.conversation.followups import is_standalone, resolve_followup

LEAVE = "How many days of paid leave do employees get in 2024?"
FOLLOW_UPS = [
    (LEAVE, "And in 2025?", {"paid", "leave", "employees", "2025"}, {"2024", "many"}),
    (LEAVE, "why?", {"paid", "leave", "employees", "2024"}, {"How"}),
    (LEAVE, "What about contractors?", {"contractors", "paid", "leave"}, set()),
    (LEAVE, "Does it expire at the end of March?", {"expire", "paid", "leave"}, set()),
    (LEAVE, "For part-time employees?", {"part-time", "paid", "leave"}, set()),
    (LEAVE, "Can they be carried over?", {"carried", "paid", "leave"}, set()),
    (LEAVE, "Who decides that?", {"decides", "leave"}, set()),
    (LEAVE, "Give me an example.", {"paid", "leave"}, set()),
    (LEAVE, "Tell me more.", {"paid", "leave"}, set()),
    ("Who founded the Abbey of Cluny?", "When was that?", {"founded", "Abbey", "Cluny"}, set()),
    ("Who founded the Abbey of Cluny?", "Where did he live?", {"live", "Abbey", "Cluny"}, set()),
    ("Wie viele Urlaubstage haben Angestellte?", "Und in Teilzeit?", {"Teilzeit", "Urlaubstage"}, {"viele"}),
    ("Wie viele Urlaubstage haben Angestellte?", "Wann verfallen sie?", {"verfallen", "Urlaubstage"}, set()),
    (
        "Wie viele Urlaubstage haben Angestellte?",
        "Gilt das auch für Praktikanten?",
        {"Praktikanten", "Urlaubstage"},
        set(),
    ),
    ("Wie viele Urlaubstage haben Angestellte?", "Wer hat das so beschlossen?", {"beschlossen", "Urlaubstage"}, set()),
    ("Wie viele Urlaubstage haben Angestellte?", "Warum?", {"Urlaubstage", "Angestellte"}, set()),
    ("¿Cuántos días de vacaciones tienen los empleados?", "¿Y en 2025?", {"vacaciones", "empleados"}, {"los"}),
    ("¿Cuántos días de vacaciones tienen los empleados?", "¿Por qué?", {"vacaciones", "empleados"}, set()),
    ("Combien de jours de congé ont les employés ?", "Et les stagiaires ?", {"congé", "stagiaires"}, {"les employés"}),
    ("कर्मचारियों को कितने दिन की छुट्टी मिलती है?", "और 2025 में?", {"कर्मचारियों", "छुट्टी", "2025"}, {"कितने"}),
    ("कर्मचारियों को कितने दिन की छुट्टी मिलती है?", "क्यों?", {"कर्मचारियों", "छुट्टी"}, set()),
    ("员工有多少天假期？", "为什么？", {"员工有多少天假期？"}, set()),
    ("员工有多少天假期？", "那兼职员工呢？", {"员工有多少天假期？", "那兼职员工呢？"}, set()),
]
ALONE = [
    LEAVE,
    "What is the sabbatical policy?",
    "Where is the office?",
    "Sabbatical",
    "Is there a gym in the office?",
    "Is it possible to work from Spain?",
    "How does the badge system work when it rains?",
    "Which documents say that overtime is paid?",
    "And how many weeks of parental leave do contractors in Spain get?",
    "How much was spent on travel this year?",
    "Wo ist das Büro?",
    "Gibt es eine Kantine?",
    "Können Sie mir die Öffnungszeiten nennen?",
    "¿Dónde está la oficina central?",
    "¿Cuál es la capital de Perú?",
    "Qual è il costo della tessera?",
    "Wann wurde das Museum in Bonn eröffnet?",
    "Où se trouve le bureau principal ?",
    "दफ़्तर कहाँ है?",
    "办公室几点开门？",
]


@pytest.mark.parametrize(("before", "asked", "there", "gone"), FOLLOW_UPS)
def test_a_follow_up_carries_the_subject_over(before, asked, there, gone):
    understood = resolve_followup(asked, [before])
    assert understood.startswith(asked) or understood.endswith(asked), "what was asked stays as it is"
    assert all(word in understood for word in there) and not any(word in understood for word in gone), understood


@pytest.mark.parametrize("asked", ALONE)
def test_a_question_that_names_its_subject_stays_as_it_is(asked):
    assert is_standalone(asked) and resolve_followup(asked, [LEAVE]) == asked


def test_a_subject_is_carried_through_several_follow_ups_until_there_is_another():
    assert "leave" in resolve_followup("Why?", [LEAVE, "And in 2025?"]) and "2025" in resolve_followup(
        "Why?", [LEAVE, "And in 2025?"]
    )
    assert resolve_followup("Why?", [LEAVE, "Where is the office?"]) == "Why? office"
    assert resolve_followup("Why?", []) == "Why?"
