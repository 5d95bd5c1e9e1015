"""Ways to lose a text that its length alone does not show."""

from collections.abc import Callable

import pytest

from tests.validation.sources import judged, names, row

GERMAN = (
    "Die Brücke über den Fluß wurde für größere Schiffe geöffnet. Früher mußten sie Güter mühsam über Land führen. "
)
LIVE = [row(number, text=GERMAN * 3 + f"Das war im Jahr {1800 + number}.", language="de") for number in range(8)]
TICKETS = [row(number, text=f"Ticket {number}, open.\n\n" + f"The pump {number} leaks. " * 9) for number in range(8)]


def _with(rows: list[dict], text: Callable[[str], str], **more: str) -> list[dict]:
    return [row(number, **(one | {"text": text(one["text"])} | more)) for number, one in enumerate(rows)]


@pytest.mark.parametrize(
    ("written", "read"),
    [("utf-8", "cp1252"), ("utf-8", "mac_roman"), ("latin-1", "koi8-r"), ("latin-1", "ascii"), ("utf-8", "cp437")],
)
def test_text_in_another_encoding_is_known_by_what_stayed(written: str, read: str) -> None:
    garbled = _with(LIVE, lambda text: text.encode(written).decode(read, "replace"))
    assert "garbled" in names(judged(LIVE, garbled))


def test_other_quotation_marks_are_no_other_encoding() -> None:
    quoted = _with(LIVE, lambda text: text.replace("wurde", "„wurde“"))
    assert "garbled" not in names(judged(quoted, LIVE))


def test_words_that_run_together_are_lost() -> None:
    assert "shorter" in names(judged(LIVE, _with(LIVE, lambda text: text.replace(" ", ""))))


def test_columns_that_changed_places_are_another_order() -> None:
    swapped = _with(TICKETS, lambda text: " ".join(text.split("open.")[::-1]) + "open")
    assert "order" in names(judged(TICKETS, swapped))
    into_the_title = _with(TICKETS, lambda text: text.replace("open", "Page 1"), title="open")
    assert "order" in names(judged([one | {"title": "Page 1"} for one in TICKETS], into_the_title))
    assert judged(TICKETS, _with(TICKETS, lambda text: text.replace("open", "closed"))).passed
