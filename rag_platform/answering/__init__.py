"""Question -> answer: sentences of the hits, or what a language model wrote of them, each tied to a verified quote.

The path of an answer: retrieval -> prompt -> a generator -> citations -> receipt.
"""

from rag_platform.answering.answerer import FORGOTTEN, LONGEST, NOTHING_ASKED, Answerer
from rag_platform.text.abstention import abstains

__all__ = ["FORGOTTEN", "LONGEST", "NOTHING_ASKED", "Answerer", "abstains"]
