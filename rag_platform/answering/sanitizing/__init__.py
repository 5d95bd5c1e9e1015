"""Text that a model wrote -> text that may be shown."""
