"""What frames the pages of a site: left out of all but one, whatever the pages are."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from rag_platform.core.ids import digest
from rag_platform.documents.site_frames import FLAG, leave_out_frames, whole

TOP, BOTTOM = "The Daily Field, all about farming", "Subscribe to our letter and never miss a story"


def page(uri: str, *lines: str, **columns) -> dict:
    text = "\n\n".join(lines)
    return {
        "uri": uri, "format": "html", "status": "ok", "text": text, "revision": digest("text", text),
        "whole_text": None, "flags": [], "collection": "news", "principals": ["*"],
    } | columns  # fmt: skip


def story(n: int) -> str:
    return f"Story {n} tells of the harvest of the year {n}: {n} tonnes of rice came in before the rain."


def site(count: int, *below: str, above: tuple[str, ...] = (TOP,), host: str = "a.example") -> list[dict]:
    return [page(f"https://{host}/{'s' * (n > 0)}{n}", *above, story(n), *below) for n in range(count)]


def test_the_frame_stays_on_the_page_with_the_shortest_address_alone():
    rows = site(6, BOTTOM)
    leave_out_frames(rows)
    assert rows[0]["text"] == f"{TOP}\n\n{story(0)}\n\n{BOTTOM}" and rows[0]["whole_text"] is None
    assert [row["text"] for row in rows[1:]] == [story(n) for n in range(1, 6)]
    assert rows[1]["whole_text"] == f"{TOP}\n\n{story(1)}\n\n{BOTTOM}" and rows[1]["flags"] == [f"{FLAG}15 words"]
    assert rows[1]["revision"] == digest("text", story(1))


def test_a_small_site_and_pages_of_others_tell_nothing():
    rows = [*site(4, BOTTOM), *site(4, BOTTOM, host="b.example")]
    rows += [row | {"principals": ["group:board"]} for row in site(4, BOTTOM)]
    rows += [row | {"collection": "other"} for row in site(4, BOTTOM)]
    before = [dict(row) for row in rows]
    leave_out_frames(rows)
    assert rows == before


def test_pages_that_are_all_alike_stay_whole():
    rows = [page(f"https://a.example/{n}", TOP, f"Gauge {n}", BOTTOM) for n in range(9)]
    rows += [page(f"https://a.example/x{n}", TOP, BOTTOM) for n in range(9)]
    before = [dict(row) for row in rows]
    leave_out_frames(rows)
    assert rows == before


def test_shared_lines_amid_a_text_stay_and_so_do_the_headings_above_it():
    rows = [
        page(f"https://a.example/{n}", TOP, "## Ingredients", f"{n} eggs of hen number {n}", "Heat the oven.", story(n))
        for n in range(6)
    ]
    leave_out_frames(rows)
    assert rows[5]["text"] == f"## Ingredients\n\n5 eggs of hen number 5\n\nHeat the oven.\n\n{story(5)}"


LINES = st.lists(st.sampled_from(["Home", "About us", "## More", "Steps:", "| a | b |", "```", story(1), story(2)]))


@given(st.lists(st.tuples(LINES, st.integers(0, 30), LINES), max_size=12))
@settings(deadline=None)
def test_no_line_goes_and_what_was_read_comes_back(pages):
    rows = [page(f"https://a.example/{at}", *above, story(n), *below) for at, (above, n, below) in enumerate(pages)]
    before, lines = [dict(row) for row in rows], {line for row in rows for line in row["text"].split("\n")}
    leave_out_frames(rows)
    assert {line for row in rows for line in row["text"].split("\n")} | {""} == lines | {""}
    assert [whole(row) for row in rows] == before
    told = Counter(line for row in before for line in set(row["text"].split("\n\n")))
    assert all(told[story(n)] > 1 or story(n) in row["text"] for row, (_, n, _) in zip(rows, pages, strict=True))
