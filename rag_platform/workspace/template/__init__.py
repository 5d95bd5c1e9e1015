"""A workspace to begin with: a commented rag.toml, Dagster's settings, and a sample document."""

import json
import shutil
from pathlib import Path


def write_workspace(home: Path) -> None:
    """Write the template into a folder."""
    code = shutil.ignore_patterns("__init__.py", "__pycache__")
    shutil.copytree(Path(__file__).parent, home, dirs_exist_ok=True, ignore=code)
    # Dagster takes a relative path from wherever it is started, which is the checkout and not the workspace.
    settings = home / "dagster.yaml"
    state = json.dumps(str(home / "data" / "dagster"))[1:-1]
    settings.write_text(settings.read_text(encoding="utf-8").replace("STATE", state), encoding="utf-8")
