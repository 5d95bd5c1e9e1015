"""What a portal source is made of: settings, session, login, and a reader for each profile."""
