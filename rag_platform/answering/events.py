"""What an answerer yields while it works."""

from collections.abc import Generator

from rag_platform.core.answers import Answer
from rag_platform.core.generation import Piece
from rag_platform.retrieval.results import SearchResult

AnswerEvent = SearchResult | Piece | Answer
"""The result of each search, text and reasoning as they come, and last the verified answer."""
AnswerEvents = Generator[AnswerEvent, None, None]
