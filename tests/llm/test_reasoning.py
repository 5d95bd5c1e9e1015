import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.core.generation import Reasoning, Retracted
from rag_platform.llm.reasoning import TURNS, ReasoningSplitter


def separate(pieces):
    thoughts, text, thought = ReasoningSplitter(), "", ""
    events = [event for piece in pieces for event in thoughts.feed(piece)] + list(thoughts.end())
    for event in events:
        match event:
            case Reasoning(piece):
                thought += piece
            case Retracted():
                text, thought = "", thought + text
            case _:
                text += event
    return text, thought


def test_thoughts_are_kept_apart():
    assert separate(["<think>hm</think>Yes."]) == ("Yes.", "hm")
    assert separate(["A<think>x</think>B<think>y</think>C"]) == ("ABC", "xy")


def test_thoughts_that_never_end_are_no_answer():
    assert separate(["<think>hm, ", "let me see"]) == ("", "hm, let me see")


def test_a_closing_tag_alone_makes_what_came_before_a_thought():
    assert separate(["let me see", "</think>Yes."]) == ("Yes.", "let me see")


def test_a_closing_tag_after_a_thought_takes_nothing_back():
    assert separate(["<think>hm</think>Close it with </think>."]) == ("Close it with .", "hm")


def test_what_only_looks_like_a_tag_is_text():
    assert separate(["1 <", " 2 and <thin", "g> </th"]) == ("1 < 2 and <thing> </th", "")


@given(st.text(st.sampled_from("ab<>/think "), max_size=30), st.lists(st.integers(1, 4), max_size=60))
def test_the_cuts_between_pieces_do_not_matter(middle, lengths):
    whole = f"x<think>{middle}</think>y{middle}"
    pieces, at = [], 0
    for length in lengths:
        pieces.append(whole[at : at + length])
        at += length
    assert separate([*pieces, whole[at:]]) == separate([whole])


@pytest.mark.parametrize("sign", TURNS)
def test_what_follows_the_end_of_a_turn_is_no_answer(sign):
    assert separate([f"It is a disk. {sign[:3]}", f"{sign[3:]}\nuser\n", "And then?"]) == ("It is a disk. ", "")
    assert separate([f"<think>hm {sign} more", "never"]) == ("", "hm ")
    assert separate([f"1 {sign[:-1]}", " 2"]) == (f"1 {sign[:-1]} 2", "")
