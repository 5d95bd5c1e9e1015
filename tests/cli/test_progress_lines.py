"""What a log shows of long work: a line now and then."""

from rag_platform.cli.console import progress_lines


def test_a_log_has_a_line_every_half_minute(capsys):
    moments = iter([0.0, 10.0, 40.0, 50.0, 71.0])
    tell = progress_lines("extract river", lambda: next(moments))
    for done in (100, 400, 500, 1_000):
        tell(done, 1_400 if done < 1_000 else None)
    assert capsys.readouterr().err.splitlines() == [
        "extract river: 400 of 1,400, 0:01:40 left, 10.0/s",
        "extract river: 1,000, 14.1/s",
    ]
