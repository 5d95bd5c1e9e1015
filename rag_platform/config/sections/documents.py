"""How documents are read and cut: [documents], [vision], [transcription] and [chunks] of rag.toml."""

from typing import Literal

from pydantic import Field, model_validator

from rag_platform.config.sections.section import Section
from rag_platform.config.sections.servers import KeyedSection, ServerSettings


class DocumentSettings(Section):
    """How documents are read."""

    ocr: Literal["auto", "off"] = "auto"
    """Recognise the text of images with what is installed, or never."""
    ocr_pages: int = Field(200, ge=1)
    """Most pages of one document that are recognised."""
    converter: Literal["auto", "off"] = "auto"
    """Let other programs, where they are installed, convert files that no reader here reads, or never."""
    max_pages: int = Field(10_000, ge=1)
    """A document that claims more is not read."""
    archive_files: int = Field(20_000, ge=1)
    """Most files of one archive, those of archives in it counted too; and one for each hundred bytes of it."""
    archive_bytes: int = Field(2_000_000_000, ge=1)
    """Most bytes of one archive, unpacked."""
    archive_ratio: int = Field(200, ge=1)
    """Most bytes unpacked for each byte of the archive."""
    archive_depth: int = Field(4, ge=1)
    """Of archives in archives."""
    archive_seconds: float = Field(1800.0, gt=0)
    """Most seconds of processor time for one archive; and 20 for each megabyte of it."""
    near_duplicates: float = Field(0.6, ge=0, le=1)
    """Similarity (Jaccard, of three words in a row) from which two documents are nearly the same; 0: none are."""
    hold_flagged: bool = False
    """Hold documents that try to instruct a language model until somebody accepts them."""
    time_limit: float = Field(60.0, gt=0)
    """Seconds of processor time for each document: how busy the machine is does not count."""
    idle_limit: float = Field(600.0, gt=0)
    """Seconds in which the reader of a document does nothing, also not wait for a processor."""
    memory_limit: int = Field(4096, ge=256)
    """Megabytes that the process of a reader may take."""
    text_limit: int = Field(50_000_000, ge=1)
    """Most characters of one document."""
    attempts: int = Field(5, ge=1)
    """How often a document is read whose reader passes a limit or dies."""
    retry_minutes: float = Field(60.0, ge=0)
    """Until the second attempt; twice as long until each further one."""
    protection: Literal["available", "required"] = "available"
    """Keep readers from network, files and other processes as far as the system can, or read nothing else."""


class VisionSettings(ServerSettings):
    """An OpenAI-compatible server whose model reads pages without text; without `base_url` there is none."""

    timeout: float = Field(120.0, gt=0)
    max_tokens: int = Field(4096, gt=0)
    max_pages: int = Field(20, ge=1)
    """Most pages of one document that it is shown."""


class TranscriptionSettings(KeyedSection):
    """A server of OpenAI's audio transcriptions; without `base_url` there is none, and recordings are not read."""

    base_url: str | None = None
    model: str | None = None
    """None: "whisper-1", which many servers take for the model that they have."""
    api_key_env: str = "OPENAI_API_KEY"
    """Name of the variable that holds the key."""
    timeout: float = Field(600.0, gt=0)
    """Seconds for one recording."""
    max_bytes: int = Field(25_000_000, ge=1)
    """Most bytes of a recording that is sent."""


class ChunkSettings(Section):
    """How documents are cut."""

    unit: Literal["tokens", "characters", "words"] = "tokens"
    """What sizes are counted in; "tokens" are the model's own word pieces."""
    size: int = Field(240, ge=16)
    overlap: int = Field(40, ge=0)

    @model_validator(mode="after")
    def _overlap_is_smaller(self) -> "ChunkSettings":
        if self.overlap > self.size // 2:
            raise ValueError(f"overlap {self.overlap} is more than half of size {self.size}")
        return self
