"""One raw file to its documents: itself, and those within it when it is an archive or a message."""

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rag_platform.core.errors import ExtractionError, Unconverted
from rag_platform.documents.extracted import Extracted, Member, Part
from rag_platform.documents.formats.archives.compressed import uncompressed
from rag_platform.documents.formats.converters import registry
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.reading.hidden_instructions import hidden_instructions
from rag_platform.text.instructions.injection import flags_of

INSIDE = "!/"
"""Between the address of an archive and the path within it, as in ``jar:`` addresses."""


def _worked() -> float:
    """Return the seconds of processor time of this process and of what converts for it."""
    return time.process_time() + registry.seconds()


@dataclass(slots=True)
class _Walk:
    """The walk through a raw file and its members, with what it has taken so far."""

    options: Options
    limits: Limits
    budget: Mapping[str, float]
    """What all files within the raw file may take together, by what it is counted in."""
    done: set[str]
    """Paths of parts that are not to be read, or not again."""
    spent: float = 0.0
    """Seconds of processor time that other tries to read it took."""
    began: float = field(default_factory=_worked)
    members: int = 0
    unpacked: int = 0
    characters: int = 0

    def parts(self, file: Member, path: str, known: str | None = None, depth: int = 0) -> Iterator[Part | str]:
        """Yield the path of each part before it is read, then the part; what holds others comes after them."""
        yield path
        try:
            file = uncompressed(file, self.limits.member_bytes)
            read = self._extract(file, known)
            self._check_length(read)
        except ExtractionError as error:
            yield Part(path, None, str(error), converter=error.converter if isinstance(error, Unconverted) else "")
            return
        notes = []
        try:
            for member in read.members:
                yield from self._member(member, path, depth)
        except ExtractionError as error:
            notes.append(str(error))
        found = flags_of(
            f"{read.title}\n{read.text}", hidden_instructions(file.content, read.text, html=read.type == "html")
        )
        yield Part(path, replace(read, members=(), flags=(*file.flags, *read.flags, *notes, *found)))

    def _member(self, member: Member, path: str, depth: int) -> Iterator[Part | str]:
        self._count(member, depth)
        inside = path + _within(member)
        if inside in self.done:  # read before, or the second of that name: an archive may hold two
            return
        self.done.add(inside)
        if member.problem:
            yield Part(inside, None, member.problem)
        else:
            yield from self.parts(member, inside, depth=depth + 1)

    def _extract(self, file: Member, known: str | None) -> Extracted:
        return extract(
            file.content,
            uri=file.path,
            content_type=file.content_type,
            type=known,
            options=self.options,
            limits=self.limits,
        )

    def _count(self, member: Member, depth: int) -> None:
        self.members += 1
        self.unpacked += len(member.content)
        taken = (depth + 1, self.members, self.unpacked, self.characters, _worked() - self.began + self.spent)
        for (what, most), value in zip(self.budget.items(), taken, strict=True):
            if value > most:
                raise ExtractionError(f"the rest of the archive was left out: more than {most:.0f} {what}")

    def _check_length(self, read: Extracted) -> None:
        if len(read.text) > self.limits.characters:
            raise ExtractionError(
                f"its text has {len(read.text)} characters, more than the {self.limits.characters} that one document "
                "may have; split the file"
            )
        self.characters += len(read.text)


def budget_of(size: int, options: Options, limits: Limits) -> dict[str, float]:
    """Return what all files within a raw file of so many bytes may take together, in the order of `_Walk._count`.

    It grows with the raw file, so that a small one costs little, whatever it says of itself: a file within an archive
    takes about a hundred bytes of it even when it is empty, and text rarely shrinks to less than a hundredth.
    """
    return {
        "archives within archives": options.archive_depth,
        "files in it": min(options.archive_files, 100 + size // 100),
        "bytes unpacked": min(options.archive_bytes, limits.member_bytes + options.archive_ratio * size),
        "characters of text": limits.total_characters,
        "seconds of processor time": min(options.archive_seconds, 2 * limits.seconds + 20 * size / 1e6),
    }


def _within(member: Member) -> str:
    return INSIDE + member.path.lstrip("/").encode("utf-8", "replace").decode()


def unpack(
    content: bytes,
    *,
    uri: str,
    path: str,
    content_type: str | None = None,
    options: Options = Options(),  # noqa: B008 (frozen)
    limits: Limits = Limits(),  # noqa: B008
) -> Member:
    """Return the file that lies at a path within a raw file, not compressed; with an empty path, the raw file.

    Raises:
        ExtractionError: there is none, or it cannot be unpacked.
    """
    file, at = uncompressed(Member(uri, content, content_type), limits.member_bytes), ""
    while at != path:
        read = extract(file.content, uri=file.path, content_type=file.content_type, options=options, limits=limits)
        steps = ((member, at + _within(member)) for member in read.members)
        found = next((step for step in steps if path == step[1] or path.startswith(step[1] + INSIDE)), None)
        if found is None or found[0].problem:
            raise ExtractionError((found and found[0].problem) or f"there is no {path} in {uri}")
        file, at = uncompressed(found[0], limits.member_bytes), found[1]
    return file


def read_parts(
    content: bytes,
    *,
    uri: str,
    content_type: str | None = None,
    type: str | None = None,  # noqa: A002 (the column's name)
    options: Options = Options(),  # noqa: B008 (frozen)
    limits: Limits = Limits(),  # noqa: B008
    done: Collection[str] = (),
    spent: float = 0.0,
) -> Iterator[Part | str]:
    """Read a raw file.

    Args:
        content: Its bytes.
        uri: Where it is from.
        content_type: The declared media type.
        type: Its format, when it is known.
        options: What the settings say to the readers.
        limits: What it may take.
        done: Paths of parts that were read before: they are left out.
        spent: Seconds of processor time that reading them took, or what ended the reader.

    Yields:
        The path of each part before it is read, so that a reader that dies is known to have died of it; then the
        `Part`. No path comes twice.
    """
    return _Walk(options, limits, budget_of(len(content), options, limits), set(done), spent).parts(
        Member(uri, content, content_type), "", type
    )
