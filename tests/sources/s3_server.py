"""A small server that speaks what is needed of S3: ListObjectsV2 in pages, Head, Get, Put and DeleteObject."""

import hashlib
import re
from contextlib import contextmanager
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from tests.loopback import LoopbackHandler, LoopbackServer, running

TIME = "2026-03-02T10:00:00.000Z"


class Bucket:
    """Objects of a bucket, and what shall go wrong."""

    def __init__(self):
        self.objects = {}
        self.page = 2
        self.key = "reader"
        self.faults = {}
        """Number of a page of a listing, or key of an object -> the statuses of the next answers for it."""
        self.cut = set()
        """Keys of objects of which only half arrives."""
        self.asked = []

    def fault(self, what):
        statuses = self.faults.get(what)
        return statuses.pop(0) if statuses else None


class Handler(LoopbackHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        bucket, parts = self.server.bucket, urlsplit(self.path)
        name, _, key = unquote(parts.path).removeprefix("/").partition("/")
        bucket.asked.append((self.command, key, parts.query))
        if bucket.key and f"Credential={bucket.key}/" not in self.headers.get("authorization", ""):
            self.answer(error("AccessDenied"), 403)
        elif name != "shelf":
            self.answer(error("NoSuchBucket"), 404)
        elif key:
            self.give(bucket, key)
        else:
            self.list(bucket, {name: values[0] for name, values in parse_qs(parts.query).items()})

    def do_PUT(self):
        """Take an object; the body is plain, or in signed pieces (aws-chunked)."""
        key = unquote(urlsplit(self.path).path).removeprefix("/").partition("/")[2]
        content = self.body()
        if "aws-chunked" in self.headers.get("content-encoding", ""):
            content = unchunked(content)
        self.server.bucket.objects[key] = content
        self.answer(b"", headers={"etag": tag(content)})

    def do_DELETE(self):
        self.server.bucket.objects.pop(unquote(urlsplit(self.path).path).removeprefix("/").partition("/")[2], None)
        self.answer(b"", 204)

    do_HEAD = do_GET

    def give(self, bucket, key):
        content = bucket.objects.get(key)
        if status := bucket.fault(key):
            return self.answer(error("InternalError"), status)
        if content is None:
            return self.answer(error("NoSuchKey"), 404)
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("range", ""))
        if span and int(span[1]) >= len(content):
            return self.answer(error("InvalidRange"), 416)
        part = content[int(span[1]) : int(span[2] or len(content)) + 1] if span else content
        part = part[: len(part) // 2] if key in bucket.cut else part
        about = {"etag": tag(content), "last-modified": "Mon, 02 Mar 2026 10:00:00 GMT"}
        return self.answer(part, 206 if span else 200, about)

    def list(self, bucket, query):
        after, prefix = query.get("continuation-token", ""), query.get("prefix", "")
        keys = [key for key in sorted(bucket.objects) if key.startswith(prefix) and key > after]
        keys, more = keys[: bucket.page], len(keys) > bucket.page
        if status := bucket.fault(2 if after else 1):
            return self.answer(error("InternalError"), status)
        contents = "".join(
            f"<Contents><Key>{quote(key)}</Key><LastModified>{TIME}</LastModified><ETag>{escape(tag(bucket.objects[key]))}"
            f"</ETag><Size>{len(bucket.objects[key])}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for key in keys
        )
        token = f"<NextContinuationToken>{escape(keys[-1])}</NextContinuationToken>" if more else ""
        body = (
            '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>shelf</Name>'
            f"<Prefix>{escape(prefix)}</Prefix><KeyCount>{len(keys)}</KeyCount><MaxKeys>{bucket.page}</MaxKeys>"
            f"<EncodingType>url</EncodingType><IsTruncated>{str(more).lower()}</IsTruncated>{contents}{token}"
            "</ListBucketResult>"
        )
        return self.answer(body.encode(), headers={"content-type": "application/xml"})


def error(code):
    return f"<Error><Code>{code}</Code><Message>{code} it is</Message></Error>".encode()


def unchunked(body):
    """Return what was sent in pieces, each after a line with its size."""
    content = b""
    while body:
        line, _, body = body.partition(b"\r\n")
        size = int(line.partition(b";")[0], 16)
        if not size:
            return content
        content, body = content + body[:size], body[size + 2 :]
    return content


def tag(content):
    return f'"{hashlib.md5(content).hexdigest()}"'


@contextmanager
def serving():
    """Run a server with a `bucket`, named shelf."""
    server = LoopbackServer(Handler)
    server.bucket = Bucket()
    with running(server):
        yield server
