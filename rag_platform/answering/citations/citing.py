"""A piece of a hit -> the citation of it."""

from rag_platform.core.answers import Citation
from rag_platform.core.hits import Hit


def cite(hit: Hit, span: tuple[int, int], n: int = 0, highlight: tuple[int, int] | None = None) -> Citation:
    """Return the citation of a piece of a hit; `span` and `highlight` count in the hit's text."""
    passage, (page, label) = hit.at(hit.span[0] + span[0]), hit.page_of(hit.span[0] + span[0])
    return Citation(
        n=n,
        doc_id=hit.doc_id,
        chunk_id=passage.chunk_id,
        uri=hit.uri,
        title=hit.title,
        quote=hit.text[slice(*span)],
        span=_of_document(hit, span),
        raw_sha256=hit.raw_sha256,
        published_at=hit.published_at,
        page=page,
        page_label=label,
        trust=hit.trust,
        language=hit.language,
        highlight=_of_document(hit, highlight) if highlight else None,
    )


def _of_document(hit: Hit, span: tuple[int, int]) -> tuple[int, int]:
    return hit.span[0] + span[0], hit.span[0] + span[1]
