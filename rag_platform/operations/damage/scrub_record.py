"""What is remembered of the scrub: how far it came, when, and which files it found damaged."""

from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed, unsealed

BLOBS = "raw/blobs/"
"""Where the raw bytes of documents lie, below the folder of data."""
_FILE = "scrub.json"
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ScrubRecord:
    """It stays small however many files there are. Moments are ISO texts."""

    after: str = ""
    """The file that was read last, below the folder of data; the next one is due."""
    turns: tuple[str, ...] = ()
    """When the last two turns through all files began."""
    at: str | None = None
    """When a day's part was last read to its end."""
    found: dict[str, str] = field(default_factory=dict)
    """The damaged files, each with the moment at which it was found."""

    @property
    def whole_since(self) -> str | None:
        """Since when every file has been read; None: not every one has been yet."""
        return self.turns[0] if len(self.turns) > 1 else None

    def due(self, now: datetime) -> bool:
        """Return whether a day has gone by since the last part, or the clock was turned back."""
        return self.at is None or not timedelta() <= now - datetime.fromisoformat(self.at) < _DAY

    def read(self, name: str, now: datetime, *, damaged: bool) -> "ScrubRecord":
        """Return what is remembered once a file was read."""
        begins = not self.turns or place(name) <= place(self.after)
        found = {known: at for known, at in self.found.items() if known != name}
        return replace(
            self,
            after=name,
            turns=(*self.turns[-1:], now.isoformat()) if begins else self.turns,
            found=found | ({name: self.found.get(name, now.isoformat())} if damaged else {}),
        )


def place(name: str) -> tuple[bool, str]:
    """Return what orders the files: raw bytes are the last, since they are many and are listed as they are read."""
    return name.startswith(BLOBS), name


def read_record(data: Path) -> ScrubRecord:
    """Return what is remembered; where that is missing or damaged, the scrub begins anew."""
    try:
        noted = unsealed((data / _FILE).read_bytes())
        return ScrubRecord(**{**noted, "turns": tuple(noted["turns"])})
    except (OSError, ValueError, TypeError, KeyError):
        return ScrubRecord()


def write_record(data: Path, record: ScrubRecord) -> None:
    """Remember it."""
    write_bytes(data / _FILE, sealed(asdict(record)))
