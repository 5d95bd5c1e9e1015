"""Formulas are found where somebody wrote one, and money is never one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.text.notation.tex_formulas import formulas


def found(text):
    return [text[one.start : one.end] for one in formulas(text)]


@pytest.mark.parametrize(
    "formula",
    ["$E = mc^2$", "$n$", "$f(x)=y$", "$$\\frac{a}{b}$$", "\\(a_b\\)", "\\[x^2\\]", "$2x+1$", "$10^{-3}$", "$0 < x$",
     "$\\text{rate of change} = \\frac{dx}{dt}$", "$v_{max} = distance/time$", "$\\sqrt[3]{2}$", "$$\na = b_1\n$$"],
)  # fmt: skip
def test_a_formula_is_found_with_its_marks_wherever_it_stands(formula):
    assert found(formula) == [formula]
    assert found(f"It is {formula}, so $5 are lost. Also {formula}") == [formula, formula]


@pytest.mark.parametrize(
    "text",
    ["It costs $5 and $6.", "costs $5, or 6$ more", "US$5-US$6", "$5-$6", "from $5_000 to 6$", "| $5 | $6 |",
     "$$ or $$$", "${name} costs $5", "$PATH:$HOME", "\\[edit\\] \\[1\\] \\(see below\\)", "$5k,6$",
     "a \\$x^2$ b", "$5/mo, 60$ a year", "$20 for me and $30 for you", "$1.50€ = 2$",
     "pay $(5,000) or $(6,000)", "`$x`",
     "$http://a.example/x_y$"],
)  # fmt: skip
def test_money_variables_and_escaped_brackets_are_none(text):
    assert found(text) == []


AMOUNT = st.builds(
    "${}{}".format,
    st.decimals(0, 10**9, places=2).map(lambda value: f"{value:,}") | st.integers(0, 10**12).map(str),
    st.sampled_from(["", "k", "m", " million", "/h", " per kg", "–", "+", " USD", "."]),
)
SAID = "and or for to a the of, costs; up from (was) – snake_case 10^6 x = % & 3 €4 -"
WORDS = st.lists(st.sampled_from(SAID.split()))


@given(st.lists(st.tuples(AMOUNT, WORDS.map(" ".join)), min_size=1, max_size=5))
def test_no_sentence_about_money_ever_becomes_a_formula(parts):
    assert found(" ".join(f"{amount} {words}" for amount, words in parts)) == []
    assert found("It is " + ", ".join(amount for amount, _ in parts) + " in all.") == []


@given(st.text("$\\()[]{}x_^1 a\n", max_size=60))
def test_places_are_those_of_the_text_in_order_and_apart(text):
    ends = 0
    for one in formulas(text):
        assert ends <= one.start < one.end <= len(text) and one.tex in text[one.start : one.end]
        ends = one.end


def test_what_is_never_closed_is_looked_through_once():
    for opener in ("$x", "\\(x", "\\[x ", "$$x ", "$x^2 "):
        assert found(opener * 20_000) == []
