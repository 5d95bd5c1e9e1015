"""What a question measured stays while its hits do: then it is not answered again, which takes longest.

An answer is written of the hits and judged against the labels. It also depends on how rare words are in the whole
corpus; where that moved by more than a rounding, the scores of the hits moved too.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evals.measures.answer_metrics import ANSWERING, STATES
from evals.measures.evaluation_memo import EvaluationMemo
from evals.measures.ragas_metrics import RAGAS
from evals.questions.labels import Label
from evals.questions.question import Question, fingerprint
from rag_platform.core.hits import Duplicate, Hit
from rag_platform.core.ids import digest

_NAMES = (*ANSWERING, *STATES, *RAGAS)
_DIGITS = 3
"""Of scores, which are in [0, 1]; the next one is what words' weights change with any edit."""
_NOT_APPLIED = -np.inf

Measures = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class KeptMeasures:
    """The measures of questions by what they depend on."""

    memo: EvaluationMemo
    conditions: str
    """Digest of all else that hits and answers depend on: settings, models."""
    revisions: Mapping[str, str]
    """The revision of each document of the version, by `doc_id`."""

    def key(self, question: Question, labels: Sequence[Label], hits: Sequence[Hit]) -> str:
        """Return what the measures of a question go by."""
        places = [[label.id, [(span.doc_id, span.start, span.end) for span in label.spans]] for label in labels]
        found = [(*self._passage(hit), round(hit.score, _DIGITS), *map(self._passage, hit.duplicates)) for hit in hits]
        return digest("measures", self.conditions, fingerprint([question]), json.dumps([places, found]), length=32)

    def get(self, key: str) -> Measures | None:
        """Return what was measured; None: nothing is known."""
        found = self.memo.get(key)
        if found is None or len(found) != len(_NAMES):
            return None
        known = zip(_NAMES, found.tolist(), strict=True)
        return {name: None if value == _NOT_APPLIED else value for name, value in known}

    def put(self, key: str, measures: Mapping[str, float | None]) -> None:
        """Keep what was measured: of all measures those that are in `_NAMES`."""
        values = [measures.get(name) for name in _NAMES]
        self.memo.put(key, np.array([_NOT_APPLIED if value is None else value for value in values]), 0.0)

    def _passage(self, hit: Hit | Duplicate) -> tuple[str, str | None, Sequence[int]]:
        return hit.chunk_id, self.revisions.get(hit.doc_id), tuple(hit.span)
