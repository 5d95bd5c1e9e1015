"""Builds the handbook as a site: `make docs`.

The pages of docs/ stand beside two that are written from the code, with every command and every setting. The build is
strict: a link that leads nowhere, a heading that is not there and a page that nothing leads to fail it.
"""

import logging
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from markdown.blockprocessors import BlockProcessor
from markdown.core import Markdown
from markdown.extensions import Extension
from pydantic_core import PydanticUndefined

from rag_platform.cli.commands import COMMANDS, load_command
from rag_platform.config.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
CONFIGURATION = ROOT / "scripts" / "mkdocs.yml"
SITE = ROOT / "site"
REFERENCE = "reference"
TUTORIALS = ("operator", "asker", "evaluator", "plugin-author", "notebooks")
LOOSE = {"README.md": "index.md", "CHANGELOG.md": "CHANGELOG.md", "CONTRIBUTING.md": "CONTRIBUTING.md"}
"""Pages of the repository's root, and what the site calls them."""


class TwoSpaces(Extension):
    """Lists of Markdown as GitHub reads them: what belongs to an item is indented by two spaces."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  as the library calls it
        """Tell the parts of the parser, which have read it already."""
        md.tab_length = 2
        for part in md.parser.blockprocessors:
            if type(part).__module__ == BlockProcessor.__module__:
                part.__init__(md.parser)  # type: ignore[misc]


def main() -> None:
    """Build the site into the folder that is named, or into site/."""
    site = Path(sys.argv[1]) if sys.argv[1:] else SITE
    with tempfile.TemporaryDirectory(prefix="rag-docs-") as folder:
        build(gather(Path(folder)), site)
    print(f"The handbook is in {site}; `python -m http.server --directory {site} 8010` shows it")


def gather(folder: Path) -> Path:
    """Put all pages into a folder, those that are written from the code among them; return it."""
    shutil.copytree(ROOT / "docs", folder, dirs_exist_ok=True)
    for name, called in LOOSE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        (folder / called).write_text(_as_in_docs(text), encoding="utf-8")
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("](../CHANGELOG.md", "](CHANGELOG.md"), encoding="utf-8")
    decisions = sorted((folder / "decisions").glob("*.md"))
    listed = "".join(f"- [{_title(page)}]({page.name})\n" for page in decisions)
    (folder / "decisions" / "index.md").write_text(f"# Decisions\n\n{listed}", encoding="utf-8")
    (folder / REFERENCE).mkdir()
    (folder / REFERENCE / "commands.md").write_text("".join(commands_page()), encoding="utf-8")
    (folder / REFERENCE / "settings.md").write_text("".join(settings_page()), encoding="utf-8")
    return folder


def build(docs: Path, site: Path) -> None:
    """Build the pages of a folder; raises `SystemExit` when a link or a page is not as it should be."""
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort

    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    configuration = load_config(str(CONFIGURATION), docs_dir=str(docs), site_dir=str(site), strict=True)
    configuration.nav = navigation(docs)
    try:
        build_site(configuration)
    except Abort as error:
        raise SystemExit(f"{error}: see the warnings above") from error


def _as_in_docs(text: str) -> str:
    """Lead the links of a page of the root to where the site has what they mean."""
    text = text.replace("](docs/decisions)", "](decisions/index.md)").replace("](docs/", "](")
    return re.sub(r"\[(\w+)\]\((?:LICENSE|NOTICE)\)", r"\1", text)


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def navigation(docs: Path) -> list[dict[str, Any]]:
    """Say where each page of a folder stands; its folders are parts of the site."""
    loose = [name for name in LOOSE.values() if name != "index.md"]
    parts = {
        "Home": ["index.md"],
        "Tutorials": [f"tutorials/{name}.md" for name in TUTORIALS],
        "Handbook": sorted(page.name for page in docs.glob("*.md") if page.name not in LOOSE.values()),
        "Reference": [f"{REFERENCE}/commands.md", f"{REFERENCE}/settings.md"],
        "Decisions": sorted(f"decisions/{page.name}" for page in (docs / "decisions").glob("*.md")),
        "Project": loose,
    }
    there = {name: [page for page in pages if (docs / page).exists()] for name, pages in parts.items()}
    return [{name: pages if len(pages) > 1 else pages[0]} for name, pages in there.items() if pages]


# --- the reference ------------------------------------------------------------------------------------


def commands_page() -> Iterator[str]:
    """Write every command with its arguments and options, as the code has them."""
    yield "# All commands\n\nWritten from the code. What the commands are for is in [the command line](../cli.md).\n"
    for name in COMMANDS:
        yield from _command(f"rag {name}", load_command(name))


def _command(path: str, command: click.Command) -> Iterator[str]:
    yield f"\n## {path}\n\n{(command.help or '').strip()}\n"
    rows = [row for parameter in command.params if (row := _parameter(parameter))]
    if rows:
        yield "\n| | default | |\n|---|---|---|\n" + "".join(rows)
    for name, inner in getattr(command, "commands", {}).items():
        yield from _command(f"{path} {name}", inner)


def _parameter(parameter: click.Parameter) -> str:
    if getattr(parameter, "hidden", False) or parameter.name == "help":
        return ""
    shown = parameter.make_metavar(click.Context(click.Command("rag"))) or ""
    named = ", ".join([*parameter.opts, *parameter.secondary_opts]) if isinstance(parameter, click.Option) else shown
    takes = f" {shown}" if isinstance(parameter, click.Option) and not parameter.is_flag else ""
    default = parameter.default
    known = "" if callable(default) or default in (None, False, ()) or parameter.required else f"`{default}`"
    return f"| {_cell(f'`{named}{takes}`')} | {_cell(known)} | {_cell(getattr(parameter, 'help', '') or '')} |\n"


def settings_page() -> Iterator[str]:
    """Write every table of rag.toml with its keys, their types and defaults, as the code has them."""
    yield "# All settings\n\nWritten from the code. What they mean is in [settings](../settings.md).\n"
    for table, field in Settings.model_fields.items():
        inner = getattr(field.get_default(call_default_factory=True), "__class__", None)
        if fields := getattr(inner, "model_fields", {}):
            yield f"\n## {table}\n\n| key | type | default |\n|---|---|---|\n"
            for name, one in fields.items():
                kind = str(getattr(one.annotation, "__name__", None) or one.annotation).replace("typing.", "")
                given = "" if one.default is PydanticUndefined else f"`{one.default!r}`"
                yield f"| `{name}` | {_cell(f'`{kind}`')} | {_cell(given)} |\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    main()
