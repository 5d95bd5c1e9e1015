"""Text that tries to instruct a language model which reads it: by its wording, also disguised."""
