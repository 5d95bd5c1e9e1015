"""Recordings: known by their bytes, written down by a real server, once; citations say where to listen."""

import io
import json
import zipfile
from email import message_from_bytes

import pytest

from rag_platform.config.settings import Settings
from rag_platform.documents.formats.speech.timed_text import Cue, clock, timed_sections
from rag_platform.documents.reading.detection import detect_type
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.loopback import LoopbackHandler, LoopbackServer, running

WAVE = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
TALK = {
    "text": "Water the fern. Not the cactus.", "language": "english", "duration": 128.4,
    "segments": [{"start": 0.0, "text": " Water the fern."}, {"start": 5.0, "text": " Every day."},
                 {"start": 125.5, "text": " Not the cactus."}],
}  # fmt: skip


class Heard(LoopbackServer):
    """A server of transcriptions that remembers what it was sent."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.address += "/v1"
        self.asked: list[tuple[str, dict[str, bytes], str | None]] = []
        self.answers: list[tuple[int, object]] = []


class _Handler(LoopbackHandler):
    server: Heard

    def do_POST(self) -> None:
        body = self.body()
        form = message_from_bytes(f"Content-Type: {self.headers['content-type']}\n\n".encode() + body)
        fields = {part.get_param("name", header="content-disposition"): part for part in form.get_payload()}
        sent = {name: part.get_payload(decode=True) for name, part in fields.items()}
        self.server.asked.append((self.path, sent, fields["file"].get_filename()))
        status, answer = self.server.answers.pop(0) if self.server.answers else (200, TALK)
        self.answer(answer, status)


@pytest.fixture
def server():
    with running(Heard()) as found:
        yield found


@pytest.fixture
def read(tmp_path, server):
    """Return what reads the files of a folder, as a sync would, by their names."""
    (tmp_path / "talks").mkdir()

    def run(files: dict[str, bytes] | None = None, **more: object) -> dict[str, dict[str, object]]:
        about = "".join(f"{key} = {json.dumps(value)}\n" for key, value in more.items())
        (tmp_path / "rag.toml").write_text(
            f'[transcription]\nbase_url = "{server.address}"\n{about}'
            '[[sources]]\nid = "talks"\nkind = "folder"\npath = "talks"\n'
        )
        for name, content in (files or {}).items():
            (tmp_path / "talks" / name).write_bytes(content)
        pipeline = Pipeline(open_workspace(tmp_path))
        pipeline.fetch("talks")
        pipeline.extract("talks")
        rows = pipeline.store.read("documents", "talks").iter_rows(named=True)
        return {row["uri"].removeprefix("talks/"): row for row in rows}

    return run


def test_a_recording_is_written_down_with_times_and_sent_once(read, server):
    talk = read({"fern.wav": WAVE}, model="small")["fern.wav"]
    assert talk["text"] == "## 0:00:00\n\nWater the fern. Every day.\n\n## 0:02:05\n\nNot the cactus."
    assert (talk["status"], talk["format"], talk["language"]) == ("ok", "recording", "en")
    assert talk["title"] == "fern" and "recording of 0:02:08" in talk["flags"]
    ((path, sent, name),) = server.asked
    assert (path, name, sent["file"], sent["model"]) == ("/v1/audio/transcriptions", "fern.wav", WAVE, b"small")
    assert sent["response_format"] == b"verbose_json"
    read({"copy.wav": WAVE, "note.md": b"Some other words."}, model="small")
    assert len(server.asked) == 1  # the same recording under another name


def test_a_recording_in_an_archive_is_heard_too(read, server):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("week 1/talk.mp3", b"ID3" + bytes(30))
    found = read({"course.zip": buffer.getvalue()})
    assert found["course.zip!/week 1/talk.mp3"]["text"].endswith("Not the cactus.")
    assert server.asked[0][2] == "talk.mp3" and server.asked[0][1]["model"] == b"whisper-1"


def test_a_server_that_knows_no_times_gives_the_words(read, server):
    server.answers = [(400, {"error": "verbose_json is not supported"}), (200, {"text": "Water the fern."})]
    assert read({"fern.wav": WAVE})["fern.wav"]["text"] == "Water the fern."
    assert "response_format" not in server.asked[1][1]


def test_a_failure_is_told_and_the_next_sync_asks_again(read, server):
    server.answers = [(401, {"error": "no key"})]
    talk = read({"fern.wav": WAVE})["fern.wav"]
    assert talk["status"] == "failed" and "answered 401" in talk["reason"] and "OPENAI_API_KEY" in talk["reason"]
    assert read()["fern.wav"]["status"] == "ok"


def test_times_that_are_none_cost_no_words(read, server):
    server.answers = [(200, {"duration": float("nan"), "segments": [{"start": "soon", "text": "Water the fern."}, 3]})]
    assert read({"fern.wav": WAVE})["fern.wav"]["text"] == "Water the fern."


def test_what_is_too_large_or_silent_is_said(read, server):
    server.answers = [(200, {"text": "", "segments": []})]
    found = read({"long.wav": WAVE + bytes(200), "still.wav": WAVE}, max_bytes=100)
    assert "more than transcription.max_bytes = 100" in found["long.wav"]["reason"]
    assert "nothing is said in the recording" in found["still.wav"]["flags"]
    assert len(server.asked) == 1


def test_without_a_server_the_reason_says_what_would_help(tmp_path):
    assert Settings().transcription.base_url is None
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "a.mp3").write_bytes(b"ID3" + bytes(30))
    (tmp_path / "rag.toml").write_text('[[sources]]\nid = "talks"\nkind = "folder"\npath = "talks"\n')
    pipeline = Pipeline(open_workspace(tmp_path))
    pipeline.fetch("talks")
    ((_, reason),) = pipeline.extract("talks").failed
    assert reason == "a recording: what is said in it is read where [transcription] names a server"


@pytest.mark.parametrize(
    ("content", "uri"),
    [
        (b"ID3\x03", "a"), (b"OggS\0", "a"), (b"fLaC", "a"), (WAVE, "a"), (b"\0\0\0\x20ftypisom", "a"),
        (b"\0\0\0\x20ftypM4A ", "a.bin"), (b"\x1aE\xdf\xa3\x01", "a"), (b"\xff\xfb\x90d", "song.mp3"),
    ],
)  # fmt: skip
def test_recordings_are_known_by_their_bytes_or_names(content, uri):
    assert detect_type(content, uri=uri) == "recording"
    assert detect_type(content, uri="x", content_type="audio/mpeg") == "recording"


def test_turns_of_speakers_and_signs_without_spaces():
    cues = [
        Cue(0, "Hello.", "Ada"),
        Cue(2, "Well.", "Ada"),
        Cue(3, "Yes?", "Ben"),
        Cue(70, " ", "Ben"),
        Cue(71, "Bye.", "Ada"),
    ]
    assert timed_sections(cues) == "## 0:00:00\n\nAda: Hello. Well.\n\nBen: Yes?\n\n## 0:01:11\n\nAda: Bye."
    assert timed_sections([Cue(0, "你好，"), Cue(1, "世界。")]) == "你好，世界。"
    assert (timed_sections([]), clock(3725.9)) == ("", "1:02:05")
