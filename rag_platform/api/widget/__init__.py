"""A button for pages of others, which opens a panel to ask in: its files, and the two routes behind it."""
