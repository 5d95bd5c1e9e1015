"""``python -m rag_platform`` is the command `rag`."""

from rag_platform.cli import main

main()
