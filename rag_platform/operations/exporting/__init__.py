"""What a version holds, written for other programs: within the rights of whoever asks, a few documents at a time."""
