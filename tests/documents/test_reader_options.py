"""Options and limits of the readers come from the settings."""

from datetime import timedelta

from rag_platform.config.settings import Settings
from rag_platform.documents.options import Limits
from rag_platform.documents.reader_options import reading_limits, retries
from rag_platform.documents.retries import Retries


def test_the_defaults_of_the_settings_are_those_of_the_code():
    assert (reading_limits(Settings()), retries(Settings())) == (Limits(), Retries())


def test_every_limit_can_be_set():
    given = {"time_limit": 5, "idle_limit": 7, "memory_limit": 512, "text_limit": 9, "protection": "required"}
    settings = Settings.model_validate({"documents": given | {"attempts": 2, "retry_minutes": 1}})
    limits = reading_limits(settings)
    assert (limits.seconds, limits.idle_seconds, limits.memory, limits.characters) == (5, 7, 512 << 20, 9)
    assert limits.confined and retries(settings) == Retries(2, timedelta(minutes=1))
