"""Markdown and its front matter."""

from datetime import UTC, date, datetime

import pytest

from rag_platform.documents.formats.markup.markdown import read_markdown
from rag_platform.text.markdown_blocks import first_heading, plain

YAML = """---
title: "Water: a plan"
authors: [{name: Asha}, Bikram]
date: 2024-05-01
updated: 2024-06-01T10:00:00+02:00
lang: ne
tags: [a, b]
---
# Heading

Body.
"""


def test_yaml_front_matter():
    read = read_markdown(YAML.encode())
    assert (read.title, read.author, read.language) == ("Water: a plan", "Asha, Bikram", "ne")
    assert read.published_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert read.updated_at == datetime(2024, 6, 1, 8, tzinfo=UTC)
    assert read.text.startswith("# Heading")
    assert read.flags == ()


def test_windows_line_ends_and_a_mark():
    read = read_markdown(b"\xef\xbb\xbf" + YAML.replace("\n", "\r\n").encode())
    assert read.title == "Water: a plan" and "title:" not in read.text


def test_toml_front_matter():
    read = read_markdown(b'+++\ntitle = "Farm"\ndate = 2024-05-01T00:00:00Z\n+++\nBody.\n')
    assert (read.title, read.published_at, read.text) == ("Farm", datetime(2024, 5, 1, tzinfo=UTC), "Body.\n")


@pytest.mark.parametrize(
    "text",
    [
        "---\nno: [end\n---\nBody",
        "---\n- a\n- b\n---\nBody",
        "---\nJust a rule.\n\n---\nBody",
        "+++\nx\n+++\nBody",
        "---\nBody",
    ],
)
def test_what_is_no_front_matter_stays(text):
    read = read_markdown(text.encode())
    assert read.text == text


def test_broken_front_matter_is_flagged():
    assert read_markdown(b"---\ntitle: [\n---\nBody").flags[0].startswith("front matter not understood: ")


def test_a_date_that_does_not_exist_costs_only_itself():
    read = read_markdown(b"---\ntitle: Plan\ncreated: 2022-02-31\nupdated: 2022-03-01\n---\nBody")
    assert (read.title, read.published_at, read.flags) == ("Plan", None, ())
    assert read.updated_at == datetime(2022, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("stated", ["2023-5-7", "2023-05-7", "2023-5-07 12:30", "'2023-5-7T12:30:00+02:00'"])
def test_a_month_or_day_of_one_digit_is_a_date(stated):
    found = read_markdown(f"---\ncreated: {stated}\n---\nBody".encode()).published_at
    assert found and found.date() == date(2023, 5, 7)


@pytest.mark.parametrize("stated", ["5-7-2023", "2023-5-271", "2023-13-1", "2023-5", "2023/5/7"])
def test_what_may_be_another_day_is_no_date(stated):
    assert read_markdown(f"---\ncreated: {stated}\n---\nBody".encode()).published_at is None


def test_front_matter_runs_no_code():
    read = read_markdown(b"---\ntitle: !!python/object/apply:os.getcwd []\n---\nBody")
    assert read.title == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One", "One"),
        ("Two\n===\n", "Two"),
        ("```\n# code\n```\n\n# After [code](x) `run`  {#id}", "After code run"),
        ("## Only a second", ""),
        ("> # quoted", ""),
        ("#hashtag", ""),
    ],
)
def test_the_first_heading(text, title):
    assert first_heading(text) == title


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("**Bold** and _it_", "Bold and it"),
        ("snake_case_name", "snake_case_name"),
        (r"1\. C\#", "1. C#"),
        ("![logo](a.png) Name", "logo Name"),
    ],
)
def test_plain_words(markup, words):
    assert plain(markup) == words
