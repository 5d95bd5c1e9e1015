"""Who may read what, as people decide it and as sources say it today: asked at the moment of each query."""

from rag_platform.access.access_rules import AccessRules
from rag_platform.access.document_access import DocumentAccess
from rag_platform.access.permission import Access, asking_once
from rag_platform.access.ruled import Readable

__all__ = ["Access", "AccessRules", "DocumentAccess", "Readable", "asking_once"]
