"""Sources -> a published version: the stages in their order."""
