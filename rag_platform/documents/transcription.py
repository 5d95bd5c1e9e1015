"""Recordings -> what is said in them, by a server of OpenAI's audio transcriptions; each is sent once."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rag_platform.core.errors import ExtractionError
from rag_platform.core.ids import digest
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.file_names import name_in_folder
from rag_platform.documents.formats.speech.timed_text import Cue, clock, timed_sections
from rag_platform.documents.vision import kept_pages
from rag_platform.storage.kept.kept_texts import KeptTexts
from rag_platform.text.cleaning import clean

if TYPE_CHECKING:
    from rag_platform.config.sections.documents import TranscriptionSettings
    from rag_platform.config.settings import Settings

_PATH = "/audio/transcriptions"
_PATIENCE = 3
"""Failures in a row after which the server is not called again in this run."""
_MOST = 64 << 20
"""Bytes of an answer."""
_REFUSED = 400
_LONGEST = 1e7
"""Seconds of a recording."""
_TIMED = {"response_format": "verbose_json", "timestamp_granularities[]": "segment"}


class Transcriber:
    """Client of the server; safe from many threads."""

    def __init__(self, settings: "TranscriptionSettings", kept: KeptTexts | None = None) -> None:
        """Ask the server of `settings` for what is not `kept` from an earlier time."""
        from rag_platform.llm.json_endpoint import Advice, JsonEndpoint

        advice = Advice("transcription", "transcription.model", settings.api_key_env, "cut the recording into parts")
        self._server = JsonEndpoint(settings.base_url or "", settings.api_key, settings.timeout, advice, most=_MOST)
        self._settings, self._kept = settings, kept
        self._failures = 0

    def read(self, read: Extracted, content: bytes, uri: str) -> Extracted:
        """Return the document with what is said, and when.

        Args:
            read: The document without words.
            content: The recording.
            uri: Where it is from: servers go by the ending of its name.

        Raises:
            ExtractionError: It is too long for the server, or the server failed.
        """
        most = self._settings.max_bytes
        if len(content) > most:
            raise ExtractionError(f"a recording of {len(content)} bytes, more than transcription.max_bytes = {most}")
        key = digest("recording", self._settings.base_url or "", self._settings.model or "", content, length=32)
        answer = self._kept.get(key) if self._kept else None
        if answer is None:
            answer = json.dumps(self._ask(content, name_in_folder(uri).rpartition("/")[2] or "recording"))
            if self._kept:
                self._kept.put(key, answer)
        return _document(read, json.loads(answer))

    def _ask(self, content: bytes, name: str) -> Any:
        import httpx

        from rag_platform.llm.json_endpoint import FAILURES

        if self._failures >= _PATIENCE:
            raise ExtractionError("the transcription server failed several times and was not called again in this run")
        asked = {"model": self._settings.model or "whisper-1"}
        try:
            try:
                answer = self._server.upload(_PATH, asked | _TIMED, name, content)
            except httpx.HTTPStatusError as error:
                if error.response.status_code != _REFUSED:
                    raise
                answer = self._server.upload(_PATH, asked, name, content)  # some models tell no times
        except FAILURES as error:
            self._failures += 1
            raise ExtractionError(self._server.describe(error, _PATH)) from error
        self._failures = 0
        if not isinstance(answer, dict) or not isinstance(answer.get("text", ""), str):
            raise ExtractionError(f"{self._settings.base_url}{_PATH} answered with something that is no transcript")
        return answer


def transcriber(settings: "Settings") -> Transcriber | None:
    """Return the client of [transcription], with what it heard before; None: no server is named."""
    named = settings.transcription.base_url
    return Transcriber(settings.transcription, kept_pages(settings)) if named else None


def _document(read: Extracted, answer: dict[str, Any]) -> Extracted:
    told = answer.get("segments")
    cues = [
        Cue(_seconds(one.get("start")), str(one.get("text") or ""), str(one.get("speaker") or ""))
        for one in (told if isinstance(told, list) else ())
        if isinstance(one, dict)
    ]
    text = clean(timed_sections(cues) or str(answer.get("text") or ""))
    language = str(answer.get("language") or "").lower()
    seconds = _seconds(answer.get("duration"))
    length = (f"recording of {clock(seconds)}",) if seconds else ()
    if not text:
        return replace(read, flags=(*read.flags, *length, "nothing is said in the recording"))
    return replace(read, text=text, language=_CODES.get(language, language)[:3] or None, flags=(*read.flags, *length))


def _seconds(value: object) -> float:
    """Return a time that a server told; 0 when it is none."""
    return float(value) if isinstance(value, int | float) and 0 <= value < _LONGEST else 0.0


_CODES = {
    "arabic": "ar", "bengali": "bn", "chinese": "zh", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en",
    "finnish": "fi", "french": "fr", "german": "de", "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu",
    "indonesian": "id", "italian": "it", "japanese": "ja", "korean": "ko", "nepali": "ne", "norwegian": "no",
    "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru", "spanish": "es", "swedish": "sv",
    "thai": "th", "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi",
}  # fmt: skip
"""Of the names by which Whisper calls languages."""
