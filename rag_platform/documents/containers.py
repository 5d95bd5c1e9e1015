"""Formats of files that hold documents of their own."""

ARCHIVES = ("7z", "rar", "tar", "zip")
"""Files packed together, for storing or sending."""
CHATS = ("chat", "slack", "whatsapp")
"""Exports of conversations."""
CONTAINERS = (*ARCHIVES, *CHATS, "enex", "mbox", "notion")
"""Formats without a text of their own."""
HOLDERS = (*CONTAINERS, "email", "msg")
"""Formats whose files may hold documents that are readable by others, or forgotten."""
