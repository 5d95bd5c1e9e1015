"""A real server of S3's protocol on this machine, moto's: buckets in memory, and puts that heed conditions."""

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

OPTIONS = {"key": "writer", "secret": "of-a-test"}


@contextmanager
def objects_server() -> Iterator[str]:
    """Start it and give its address."""
    server = pytest.importorskip("moto.server", reason="moto is not installed").ThreadedMotoServer("127.0.0.1", 0)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def options_of(endpoint: str) -> dict[str, object]:
    """Return what fsspec's file system needs to reach it."""
    return {**OPTIONS, "client_kwargs": {"endpoint_url": endpoint}}


def new_bucket(endpoint: str) -> str:
    """Make a bucket and return its address."""
    from s3fs import S3FileSystem

    name = f"b{uuid.uuid4().hex[:12]}"
    S3FileSystem(**options_of(endpoint), skip_instance_cache=True).call_s3("create_bucket", Bucket=name)
    return f"s3://{name}"
