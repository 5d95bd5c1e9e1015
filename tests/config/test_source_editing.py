"""Sources in rag.toml: added, paused and taken out, and values set, while all else stays as people wrote it."""

import threading

import pytest

from rag_platform.config.settings_file import load_settings
from rag_platform.config.source_editing import (
    add_parts,
    add_source,
    change_source,
    pause_source,
    remove_source,
    set_value,
)
from rag_platform.core.errors import AlreadyThere, SettingsError

WRITTEN = '''# What this workspace reads.

[[sources]]   # the first
id = "handbook"     # its name
kind = "folder"
path = "docs"

# About the desk.
[[sources]]
"id" = "desk"
kind = "sql"
url = "sqlite:///desk.sqlite"
query = """
[[sources]]
# no comment """
key = "id"
template = "{a}"

# About the gate, and nothing else.
[gate]
noise = 0.02   # little
'''
NEW = {"id": "site", "kind": "web", "sitemap": "https://example.org/sitemap.xml", "exclude": ["**/drafts/**"]}


@pytest.fixture
def home(tmp_path):
    (tmp_path / "rag.toml").write_text(WRITTEN)
    return tmp_path


def text(home):
    return (home / "rag.toml").read_text()


def test_a_source_is_added_after_the_others_and_nothing_else_moves(home):
    settings = add_source(home, NEW | {"fetch": {"allow_private": True}, "principals": ["group:desk"]})
    assert [source.id for source in settings.sources] == ["handbook", "desk", "site"]
    written = text(home)
    block = written[written.rindex("[[sources]]\nid") : written.index("# About the gate")]
    assert written.replace(block, "") == WRITTEN
    assert load_settings(home).source("site").fetch.allow_private


@pytest.mark.parametrize(
    "before", ["", "# Mine.\n", "[gate]\nnoise = 0.02\n", "# a\r\n\r\n# b\r\n[gate]\r\nnoise = 0.02"]
)
def test_the_first_source_of_a_file(tmp_path, before):
    (tmp_path / "rag.toml").write_text(before, newline="")
    add_source(tmp_path, NEW)
    assert load_settings(tmp_path).source("site").exclude == ("**/drafts/**",)
    assert all(line in text(tmp_path) for line in before.splitlines())


def test_a_source_is_added_in_parts(home):
    parts = add_parts(home, NEW, 3).sources[2:]
    assert [(one.id, one.part, one.collection) for one in parts] == [
        (f"site-{at}", f"{at}/3", "site") for at in (1, 2, 3)
    ]
    assert len({one.model_copy(update={"id": "", "part": None}).model_dump_json() for one in parts}) == 1
    for part in parts:
        remove_source(home, part.id)
    assert text(home) == WRITTEN


def test_parts_are_written_as_people_write_tables(tmp_path):
    add_parts(tmp_path, {"id": "a", "kind": "folder", "path": "a"}, 2)
    table = '[[sources]]\nid = "a-{0}"\npart = "{0}/2"\ncollection = "a"\nkind = "folder"\npath = "a"\n'
    assert text(tmp_path) == table.format(1) + "\n" + table.format(2)


def test_parts_are_added_all_or_none(home):
    add_source(home, NEW | {"id": "site-2"})
    before = text(home)
    with pytest.raises(AlreadyThere, match="site-2"):
        add_parts(home, NEW, 3)
    assert text(home) == before


def test_texts_of_several_lines_come_back_as_they_were(home):
    row = {"id": "rows", "kind": "sql", "url": "sqlite:///x", "key": "a"}
    row |= {"query": 'select a,\n"""b"""\n[[sources]]\n', "template": "# {a}\n\n\\n 'x'\n"}
    add_source(home, row)
    found = load_settings(home).source("rows")
    assert (found.query, found.template) == (row["query"], row["template"])
    remove_source(home, "rows")
    assert text(home) == WRITTEN


def test_what_would_be_wrong_changes_nothing(home):
    for wrong in ({"id": "x", "kind": "web"}, {"id": "A B", "kind": "folder", "path": "x"}, {"id": "y", "kind": "no"}):
        with pytest.raises(SettingsError):
            add_source(home, wrong)
    with pytest.raises(SettingsError, match="leave out what is null"):
        add_source(home, NEW | {"fetch": {"timeout": None}})
    with pytest.raises(AlreadyThere):
        add_source(home, {"id": "desk", "kind": "folder", "path": "x"})
    with pytest.raises(SettingsError, match="known: handbook, desk"):
        remove_source(home, "nobody")
    assert text(home) == WRITTEN


def test_pausing_and_resuming_leaves_no_trace(home):
    for name in ("handbook", "desk"):
        assert pause_source(home, name).source(name).paused
        assert load_settings(home).source(name).paused
        assert pause_source(home, name).source(name).paused  # twice is no error
        pause_source(home, name, paused=False)
        assert text(home) == WRITTEN


def test_a_source_goes_with_its_own_comments_only(home):
    assert [source.id for source in remove_source(home, "desk").sources] == ["handbook"]
    assert "# About the gate, and nothing else.\n[gate]\nnoise = 0.02   # little\n" in text(home)
    assert "desk.sqlite" not in text(home)
    assert remove_source(home, "handbook").sources == ()


