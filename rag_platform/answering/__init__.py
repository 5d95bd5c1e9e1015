"""Question -> answer: sentences of the hits, or what a language model wrote of them, each tied to a verified quote.

The path of an answer: retrieval -> prompt -> a generator -> citations -> receipt.
"""

from rag_platform.answering.answerer import Answerer
from rag_platform.answering.ask_options import LONGEST
from rag_platform.answering.generation_step import NO_QUESTION
from rag_platform.answering.recording_step import FORGOTTEN
from rag_platform.text.abstention import abstains

__all__ = ["FORGOTTEN", "LONGEST", "NO_QUESTION", "Answerer", "abstains"]
