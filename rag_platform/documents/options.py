"""The options of the readers, and the limits that they keep to."""

from dataclasses import dataclass, field

ENCRYPTED = "this PDF is encrypted"
"""The beginning of a reason that another password may remove."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the settings say to the readers; what they return depends on it. Values must be JSON's."""

    language: str | None = None
    """What the source says its documents are written in: recognition of scanned pages goes by it."""
    comments: bool = False
    """Keep what readers wrote below a page."""
    pages: int = 10_000
    """Most pages of one document."""
    page_text: str = "auto"
    """What the text of pages is read from: one of `config.sections.sources.PageText`."""
    ocr: str = ""
    """What recognises the text of images, as `ocr.engines` returns it; "off" in the settings; empty: none is there."""
    ocr_pages: int = 200
    """Most pages of one document that are recognised."""
    converter: str = ""
    """What converts files that no reader here reads, as `registry.installed` returns it; "off" in the settings;
    empty: nothing is there."""
    keys: tuple[str, ...] = ()
    """Names of the variables that hold passwords."""
    passwords: tuple[str, ...] = field(default=(), repr=False)
    """What they hold, in the same order; empty: the variable is not set. No record has them: `repr` leaves them out."""
    archive_files: int = 20_000
    """Most files within one raw file, those of archives in archives counted too; see `unpacking.budget_of`."""
    archive_bytes: int = 2_000_000_000
    """Most bytes of all of them, unpacked."""
    archive_ratio: int = 200
    """Most bytes unpacked for each byte of the raw file."""
    archive_depth: int = 4
    """Of archives within archives."""
    archive_seconds: float = 1800.0
    """Of processor time, for all of them."""
    vision: str = ""
    """Server and name of the vision model for pages without text; it is called outside the sandbox, with its key."""
    transcription: str = ""
    """Server and name of the model that writes down what is said in recordings; it is called outside the sandbox."""
    vision_pages: int = 20
    """Most pages of one document that it reads."""

    @property
    def shows_pages(self) -> bool:
        """Whether pictures of pages go to a vision model."""
        return bool(self.vision) and self.page_text in ("auto", "vision")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one raw file may take, so that a hostile one costs itself alone."""

    seconds: float = 60.0
    """Of processor time, for each document in it: a busy machine costs no document."""
    idle_seconds: float = 600.0
    """In which its reader neither works nor waits for a processor, for each document in it."""
    memory: int = 4 << 30
    """Bytes of address space of the process that reads."""
    answer_bytes: int = 2 << 30
    """That its reader may answer in all: one that a file has taken over could answer without end."""
    confined: bool = False
    """Read it only in a process that can reach nothing of the system; else as well as the system can."""
    characters: int = 50_000_000
    """Of one document's text."""
    total_characters: int = 500_000_000
    """Of all documents in it: they are held in memory together."""
    member_bytes: int = 200_000_000
    """Of one file within it, unpacked."""
    crashes: int = 20
    """Files within it that end their reader or take too long; what comes after them is left out."""
