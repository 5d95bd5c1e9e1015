"""A receiver of OTLP over HTTP on loopback, which decodes what it is sent."""

import gzip
from contextlib import contextmanager

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.loopback import LoopbackHandler, LoopbackServer, running


def _plain(value):
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_plain(one) for one in value.array_value.values]
    return getattr(value, kind) if kind else None


def attributes_of(item):
    return {one.key: _plain(one.value) for one in item.attributes}


class Receiver:
    """What came, decoded."""

    def __init__(self, address):
        self.address, self.spans, self.lines, self.headers, self.resource = address, [], [], {}, {}

    def take(self, path, body, headers):
        self.headers = headers
        if path == "/v1/traces":
            for one in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.resource = attributes_of(one.resource)
                self.spans += [span for scope in one.scope_spans for span in scope.spans]
        elif path == "/v1/logs":
            for one in ExportLogsServiceRequest.FromString(body).resource_logs:
                self.lines += [line for scope in one.scope_logs for line in scope.log_records]

    def path_of(self, span):
        """Return the names of the spans from the root to this one."""
        above = {one.span_id: one for one in self.spans}.get(span.parent_span_id)
        return (*(self.path_of(above) if above else ()), span.name)


@contextmanager
def receiving():
    """Run a receiver, and give it."""

    class Handler(LoopbackHandler):
        def do_POST(self):
            body = self.body()
            packed = self.headers.get("content-encoding") == "gzip"
            made.take(self.path, gzip.decompress(body) if packed else body, self.headers)
            self.answer(b"", headers={"content-type": "application/x-protobuf"})

    with running(LoopbackServer(Handler)) as server:
        made = Receiver(server.address)
        yield made
