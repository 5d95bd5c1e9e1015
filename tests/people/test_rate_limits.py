"""How often one person may ask."""

import time

import pytest

from rag_platform.core.errors import TooManyRequests
from rag_platform.journal.shared_counts import SharedCounts
from rag_platform.people.rate_limits import RateLimits


@pytest.fixture(params=["alone", "together"])
def counts(request):
    """In memory, or in a database of each kind."""
    return SharedCounts(request.getfixturevalue("postgres_database")) if request.param == "together" else None


def test_who_asks_too_often_waits_and_the_others_do_not(counts):
    rates = RateLimits({"questions": 2, "searches": 0}, shared=counts)
    rates.take("questions", "ilse")
    rates.take("questions", "ilse")
    with pytest.raises(TooManyRequests, match="more than 2 questions") as refused:
        rates.take("questions", "ilse")
    assert 1 <= refused.value.seconds <= 60
    rates.take("questions", "asha")
    counted = []
    whole = RateLimits({"searches": 100}, counted=lambda *what: counted.append(what), shared=counts)
    whole.take("searches", "ilse", 60)
    with pytest.raises(TooManyRequests) as refused:
        whole.take("searches", "ilse", 41)
    assert refused.value.seconds == 60, "a part of it would be free sooner, and not all"
    whole.take("searches", "ilse", 40)
    whole.take("searches", "asha", 2000)  # else it could never be asked
    with pytest.raises(TooManyRequests):
        whole.take("searches", "asha")
    assert counted == [("searches", 60), ("searches", 40), ("searches", 2000)]
    started = time.perf_counter()
    for _ in range(1000):
        rates.take("searches", "ilse")
    assert time.perf_counter() - started < 60, "a limit that is not set costs nothing"


def test_processes_that_share_a_database_count_together(database):
    one, other = (RateLimits({"questions": 3}, shared=SharedCounts(database)) for _ in range(2))
    one.take("questions", "ilse")
    one.take("questions", "ilse")
    other.take("questions", "ilse")
    for rates in (one, other):
        with pytest.raises(TooManyRequests) as refused:
            rates.take("questions", "ilse")
        assert 1 <= refused.value.seconds <= 60
    with database.writing() as connection:
        connection.execute("update rate_hits set begun = begun - 100, ends = ends - 100")
    other.take("questions", "ilse")
    with database.reading() as connection:
        assert connection.execute("select count(*) from rate_hits").fetchone()[0] == 1
