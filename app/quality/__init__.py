"""Quality: how good the versions are, which is live, and the questions that judge them."""
