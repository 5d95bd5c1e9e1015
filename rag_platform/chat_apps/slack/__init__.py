"""Slack, by Bolt and socket mode: a thread is a chat, citations are blocks, thumbs are feedback."""
