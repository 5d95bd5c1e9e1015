"""What an answerer yields while it works."""

from collections.abc import Generator

from rag_platform.core.answers import Answer
from rag_platform.core.generation import Piece, Reply
from rag_platform.retrieval.results import SearchResult

AnswerEvent = SearchResult | Piece | Reply | Answer
"""The result of each search, text and reasoning as they come, and last the verified answer.

With wishes, also what the model's server replied, which is the last where the model calls tools."""
AnswerEvents = Generator[AnswerEvent, None, None]
