"""Observers are told what is done, in whatever thread, and how it ended."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from rag_platform.monitoring.tracing import observe, span, spanned, stop_observing


class Recorder:
    """Keeps what it is told, with the names of the spans around it."""

    def __init__(self):
        self.around, self.told = [], []

    def began(self, span):
        span.handles[id(self)] = tuple(self.around)

    @contextmanager
    def within(self, span):
        self.around.append(span.name)
        yield
        assert self.around.pop() == span.name

    def ended(self, span):
        self.told.append((*span.handles[id(self)], span.name, span.error and str(span.error), dict(span.attributes)))


@pytest.fixture
def recorder():
    made = Recorder()
    observe(made)
    yield made
    stop_observing(made)


def counted(last):
    for number in range(last):
        with span("step", {"number": number}):
            pass
        yield number
    return last


def test_a_span_knows_what_it_is_within_and_how_it_ended(recorder):
    with pytest.raises(ValueError, match="no"), span("outer", {"a": 1}) as noted:
        noted["b"] = 2
        with span("inner", {}):
            pass
        raise ValueError("no")
    assert recorder.told == [("outer", "inner", None, {}), ("outer", "no", {"a": 1, "b": 2})]


def test_each_step_of_a_stream_belongs_to_it_also_in_another_thread(recorder):
    stream = spanned("stream", counted(2), {}, outcome=lambda last: {"last": last})
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        assert [one.submit(next, stream).result(), other.submit(next, stream).result()] == [0, 1]
        assert recorder.around == []  # between two steps, whoever reads the stream is not within it
        assert one.submit(next, stream, None).result() is None
    assert recorder.told[-1] == ("stream", None, {"last": 2})
    assert [told[:2] for told in recorder.told[:-1]] == [("stream", "step")] * 2


def test_a_stream_that_nobody_reads_to_its_end_was_stopped_and_is_no_error(recorder):
    ended = []

    def endless():
        try:
            yield from range(10)
        finally:
            ended.append(True)

    stream = spanned("stream", endless(), {})
    assert next(stream) == 0
    stream.close()
    assert ended == [True]
    assert recorder.told == [("stream", None, {"rag.stopped": True})]


def test_where_nobody_observes_a_stream_returns_what_it_returned():
    def read():
        return (yield from spanned("stream", counted(1), {}))

    stream = read()
    next(stream)
    with pytest.raises(StopIteration) as end:
        next(stream)
    assert end.value.value == 1
