"""Mailboxes on an IMAP server: conversations, from all folders together."""
