"""Spans and the log, exported to an OpenTelemetry receiver: Jaeger, Phoenix, Langfuse, a collector.

It is on where `endpoint` in [telemetry] names one, in every process: the API, the page, Dagster's and commands.
"""

import logging
import os
import time
from contextlib import AbstractContextManager
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from rag_platform.config.placeholders import expand
from rag_platform.config.settings import TelemetrySettings
from rag_platform.core.errors import MissingExtra
from rag_platform.monitoring.tracing import Span, observe, request_id, stop_observing

_LIBRARY = "rag_platform"
_SECONDS = 2.0
"""For one export, with all attempts: a command does not end before its last one."""


class OtlpExport:
    """An observer of spans that exports them, and the log beside them, in the background."""

    def __init__(self, settings: TelemetrySettings) -> None:
        """Begin to export to the `endpoint` of the settings; `SecretError` when a header names an unset variable."""
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk._logs import LoggerProvider
        from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

        number = version("rag-platform")
        about = Resource.create({"service.name": settings.service, "service.version": number})
        headers = {name: expand(value, None, os.environ).value for name, value in settings.headers.items()}
        self._content = settings.content
        self._traces = TracerProvider(resource=about, sampler=ParentBased(TraceIdRatioBased(settings.sample)))
        spans = OTLPSpanExporter(endpoint=f"{settings.endpoint}/v1/traces", headers=headers, timeout=_SECONDS)
        self._traces.add_span_processor(BatchSpanProcessor(spans))
        self._logs = LoggerProvider(resource=about)
        lines = OTLPLogExporter(endpoint=f"{settings.endpoint}/v1/logs", headers=headers, timeout=_SECONDS)
        self._logs.add_log_record_processor(BatchLogRecordProcessor(lines))
        self._tracer = self._traces.get_tracer(_LIBRARY, number)
        self._handler = _LogHandler(self._logs.get_logger(_LIBRARY, number))
        observe(self)
        logging.getLogger(_LIBRARY).addHandler(self._handler)
        logging.getLogger(_LIBRARY).setLevel(logging.INFO)  # a line for each request is among them

    def began(self, span: Span) -> None:
        """Begin a span of OpenTelemetry in the one around it, else in the trace that its headers name."""
        from opentelemetry import propagate, trace
        from opentelemetry.trace import SpanKind

        inner = trace.get_current_span().get_span_context().is_valid
        context = None if inner else propagate.extract(span.headers)
        kind = {"internal": SpanKind.INTERNAL, "server": SpanKind.SERVER, "client": SpanKind.CLIENT}[span.kind]
        span.handles[id(self)] = self._tracer.start_span(span.name, context, kind, start_time=span.began)

    def within(self, span: Span) -> AbstractContextManager[object]:
        """Make it the current span, so that what is begun and logged is in it."""
        from opentelemetry import trace

        return trace.use_span(span.handles[id(self)], record_exception=False, set_status_on_exception=False)

    def ended(self, span: Span) -> None:
        """End it, with its attributes; what people wrote is among them only where the settings say so."""
        from opentelemetry.trace import StatusCode

        handle = span.handles.pop(id(self))
        if route := span.attributes.get("http.route"):
            handle.update_name(f"{span.name} {route}")
        for name, value in span.attributes.items():
            if not callable(value):
                handle.set_attribute(name, value)
            elif self._content:
                handle.set_attribute(name, value())
        if span.error or span.attributes.get("http.response.status_code", 0) >= 500:
            handle.set_attribute("error.type", type(span.error).__qualname__ if span.error else "http")
            handle.set_status(StatusCode.ERROR)
        handle.end()

    def flush(self) -> None:
        """Export what waits."""
        self._traces.force_flush()
        self._logs.force_flush()

    def close(self) -> None:
        """Export what waits, and no more after that."""
        stop_observing(self)
        logging.getLogger(_LIBRARY).removeHandler(self._handler)
        self._traces.shutdown()
        self._logs.shutdown()


class _LogHandler(logging.Handler):
    """Gives the lines of the log to OpenTelemetry, each in the span in which it was written."""

    def __init__(self, logger: Any) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Give a line on."""
        from opentelemetry._logs import LogRecord, SeverityNumber

        attributes = {"logger.name": record.name, "rag.request.id": request_id.get()}
        if record.exc_info and record.exc_info[0]:
            attributes["exception.type"] = record.exc_info[0].__qualname__
        self._logger.emit(
            LogRecord(
                timestamp=int(record.created * 1e9),
                observed_timestamp=time.time_ns(),
                severity_text=record.levelname,
                severity_number=SeverityNumber(min(24, 1 + 4 * (record.levelno // 10))),
                body=record.getMessage(),
                attributes=attributes,
            )
        )


def export_telemetry(settings: TelemetrySettings) -> None:
    """Export the spans and the log of this process from now on, if the settings name a receiver; once per process.

    Raises:
        MissingExtra: the packages for it are not installed.
    """
    if settings.endpoint is None:
        return
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.sdk") is None:
        raise MissingExtra("opentelemetry-sdk", "telemetry", "exporting traces and logs")
    _exported(settings.model_dump_json())


@cache
def _exported(settings: str) -> OtlpExport:
    return OtlpExport(TelemetrySettings.model_validate_json(settings))
