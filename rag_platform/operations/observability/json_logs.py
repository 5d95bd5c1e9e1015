"""The log as JSON: an object for each line, with the id of the request and of the trace that it belongs to."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from rag_platform.monitoring.tracing import request_id

_OWN = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if named := request_id.get():
            line["request_id"] = named
        line |= _trace()
        line |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def log_json() -> None:
    """Write the log of this process to standard output as JSON, with a line for each request."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("rag_platform").setLevel(logging.INFO)


def _trace() -> dict[str, str]:
    """Return the ids of the trace and the span in which this is called; nothing where none are exported."""
    trace = sys.modules.get("opentelemetry.trace")
    context = trace.get_current_span().get_span_context() if trace else None
    if context is None or not context.is_valid:
        return {}
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}
