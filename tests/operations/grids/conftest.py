"""A workspace of leases, published by the real stages with the real model."""

import pytest

from rag_platform.pipeline.sync import sync
from rag_platform.workspace import open_workspace
from tests.copies import copy_of
from tests.pipeline.fixed_gate import FixedGate

ILSE, BOARD = "user:ilse@example.org", "group:board"
LEASES = {
    "harbour": "The monthly rent is 1,250 crowns.\n\nThe tenant may end the lease with a notice of three months.",
    "mill": "The monthly rent is 980 crowns.\n\nThe garden is shared with the house next door.",
}
SECRET = "The monthly rent is 7,400 crowns.\n\nThe tenant may end the lease with a notice of nine months."


@pytest.fixture(scope="session")
def leases(tmp_path_factory, embedder):
    """The folder of a workspace: two leases that everybody may read, one for the board."""
    home = tmp_path_factory.mktemp("leases")
    places = {"open": LEASES, "closed": {"palace": SECRET}}
    text = ""
    for source, documents in places.items():
        (home / source).mkdir()
        readers = "" if source == "open" else f'principals = ["{BOARD}"]\n'
        text += f'[[sources]]\nid = "{source}"\nkind = "folder"\npath = "{source}"\ncollection = "{source}"\n'
        text += f"min_words = 1\n{readers}"
        for name, said in documents.items():
            (home / source / f"{name}.md").write_text(f"# Lease of the {name}\n\n{said}\n")
    (home / "rag.toml").write_text(text)
    workspace = open_workspace(home)
    workspace.embedder = embedder
    assert sync(workspace, gate=FixedGate(workspace)).moved
    return home


@pytest.fixture
def workspace(leases, embedder, tmp_path):
    """A copy of it, opened."""
    opened = open_workspace(copy_of(leases, tmp_path / "home"))
    opened.embedder = embedder
    return opened
