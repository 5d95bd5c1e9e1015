"""The campaign against the platform: what it promises is tried to be broken, by chance and by design."""
