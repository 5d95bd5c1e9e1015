"""Files of a multipart body, written to the disk as they come: none is ever whole in memory."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from rag_platform.api.problems import Problem, problem_document
from rag_platform.core.errors import RagError, UploadRefused
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.receiving import Receiver
from rag_platform.sources.uploads.records import File

_MOST_PARTS = 1000
_LARGEST_FIELD = 10_000
"""Bytes of a part that is no file, and of a part's headers."""


class Incoming:
    """Takes a multipart body in pieces and keeps each of its files as soon as that is whole.

    A part with a file name is a file. Other parts say something of the files that follow: ``title`` of the next one,
    ``tag`` (any number) of all. A file that is refused is read to its end and not kept; the others go on.
    """

    def __init__(self, collections: Collections, collection: str, content_type: str, who: str) -> None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise Problem(
                415,
                f"the body is {content_type!r}",
                "multipart/form-data with a boundary",
                "Send files as a form does.",
            )
        self.added: list[File] = []
        self.refused: list[tuple[str, RagError]] = []
        self._collections, self._collection, self._who = collections, collection, who
        self._title = ""
        self._tags: list[str] = []
        self._parts, self._thrown_away = 0, 0
        callbacks: Any = self._callbacks()  # as the parser's TypedDict, whose name it keeps to itself
        try:
            self._parser = MultipartParser(boundary, callbacks)
        except FormParserError as error:
            raise Problem(415, f"the boundary cannot be used: {error}", "a short one", "Choose another.") from error
        self._receiver: Receiver | None = None
        self._open = ExitStack()

    def write(self, piece: bytes) -> None:
        """Take the next bytes."""
        try:
            self._parser.write(piece)
        except FormParserError as error:
            raise Problem(
                400, f"the body is no multipart form: {error}", "one as RFC 7578 has it", "Mend it."
            ) from error

    def finish(self) -> None:
        """Say that there is no more; `Problem` when the body ended in the middle or held no file."""
        try:
            self._parser.finalize()
        except FormParserError as error:
            raise Problem(400, f"the body ends too early: {error}", "the whole form", "Send it again.") from error
        if not self.added and not self.refused:
            raise Problem(400, "there is no file in the form", "a part with a file name", "Send at least one file.")

    def close(self) -> None:
        """Let go of a file that did not come to its end."""
        self._open.close()

    def document(self) -> tuple[int, dict[str, Any]]:
        """Return the status and what became of each file."""
        problems = [(name, *problem_document(error)) for name, error in self.refused]
        refused = [{"name": name, **document} for name, _, document in problems]
        status = 201 if not problems else 207 if self.added else problems[0][1]
        return status, {"added": self.added, "refused": refused} | (problems[0][2] if status >= 400 else {})

    # --- what the parser calls ---------------------------------------------------------------------------

    def _callbacks(self) -> dict[str, Any]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._header(self._field, data[start:end]),
            "on_header_value": lambda data, start, end: self._header(self._value, data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._begin_content,
            "on_part_data": lambda data, start, end: self._content(data[start:end]),
            "on_part_end": self._end,
        }

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise Problem(413, "the form has too many parts", f"at most {_MOST_PARTS}", "Send several requests.")
        self._headers: dict[bytes, bytes] = {}
        self._field, self._value, self._text = bytearray(), bytearray(), bytearray()
        self._name, self._is_file = "", False

    def _header(self, into: bytearray, piece: bytes) -> None:
        into += piece
        if len(into) > _LARGEST_FIELD:
            raise Problem(400, "a header of a part is too long", f"at most {_LARGEST_FIELD} bytes", "Shorten it.")

    def _end_header(self) -> None:
        self._headers[bytes(self._field).lower()] = bytes(self._value)
        self._field, self._value = bytearray(), bytearray()

    def _begin_content(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition"))
        name = options.get(b"filename")
        self._is_file = name is not None
        self._name = (options.get(b"name", b"") if name is None else name).decode("utf-8", "replace")
        if self._is_file:
            self._trying(lambda: self._open_receiver(self._name))

    def _open_receiver(self, name: str) -> None:
        self._receiver = self._open.enter_context(self._collections.receiving(self._collection, name))

    def _content(self, piece: bytes) -> None:
        if self._receiver:
            receiver = self._receiver
            self._trying(lambda: receiver.write(piece))
        elif self._is_file:
            self._throw_away(len(piece))
        else:
            self._header(self._text, piece)

    def _throw_away(self, count: int) -> None:
        """Read on past a refused file, within reason: what is refused must not be sent without end."""
        self._thrown_away += count
        if self._thrown_away > self._collections.max_bytes:
            raise self.refused[-1][1]

    def _end(self) -> None:
        text = self._text.decode("utf-8", "replace")
        if self._receiver:
            receiver = self._receiver
            self._trying(lambda: self._keep(receiver))
            self._title = ""
        elif self._name == "title" and not self._is_file:
            self._title = text
        elif self._name == "tag" and not self._is_file:
            self._tags.append(text)
        self._let_go()

    def _keep(self, receiver: Receiver) -> None:
        stated = self._headers.get(b"content-type", b"").decode("latin-1")
        self.added.append(receiver.keep(title=self._title, content_type=stated, tags=self._tags, who=self._who))

    def _trying(self, do: Callable[[], None]) -> None:
        try:
            do()
        except UploadRefused as error:
            self.refused.append((self._name, error))
            self._let_go()

    def _let_go(self) -> None:
        self._open.close()
        self._receiver = None
