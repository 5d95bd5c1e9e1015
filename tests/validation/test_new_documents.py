"""What came to a source and does not look like its own."""

from random import Random

from tests.validation.sources import judged, names, row

WORDS = [f"word{number}" for number in range(2000)]
LIVE = [row(number, text=" ".join(Random(number).choices(WORDS, k=60))) for number in range(12)]


def _spam(number: int) -> str:
    name = f"brand{number}"
    return (
        f"Play the best games at {name} casino! Claim your {number}% welcome bonus and {number + 3} free spins of "
        f"{name} today. Slots, roulette and blackjack of {name}, instant payout, no deposit, register with {name} now."
    )


def test_texts_of_one_template_stop_a_source_that_has_none() -> None:
    planted = [row(100 + number, title=f"Best {number}", text=_spam(number)) for number in range(8)]
    assert names(judged(LIVE, [*LIVE, *planted])) == ["new_alike"]
    more = [row(200 + number, text=_spam(200 + number)) for number in range(8)]
    assert judged(planted, [*planted, *more]).passed, "the source has always been like that"


def test_few_of_them_pass() -> None:
    assert judged(LIVE, [*LIVE, *(row(100 + number, text=_spam(number)) for number in range(3))]).passed
