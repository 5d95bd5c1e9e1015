"""Lines that a site repeats: measured over the pages of a host, never removed."""

from rag_platform.text.boilerplate import boilerplate_share, mark_boilerplate

NOTICE = "Subscribe to our letter and never miss a story"


def page(uri: str, *lines: str, **columns) -> dict:
    plain = {
        "uri": uri,
        "format": "html",
        "status": "ok",
        "text": "\n\n".join(lines),
        "flags": [],
        "collection": "c",
        "principals": ["*"],
    }
    return plain | columns


def site(host: str, count: int, *lines: str) -> list[dict]:
    return [
        page(f"https://{host}/{n}", f"Story {n} is about the harvest of year {n}, 6 tonnes", *lines)
        for n in range(count)
    ]


def test_a_line_on_every_page_is_measured_and_kept():
    rows = site("a.example", 6, NOTICE)
    mark_boilerplate(rows)
    assert [row["flags"] for row in rows] == [["boilerplate: 49 %"]] * 6
    assert boilerplate_share(rows[0]["flags"]) == 0.49
    assert all(NOTICE in row["text"] for row in rows)


def test_few_pages_other_hosts_and_other_formats_tell_nothing():
    rows = [*site("a.example", 4, NOTICE), *site("b.example", 4, NOTICE)]
    rows += [page(f"c/{n}.md", NOTICE, format="markdown") for n in range(9)]
    rows += [page(f"https://a.example/x{n}", NOTICE, status="excluded") for n in range(9)]
    mark_boilerplate(rows)
    assert not any(row["flags"] for row in rows) and boilerplate_share(()) == 0


def test_pages_of_other_readers_tell_nothing():
    rows = site("a.example", 6, NOTICE)
    for row in rows[:2]:
        row["principals"] = ["group:board"]
    mark_boilerplate(rows)
    assert not any(row["flags"] for row in rows)


def test_rows_of_tables_are_content():
    rows = site("a.example", 6, "| Field | Value |", "| Koshi | 4 m |")
    mark_boilerplate(rows)
    assert not any(row["flags"] for row in rows)


def test_an_earlier_flag_is_replaced():
    rows = site("a.example", 6)
    rows[0]["flags"] = ["boilerplate: 90 %", "other"]
    mark_boilerplate(rows)
    assert rows[0]["flags"] == ["other"]
