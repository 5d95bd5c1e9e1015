"""Ask: what of an answer and of its sources is more than words."""
