"""The applications above the library: `assets` (Dagster), `app` (the page) and `evals` (the gate and its measures).

In a checkout they lie beside `rag_platform`; a wheel carries them below it, since their names are too generic for an
environment. The library never imports them by name: it asks here, where it uses them, and says which extra is missing.
"""

import importlib
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from rag_platform.core.errors import MissingExtra, RagError

NAMES = ("assets", "app", "evals")
_LIBRARY = Path(__file__).resolve().parents[1]
_CARRIED = _LIBRARY / "_applications"


def applications_folder() -> Path:
    """Return the folder that holds the three: the checkout's, else the one that the wheel carries."""
    for folder in (_LIBRARY.parent, _CARRIED):
        if (folder / "assets" / "definitions.py").is_file():
            return folder
    raise RagError(
        f"the applications {', '.join(NAMES)} are neither in {_LIBRARY.parent} nor in {_CARRIED}; "
        "this installation is incomplete: install the wheel again"
    )


def load_application(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import a module of an application, such as `evals.commands.evaluation`.

    Args:
        module: its whole name.
        extra: what brings the packages that it needs.
        purpose: what needs it, for the error.

    Raises:
        MissingExtra: a package that it needs is not installed.
    """
    _register(module.partition(".")[0])
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "rag_platform", *NAMES):
            raise  # a mistake of ours, not a package that is absent
        raise MissingExtra(missing, extra, purpose) from error


def child_environment(**variables: str) -> dict[str, str]:
    """Return the environment of a process that imports the applications by name."""
    paths = [str(applications_folder()), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **variables}


def _register(name: str) -> None:
    """Make our package the one of that name; another may be installed, or lie in the current folder."""
    folder = applications_folder() / name
    known = sys.modules.get(name)
    if known is not None:
        if folder in (Path(path).resolve() for path in known.__path__):
            return
        raise RagError(f"another package called {name!r} is loaded from {list(known.__path__)}; expected {folder}")
    spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise RagError(f"{folder} is no package; this installation is incomplete: install the wheel again")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
