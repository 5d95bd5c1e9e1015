"""Templates: questions that are asked again and again, with gaps that are filled in when they are used."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rag_platform.people.sharing.shelf import Shelf

LONGEST_TEMPLATE = 2000
"""Characters of a template: as many as of a question are read."""
_GAP = re.compile(r"\{\{([^{}\n]{1,60})\}\}")


@dataclass(frozen=True, slots=True)
class QuestionTemplate:
    """A question with gaps, as in ``What changed in {{product}} since {{year}}?``."""

    text: str = ""

    @property
    def gaps(self) -> tuple[str, ...]:
        """The names in double braces, each once, in their order."""
        return tuple(dict.fromkeys(filter(None, (one.strip() for one in _GAP.findall(self.text)))))

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the question with what was given for its gaps; braces in a value stay as they are."""
        return _GAP.sub(lambda found: values.get(found[1].strip(), found[0]).strip(), self.text).strip()


QuestionTemplates = Shelf[QuestionTemplate]
