"""Where a file is kept as it was before an upgrade changed its form, so that the older release can be used again."""

from pathlib import Path

UPGRADES = "before-upgrade"
"""The folder of such copies, beside the file."""


def upgrade_copy(path: Path, version: int) -> Path:
    """Return where a file is kept as it was in that version of its form."""
    return path.parent / UPGRADES / f"{path.stem}-{version}{path.suffix}"


def upgrade_copies(data: Path) -> list[Path]:
    """Return all such copies below a folder."""
    return sorted(path for path in data.rglob(f"{UPGRADES}/*") if path.is_file())
