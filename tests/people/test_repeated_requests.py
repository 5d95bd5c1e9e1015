"""How many answers are kept to be told again."""

from datetime import UTC, datetime, timedelta

from rag_platform.journal.journal import Journal
from rag_platform.people.repeated_requests import KEPT, MOST, KeptAnswer, RepeatedRequests

NOW = datetime(2029, 1, 1, tzinfo=UTC)
ANSWER = KeptAnswer(201, {}, b"{}")


def test_of_each_caller_the_newest_are_kept_and_of_nobody_what_is_old(database):
    journal = Journal(database)
    requests = RepeatedRequests(journal)

    def kept():
        with journal.reading() as connection:
            rows = connection.execute("select who, key from repeated_requests order by at, key").fetchall()
        return [(row["who"], row["key"]) for row in rows]

    requests.begin("old", "1", "", NOW - KEPT)
    requests.keep("old", "1", ANSWER, NOW - KEPT)
    requests.begin("asha", "1", "", NOW)
    with journal.writing() as connection:
        rows = [
            ("ilse", f"{number:04}", "", (NOW + timedelta(milliseconds=number)).isoformat()) for number in range(MOST)
        ]
        connection.executemany(
            "insert into repeated_requests (who, key, request, at, status) values (?, ?, ?, ?, 200)", rows
        )
    later = NOW + timedelta(minutes=10)
    assert requests.begin("ilse", "next", "", later) == "new"
    assert ("old", "1") not in kept() and len(kept()) == MOST + 2, "what is being answered pushes nothing out"
    requests.keep("ilse", "next", ANSWER, later)
    assert ("ilse", "0000") not in kept() and ("ilse", "0001") in kept() and ("ilse", "next") in kept()
    requests.keep("ilse", "another", ANSWER, NOW + 2 * KEPT)
    assert kept() == [], "a write that begins nothing prunes too"
