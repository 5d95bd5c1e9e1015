"""A line of the log is one JSON object, and names the request."""

import json
import logging

from rag_platform.monitoring.tracing import request_id
from rag_platform.operations.observability.json_logs import JsonFormatter


def formatted(**given):
    record = logging.LogRecord("rag_platform.x", logging.WARNING, "x.py", 1, "answered %s", ("two\nlines",), None)
    vars(record).update(given)
    return json.loads(JsonFormatter().format(record))


def test_a_line_says_when_what_and_for_which_request():
    token = request_id.set("r-7")
    try:
        line = formatted(status=200, path=object)
    finally:
        request_id.reset(token)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "warning",
        "logger": "rag_platform.x",
        "message": "answered two\nlines",
        "request_id": "r-7",
        "status": 200,
        "path": "<class 'object'>",
    }


def test_a_failure_has_its_traceback_on_the_same_line():
    try:
        _ = 1 / 0
    except ZeroDivisionError as error:
        text = JsonFormatter().format(
            logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed", (), (type(error), error, error.__traceback__))
        )
    assert "\n" not in text and "ZeroDivisionError" in json.loads(text)["exception"]
