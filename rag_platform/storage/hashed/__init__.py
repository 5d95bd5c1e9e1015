"""Files whose hash is stored with them, so that damage to them is known."""
