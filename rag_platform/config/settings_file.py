"""rag.toml and RAG_* variables -> settings; every error names the file, the key, the value and what was expected."""

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import SettingsError as UnreadableVariable

from rag_platform.config.settings import FILE, Settings
from rag_platform.config.settings_errors import describe, describe_variable
from rag_platform.config.source_kinds import kind_of
from rag_platform.core.errors import SettingsError


def home_folder(home: str | Path | None = None) -> Path:
    """Return the workspace's folder: the argument, else RAG_HOME, else the current folder."""
    return Path(home or os.environ.get("RAG_HOME") or ".").expanduser().resolve()


def load_settings(home: str | Path | None = None) -> Settings:
    """Read the settings of a workspace; a missing rag.toml means the defaults and no sources."""
    folder = home_folder(home)
    path = folder / FILE
    return settings_from(_text_of(path) if path.exists() else "", folder)


def settings_from(text: str, folder: Path) -> Settings:
    """Read the settings of the workspace in `folder` from the text of its rag.toml; `SettingsError` as that has."""
    path = folder / FILE
    content = _parsed(text, path)
    if "home" in content:
        raise SettingsError(f"{path}: home cannot be set in the file; use --home or RAG_HOME")
    saved = os.environ.pop("RAG_HOME", None)  # already resolved: as a variable it would win over `folder`
    try:
        return Settings(**_inherit_fetch(content), home=folder)
    except ValidationError as error:
        raise SettingsError(describe(error, Settings, path, content)) from None
    except UnreadableVariable as error:
        raise SettingsError(describe_variable(error)) from None
    finally:
        if saved is not None:
            os.environ["RAG_HOME"] = saved


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from error


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from error


def _inherit_fetch(content: dict[str, Any]) -> dict[str, Any]:
    """Let each source start from the workspace's [fetch]."""
    common = content.get("fetch", {})
    sources = content.get("sources", [])
    if not isinstance(common, dict) or not isinstance(sources, list):
        return content  # validation says what is wrong
    merged = [
        {**source, "fetch": {**common, **source.get("fetch", {})}}
        if isinstance(source, dict) and _fetches(source.get("kind"))
        else source
        for source in sources
    ]
    return {**content, "sources": merged}


def _fetches(kind: object) -> bool:
    try:
        return "fetch" in kind_of(kind).settings.model_fields
    except (ValueError, TypeError):
        return False  # validation says what is wrong
