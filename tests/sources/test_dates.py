import pytest

from rag_platform.sources.dates import iso_utc


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-02", "2026-03-02T00:00:00+00:00"),
        ("2026-03-02T10:00:00Z", "2026-03-02T10:00:00+00:00"),
        ("2026-03-02T10:00:00.5+02:00", "2026-03-02T08:00:00.500000+00:00"),
        ("Mon, 02 Mar 2026 10:00:00 +0100", "2026-03-02T09:00:00+00:00"),
        (0, "1970-01-01T00:00:00+00:00"),
        ("yesterday", None),
        ("", None),
        (None, None),
        (True, None),
        (1e300, None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_dates(value, expected):
    assert iso_utc(value) == expected
