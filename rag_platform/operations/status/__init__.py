"""How a workspace fares: its sources, its uploads, what failed, what it takes of the disk."""
