"""Settings to the check that they name."""

from collections.abc import Callable

from rag_platform.answering.checks.cached import FILE, CachedCheck, JudgementFile
from rag_platform.answering.checks.check import Check
from rag_platform.answering.checks.own_curve import FOLDER
from rag_platform.config.settings import Settings
from rag_platform.core import ports
from rag_platform.llm.client import OpenAICompatible


def judgement_file(settings: Settings) -> JudgementFile:
    """Return the judgements that a workspace keeps."""
    return JudgementFile(settings.data / FOLDER / FILE)


def open_check(settings: Settings, generator: Callable[[str | None], ports.Generator]) -> Check | None:
    """Return the check of [answer], which keeps its judgements; None: there is none, or no server for it.

    `generator` gives the one of that name, or that of [generator].
    """
    check: Check
    match settings.answer.check:
        case "llm":
            from rag_platform.answering.checks.llm_check import LanguageModelCheck

            server = generator(settings.check.generator)
            if not isinstance(server, OpenAICompatible):
                return None
            check = LanguageModelCheck(server, settings.check.timeout)
        case "nli":
            from rag_platform.answering.checks.nli import NliCheck

            check = NliCheck(settings.check)
        case _:
            return None
    return CachedCheck(check, judgement_file(settings))
