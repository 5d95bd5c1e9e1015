"""A workspace of a few files, and a chat in which questions about them were answered."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace

SOURCE = '[[sources]]\nid = "docs"\nkind = "folder"\npath = "docs"\nmin_words = 1\n'


def asked_chat(home: Path, files: Mapping[str, bytes], questions: Iterable[str], embedder) -> tuple[Workspace, str]:
    """Publish the files and ask the questions; returns the workspace and the chat's id."""
    (home / "docs").mkdir()
    for name, content in files.items():
        (home / "docs" / name).write_bytes(content)
    (home / "rag.toml").write_text(SOURCE)
    workspace = open_workspace(home)
    workspace.embedder = embedder
    pipeline = Pipeline(workspace)
    pipeline.sync_source("docs")
    workspace.versions.promote(pipeline.build().version, "test")
    chat = workspace.chats.begin("About the files")
    for question in questions:
        answer = workspace.answerer.ask(question)
        workspace.chats.say(chat, "user", question)
        workspace.chats.say(chat, "assistant", answer.answer, answer.receipt_id)
    return workspace, chat
