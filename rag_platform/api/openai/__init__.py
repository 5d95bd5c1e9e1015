"""What clients of OpenAI's API speak, so that they use the workspace as a model."""
