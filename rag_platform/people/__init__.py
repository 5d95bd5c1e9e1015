"""Who asks: identity and roles, tokens, rate limits, chats."""