WITH_INNER = """# Mine.

[[sources]]
id = "a"
kind = "feed"
urls = ["https://a.example/feed"]

# how it is fetched
[sources.fetch]
delay = 3   # seconds
# retries = 2

# about b
[[sources]]
id = "b"
kind = "folder"
path = "b"
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_inner_tables_belong_to_their_source(tmp_path, end):
    (tmp_path / "rag.toml").write_text(WITH_INNER.replace("\n", end), newline="")
    pause_source(tmp_path, "a")
    assert text(tmp_path) == WITH_INNER.replace('id = "a"\n', 'id = "a"\npaused = true\n')
    pause_source(tmp_path, "a", paused=False)
    add_source(tmp_path, {"id": "c", "kind": "folder", "path": "c"})
    remove_source(tmp_path, "c")
    assert (tmp_path / "rag.toml").read_bytes().decode() == WITH_INNER.replace("\n", end)
    remove_source(tmp_path, "b")
    assert text(tmp_path) == WITH_INNER[: WITH_INNER.index('[[sources]]\nid = "b"')]
    (tmp_path / "rag.toml").write_text(WITH_INNER.replace("\n", end), newline="")
    assert [source.id for source in remove_source(tmp_path, "a").sources] == ["b"]
    about_b = WITH_INNER[WITH_INNER.index("# about b") :]
    assert text(tmp_path) == "# Mine.\n\n" + about_b
    assert remove_source(tmp_path, "b").sources == ()
    assert text(tmp_path) == "# Mine.\n\n# about b\n"


def test_tables_of_sources_between_others_are_refused_with_what_to_do(tmp_path):
    before = '[[sources]]\nid = "a"\nkind = "folder"\npath = "x"\n[gate]\nnoise = 0.02\n'
    before += '[[sources]]\nid = "b"\nkind = "folder"\npath = "y"\n'
    (tmp_path / "rag.toml").write_text(before)
    with pytest.raises(SettingsError, match="put these together, or change the file by hand"):
        pause_source(tmp_path, "b")
    assert text(tmp_path) == before


def test_a_list_in_one_line_is_refused_with_what_to_do(tmp_path):
    before = 'sources = [{id = "a", kind = "folder", path = "x"}]\n'
    (tmp_path / "rag.toml").write_text(before)
    with pytest.raises(SettingsError, match="by hand"):
        add_source(tmp_path, NEW)
    assert text(tmp_path) == before


def test_many_at_once_all_arrive(home):
    ids = [f"s{number}" for number in range(12)]
    threads = [threading.Thread(target=add_source, args=(home, NEW | {"id": one})) for one in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {source.id for source in load_settings(home).sources} == {"handbook", "desk", *ids}


def test_a_link_and_its_permissions_are_kept(home, tmp_path):
    real = tmp_path / "elsewhere.toml"
    (home / "rag.toml").rename(real)
    (home / "rag.toml").symlink_to(real)
    real.chmod(0o640)
    add_source(home, NEW)
    assert (home / "rag.toml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_value_is_set_in_its_section_or_in_a_new_one_at_the_end(home, monkeypatch):
    assert set_value(home, "gate", "noise", 0.05).gate.noise == 0.05
    assert text(home) == WRITTEN.replace("noise = 0.02   # little", "noise = 0.05   # little")
    assert set_value(home, "answer", "threshold", 0.27).answer.threshold == 0.27
    assert text(home).endswith("# little\n\n[answer]\nthreshold = 0.27\n")
    before = text(home)
    with pytest.raises(SettingsError, match="threshold"):
        set_value(home, "answer", "threshold", 2.0)
    monkeypatch.setenv("RAG_ANSWER__THRESHOLD", "0.5")
    with pytest.raises(SettingsError, match="RAG_ANSWER__THRESHOLD"):
        set_value(home, "answer", "threshold", 0.3)
    assert text(home) == before


def test_a_source_is_changed_in_its_place_and_the_rest_stays_as_written(tmp_path):
    text = (
        '# ours\n[[sources]]\nid = "a" # the first\nkind = "folder"\npath = "x" # here\nexclude = ["b"]\n\n'
        '[[sources.rules]]\nmatch = "*.md"\ntags = ["t"]\n\n# what follows\n[answer]\nsources = 3\n'
    )
    (tmp_path / "rag.toml").write_text(text)
    changed = change_source(tmp_path, "a", {"path": "y", "include": ["*.md"], "exclude": None}).source("a")
    assert (str(changed.path), changed.include, changed.exclude) == ("y", ("*.md",), ())
    written = (tmp_path / "rag.toml").read_text()
    assert (
        'id = "a" # the first' in written and "# what follows\n[answer]" in written and "[[sources.rules]]" in written
    )
    assert not change_source(tmp_path, "a", {"rules": None}).source("a").rules
    assert "# what follows\n[answer]" in (tmp_path / "rag.toml").read_text()
    before = (tmp_path / "rag.toml").read_text()
    for wrong in ({"path": 3}, {"id": "b"}, {"nonsense": 1}):
        with pytest.raises(SettingsError):
            change_source(tmp_path, "a", wrong)
    assert (tmp_path / "rag.toml").read_text() == before
