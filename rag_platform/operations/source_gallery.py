"""The kinds of source that there are, for a gallery: what each reads and needs, and a table to begin with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.source_kinds import Kind, kind_names, kind_of
from rag_platform.core.installation import install_command
from rag_platform.operations.extras import PACKAGES


@dataclass(frozen=True, slots=True)
class KindCard:
    """One kind of source."""

    name: str
    reads: str = ""
    required: tuple[str, ...] = ()
    """Keys that it wants."""
    optional: tuple[str, ...] = ()
    """Keys of its own that it takes."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Extra that it or some of what it reads needs, and that is not installed -> the command that installs it."""
    example: str = ""
    """A table of rag.toml."""
    error: str = ""
    """Why its package cannot be used."""


def source_gallery() -> list[KindCard]:
    """Return all kinds; one whose package cannot be loaded is shown with the reason."""
    return [_card(name) for name in kind_names()]


def _card(name: str) -> KindCard:
    try:
        kind = kind_of(name)
    except ValueError as error:
        return KindCard(name, error=str(error))
    own = {key: about for key, about in kind.settings.model_fields.items() if key not in SourceSettings.model_fields}
    return KindCard(
        name,
        reads=(kind.settings.__doc__ or "").strip().partition("\n")[0],
        required=tuple(key for key, about in own.items() if about.is_required()),
        optional=tuple(key for key, about in own.items() if not about.is_required()),
        missing={extra: install_command(extra) for extra in kind.extras if not _installed(extra)},
        example=kind.example.strip() or _outline(name, kind),
    )


def _outline(name: str, kind: Kind) -> str:
    """Write the table of a kind that gives no example: its required keys, still empty."""
    required = [key for key, about in kind.settings.model_fields.items() if about.is_required() and key != "kind"]
    lines = (f'{key} = "{name if key == "id" else "…"}"' for key in required)
    return "\n".join(["[[sources]]", f'kind = "{name}"', *lines])


def _installed(extra: str) -> bool:
    try:
        return all(version(package) for package, brought_by, _ in PACKAGES if brought_by == extra)
    except PackageNotFoundError:
        return False
