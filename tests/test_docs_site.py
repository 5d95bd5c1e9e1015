"""The handbook as a site: strict, searchable, with every command and setting, and nothing of another host."""

import json
import re

import pytest

from rag_platform.config.settings import Settings
from tests.test_docs import COMMANDS, OPTIONS

pytest.importorskip("mkdocs")
build_docs = pytest.importorskip("scripts.build_docs")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = tmp_path_factory.mktemp("built") / "site"
    build_docs.build(build_docs.gather(tmp_path_factory.mktemp("pages")), site)  # any warning ends it
    return site


def test_the_search_knows_every_page(site):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    places = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {"", "sources/", "export/", "tutorials/operator/", "reference/commands/", "decisions/"} <= places


def test_a_page_asks_nothing_of_another_host(site):
    loaded = re.compile(r'<(?:script|img|iframe)[^>]+src="https?://|<link[^>]+rel="stylesheet"[^>]+href="https?://')
    pages = [*site.rglob("*.html")]
    assert len(pages) > 60
    assert [page.parent.name for page in pages if loaded.search(page.read_text(encoding="utf-8"))] == []


def test_a_list_within_a_list_is_one(site):
    page = (site / "sources" / "index.html").read_text(encoding="utf-8")
    assert re.search(r"<li>(?:(?!</li>).)*<table>(?:(?!</li>).)*PostgreSQL", page, re.DOTALL)


def test_the_reference_has_every_command_option_and_setting():
    commands, settings = "".join(build_docs.commands_page()), "".join(build_docs.settings_page())
    assert [path for path in COMMANDS if f"\n## {path}\n" not in commands] == []
    assert [option.opts[0] for _, option in OPTIONS if option.opts[0] not in commands] == []
    tables = {name: field.get_default(call_default_factory=True) for name, field in Settings.model_fields.items()}
    keys = [key for table in tables.values() for key in getattr(type(table), "model_fields", ())]
    assert len(keys) > 50
    assert [key for key in keys if f"| `{key}` |" not in settings] == []


@pytest.mark.parametrize("link", ["gone.md", "other.md#nowhere", "../scripts/x.py"])
def test_a_link_that_leads_nowhere_fails_the_build(tmp_path, link):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text(f"# Home\n\n[there]({link})\n")
    (docs / "other.md").write_text("# Other\n")
    with pytest.raises(SystemExit, match="strict"):
        build_docs.build(docs, tmp_path / "site")
