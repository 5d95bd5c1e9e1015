"""Microsoft Teams, by the Bot Framework's protocol: a thread is a chat, sources are a card, thumbs are feedback."""
