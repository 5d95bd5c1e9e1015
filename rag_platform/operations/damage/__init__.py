"""Damage to the files of a workspace: found, explained, and mended without losing anything."""
