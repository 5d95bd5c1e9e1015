"""What is taken out of records that tell of a forgotten document."""

from rag_platform.erasure.targets import Remains
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.erasure.traces import Scrubber


def test_a_question_that_leads_to_a_forgotten_document_goes_with_it():
    gone, stays = "a" * 16, "b" * 16
    scrubber = Scrubber(Remains(frozenset([gone]), ("otter.md",), ("Short.",), None), Fingerprints(["Short."]))
    examples = [
        {"question": "What of the otter?", "documents": [gone], "language": "en"},
        {"question": "Where do herons nest?", "documents": [stays], "language": ""},
        {"documents": [{"of": "another kind"}, None], "doc_id": 7},
    ]
    assert scrubber.value({"scores": {"examples": examples}}) == {"scores": {"examples": examples[1:]}}
