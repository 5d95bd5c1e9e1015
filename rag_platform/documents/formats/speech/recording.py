"""Recordings, sound and film: a server writes down what is said, outside the sandbox; here they are only known."""

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.options import Options

SUFFIXES = (
    ".aac", ".aif", ".aiff", ".amr", ".avi", ".flac", ".m4a", ".m4v", ".mka", ".mkv", ".mov", ".mp3", ".mp4", ".mpga",
    ".oga", ".ogg", ".ogv", ".opus", ".wav", ".weba", ".webm", ".wma", ".wmv",
)  # fmt: skip
_PICTURES = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis")
"""Brands of files that are built like films and hold pictures."""
_MARKS = (b"ID3", b"OggS", b"fLaC", b"\x1aE\xdf\xa3", b"#!AMR", b"0&\xb2u\x8ef\xcf\x11", b"\x00\x00\x01\xba")


def is_recording(content: bytes) -> bool:
    """Return whether the first bytes are those of sound or a film."""
    if content[4:8] == b"ftyp":
        return content[8:12] not in _PICTURES
    if content[:4] in (b"RIFF", b"FORM"):
        return content[8:12] in (b"WAVE", b"AVI ", b"AIFF", b"AIFC")
    return content.startswith(_MARKS)


def read_recording(content: bytes, *, options: Options) -> Extracted:
    """Return a document without words, for the server of [transcription] to fill.

    Raises:
        ExtractionError: There is no such server, or nothing to send to it.
    """
    if not options.transcription:
        raise ExtractionError("a recording: what is said in it is read where [transcription] names a server")
    if not content:
        raise ExtractionError("an empty recording")
    return Extracted(text="", type="recording", kind="recording")
