"""What a reader answers is believed only as far as it can be checked: a file may have taken it over."""

from datetime import UTC, datetime

import pytest

from rag_platform.documents.extracted import Extracted, Loss, Part
from rag_platform.documents.sandbox.protocol import part_message, part_of

READ = Extracted(
    "# Water\n\nWords.",
    "markdown",
    title="Water",
    published_at=datetime(2024, 1, 2, tzinfo=UTC),
    pages=(0, 9),
    pictures=((1, b"png"),),
    tags=("a",),
    losses=(Loss("notes", 3),),
)


def test_a_part_comes_back_as_it_was():
    assert part_of(part_message(Part("!/a.md", READ))) == Part("!/a.md", READ)
    assert part_of(part_message(Part("", None, "damaged"))) == Part("", None, "damaged")


@pytest.mark.parametrize(
    "lie",
    [
        {"text": 7},
        {"text": None},
        {"title": "\ud800"},
        {"tags": [["a"]]},
        {"language": ["en"]},
        {"pages": [-1]},
        {"pages": [10**30]},
        {"pages": [5, 3]},
        {"published_at": "2024-01-02T00:00:00"},
        {"published_at": 7},
        {"pictures": [[0, 7]]},
        {"pictures": 7},
        {"losses": [["jewels", 1]]},
        {"losses": [["notes", 0]]},
        {"losses": [["notes", "3"]]},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(lie):
    message = part_message(Part("", READ))
    message["read"] |= lie
    with pytest.raises((ValueError, TypeError, KeyError)):
        part_of(message)
