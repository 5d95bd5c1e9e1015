"""What stops a source before anything is built, and what does not."""

from datetime import timedelta

import pytest

from rag_platform.core.ids import digest
from rag_platform.validation.changes import state_of
from rag_platform.validation.past import Past
from tests.validation.sources import DAY, article, judged, names, row, table

LIVE = [row(number) for number in range(12)]
OLD = {"published_at": DAY - timedelta(days=90), "updated_at": DAY - timedelta(days=90)}


def now(first: int = 12, /, **changes):
    """Change the first documents: each value, or what it returns for a document's number."""
    return [
        row(number, **{name: value(number) if callable(value) else value for name, value in changes.items()})
        if number < first
        else LIVE[number]
        for number in range(12)
    ]


def test_a_state_is_that_of_what_is_indexed_in_whatever_order() -> None:
    documents = table([row(1), row(2), row(3, status="failed")])
    assert state_of(documents) == state_of(documents.reverse()) == state_of(documents[:2])
    assert state_of(documents) != state_of(documents[:1])
    assert state_of(documents) != state_of(table([row(1), row(2, principals=["staff"])])), "who may read it counts"


def test_what_changed_came_and_went_is_counted() -> None:
    report = judged([row(0), row(1), row(9)], [row(0, text="A word was added."), row(1), row(2)])
    assert (report.documents, report.changed, report.new, report.gone) == (3, 1, 1, 1)
    assert report.passed and report.to_dict()["source"] == "works"


def test_the_accident_of_the_desk_stops_its_source() -> None:
    """All 12 tickets say "Service unavailable": all but one repeat the first, so they are not even indexed."""
    unavailable = {"text": "Service unavailable", "language": "und"}
    repeated = unavailable | {"status": "excluded", "reason": f"same text as {LIVE[0]['uri']}"}
    report = judged(LIVE, [row(0, **unavailable), *(row(number, **repeated) for number in range(1, 12))])
    assert {"errors", "shorter", "alike"} <= {*names(report)}
    anomaly = next(one for one in report.anomalies if one.name == "errors")
    assert anomaly.said.startswith("12 of 12 documents are error") and len(anomaly.examples) == 3
    assert anomaly.examples[0].after == "Service unavailable" and anomaly.examples[0].before.startswith("# The boiler")


ACCIDENTS = {
    "alike": {"text": lambda n: f"Products. About us. Contact. Imprint. Press. {article(1)[:300]} {n}"},
    "errors": {"text": "Bitte melden Sie sich an, um diese Seite zu sehen. Passwort vergessen?"},
    "empty": {"text": "", "status": "failed", "reason": "no text"},
    "shorter": {"text": lambda n: article(n)[130:230]},
    "truncated": {"text": lambda n: article(n)[:300]},
    "language": {"language": "fi"},
    "type": {"format": "text", "type": "text"},
    "structure": {"text": lambda n: article(n).replace("#", "").replace("- ", "")},
    "garbled": {"text": lambda n: article(n).replace("closes", "schließt für").encode().decode("latin-1")},
    "order": {"text": lambda n: " ".join(reversed(article(n).split()))},
    "dates": {"published_at": None},
}


@pytest.mark.parametrize("name", ACCIDENTS)
def test_an_accident_of_half_a_source_stops_it_and_shows_three_documents(name: str) -> None:
    report = judged(LIVE, now(6, **ACCIDENTS[name]))
    anomaly = next((one for one in report.anomalies if one.name == name), None)
    assert anomaly is not None, names(report)
    assert (anomaly.documents, anomaly.of, len(anomaly.examples)) == (6, 12, 3)
    assert all(one.before != one.after for one in anomaly.examples)


@pytest.mark.parametrize("name", ACCIDENTS)
def test_a_single_document_of_several_may_always_change(name: str) -> None:
    assert judged(LIVE[:3], now(1, **ACCIDENTS[name])[:3]).passed


def test_the_only_document_does_not_become_an_error_page() -> None:
    assert "errors" in names(judged(LIVE[:1], now(1, **ACCIDENTS["errors"])[:1]))


def test_a_leave_for_any_share_stops_nothing() -> None:
    assert judged(LIVE, now(text="Service unavailable"), Past(max_changed_share=1.0)).passed


def test_an_older_state_is_a_stale_cache() -> None:
    older = now(text=lambda n: article(n) + " It was checked.")
    earlier = frozenset((one["uri"], one["revision"]) for one in older)
    assert judged(LIVE, older).passed
    assert names(judged(LIVE, older, Past(earlier=lambda: earlier))) == ["stale"]
    assert "dates" in names(judged(LIVE, now(**OLD)))


def test_documents_that_more_people_may_read_stop_the_source() -> None:
    closed = [row(number, principals=["staff"]) for number in range(12)]
    assert names(judged(closed, LIVE)) == ["readers"]
    assert judged(LIVE, closed).passed, "fewer people is no accident"
    assert judged(closed, LIVE, Past(readers_set=True)).passed, "people said so in rag.toml"


def test_copies_under_other_addresses_stop_the_source() -> None:
    again = [one | {"doc_id": digest("copy", one["uri"]), "uri": one["uri"] + "?print"} for one in LIVE]
    assert names(judged(LIVE, [*LIVE, *again])) == ["copies"]
    assert judged(LIVE, again).passed, "they moved: that is the brake on deletion's"
    elsewhere = frozenset((one["revision"], frozenset(one["principals"])) for one in LIVE)
    assert names(judged([], LIVE, Past(elsewhere=lambda: elsewhere))) == ["copies"]


def test_new_documents_that_say_the_same_as_each_other_stop_the_source() -> None:
    spam = [row(100 + n, text=f"{article(50)} Call {n} now for the best price.") for n in range(8)]
    assert names(judged(LIVE, [*LIVE, *spam])) == ["new_alike"]
    templated = [row(n, text=f"{article(50)} Station {n}.") for n in range(40, 60)]
    assert judged(templated[:12], templated).passed, "the source has always been like that"


def test_new_error_pages_stop_a_source_also_the_first_time() -> None:
    pages = [row(n, text=f"404 Not Found. The page {n} you requested does not exist.") for n in range(20, 32)]
    assert "new_errors" in names(judged([], pages))
    assert judged([], LIVE).passed


def test_normal_days_pass() -> None:
    edited = now(12, text=lambda n: article(n).replace("euros", "dollars") + " Checked by Ann.")
    assert judged(LIVE, edited).passed
    grown = [*LIVE, *(row(number) for number in range(12, 60))]
    assert judged(LIVE, grown).passed
    assert judged(
        LIVE, [*LIVE[:-1], row(70, language="fi", text="Pumppu on hallissa kolme, venttiili sen vieressä.")]
    ).passed
    assert judged(LIVE, now(2, text=lambda n: article(n)[:300])).passed, "two of twelve"
