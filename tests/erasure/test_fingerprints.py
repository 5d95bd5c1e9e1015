"""What quotes a removed text is found whatever its marks and spaces; what others say too is not."""

import pytest

from rag_platform.erasure.targets import Remains
from rag_platform.erasure.text_fingerprints import WINDOW, Fingerprints, normalised
from rag_platform.erasure.traces import Scrubber

SECRET = "The amber otter keeps its sapphire key beneath the seventh stone of the northern weir."
SHARED = "Every warden signs the log book of the boathouse before the first boat leaves."
CHINESE = "琥珀色的水獺把藍寶石鑰匙藏在北堰第七塊石頭下面,誰也不知道。"


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        SECRET.upper(),
        "> **The amber otter**\n> keeps its _sapphire key_ beneath",
        f'{{"quote": "{SECRET[20:70]}"}}',
        "他說琥珀色的水獺把藍寶石鑰匙藏在北堰,對嗎?",
    ],
)
def test_a_quote_is_found(text: str) -> None:
    assert Fingerprints([SECRET, CHINESE]).quotes(text)


def test_a_passage_that_stays_elsewhere_is_nobodys_quote() -> None:
    prints = Fingerprints([f"{SECRET} {SHARED}"], [f"Rules: {SHARED}"])
    assert not prints.quotes(SHARED)
    assert prints.quotes(SECRET)
    assert not prints.quotes("The otter has a key to the northern weir.")


def test_every_passage_of_a_windows_length_is_found() -> None:
    plain = normalised(SECRET).decode()
    prints = Fingerprints([SECRET])
    assert len(prints) == len(plain) - WINDOW + 1
    for start in range(len(plain) - WINDOW + 1):
        assert prints.quotes(plain[start : start + WINDOW])
        assert not prints.quotes(plain[start : start + WINDOW - 1])


def test_a_text_shorter_than_a_window_is_looked_for_whole() -> None:
    prints = Fingerprints(["PIN of Ilse: 4711"])
    assert prints.quotes("the pin of ilse 4711 is secret")
    assert not prints.quotes("the pin of ilse")


def test_nothing_removed_is_quoted_by_nothing() -> None:
    assert not Fingerprints([]).quotes(SECRET)


def _scrubber() -> Scrubber:
    remains = Remains(frozenset(["0123456789abcdef"]), ("files/the otter.md", "otter_1.md"), (SECRET,), None)
    return Scrubber(remains, Fingerprints([SECRET]))


def test_values_lose_quotes_addresses_and_records_and_nothing_else() -> None:
    value = {
        "hits": [{"doc_id": "0123456789abcdef", "score": 1}, {"doc_id": "fedcba9876543210", "score": 2}],
        "report": f"# Report\nfine\n- m#1: does not hold '{SECRET}'\nalso fine",
        "failed": "otter_1.md: damaged; other/otter_1.md.bak and xotter_1.md are fine",
        "spaced": "see files/the otter.md, please",
        "escaped": "see otter\\_1.md",
        "nested": '{"why": "otter_1.md", "n": 1}',
        "n": 3,
    }
    assert _scrubber().value(value) == {
        "hits": [{"doc_id": "fedcba9876543210", "score": 2}],
        "report": "# Report\nfine\n(forgotten)\nalso fine",
        "failed": "(forgotten): damaged; other/otter_1.md.bak and xotter_1.md are fine",
        "spaced": "see (forgotten), please",
        "escaped": "see (forgotten)",
        "nested": '{"why": "(forgotten)", "n": 1}',
        "n": 3,
    }


def test_a_quote_over_several_lines_is_taken_out_whole() -> None:
    assert _scrubber().text("\n".join(SECRET.split())) == "(forgotten)"
