"""Spans as Prometheus metrics of this process: how many, how long, what language models took."""

from contextlib import AbstractContextManager, nullcontext

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from rag_platform.monitoring.tracing import STAGE, Span

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class SpanMetrics:
    """An observer of spans that counts them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "rag_http_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        self._latency = Histogram(
            "rag_http_request_duration_seconds",
            "Time until an answer was sent whole.",
            ["method", "route"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._underway = Gauge("rag_http_requests_in_progress", "Requests being answered.", registry=registry)
        self._stages = Histogram(
            "rag_stage_duration_seconds",
            "Time of each stage of searches, answers and syncs of this process.",
            ["stage"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._errors = Counter("rag_stage_errors", "Stages that failed.", ["stage"], registry=registry)
        self._tokens = Counter(
            "rag_model_tokens", "Tokens of language models, as they counted them.", ["model", "type"], registry=registry
        )
        self._cost = Counter(
            "rag_model_cost", "What language models cost, by the prices in rag.toml.", ["model"], registry=registry
        )

    def began(self, span: Span) -> None:
        """Count a request as underway."""
        if span.kind == "server":
            self._underway.inc()

    def within(self, span: Span) -> AbstractContextManager[None]:  # noqa: ARG002  there is nothing to surround it with
        """Return nothing."""
        return nullcontext()

    def ended(self, span: Span) -> None:
        """Count a span, and its seconds."""
        if span.kind == "server":
            self._count_request(span)
        elif stage := span.attributes.get(STAGE):
            self._stages.labels(stage).observe(span.seconds)
            if span.error:
                self._errors.labels(stage).inc()
            self._count_tokens(span)

    def _count_request(self, span: Span) -> None:
        method, route = span.attributes["http.request.method"], span.attributes.get("http.route", "none")
        self._underway.dec()
        self._requests.labels(method, route, span.attributes["http.response.status_code"]).inc()
        self._latency.labels(method, route).observe(span.seconds)

    def _count_tokens(self, span: Span) -> None:
        model = span.attributes.get("gen_ai.response.model", "")
        for kind in ("input", "output"):
            if count := span.attributes.get(f"gen_ai.usage.{kind}_tokens"):
                self._tokens.labels(model, kind).inc(count)
        if cost := span.attributes.get("rag.cost"):
            self._cost.labels(model).inc(cost)
