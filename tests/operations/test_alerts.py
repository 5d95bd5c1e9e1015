"""Alerts through real servers: each told once, and once that it is over; what cannot be delivered stops nothing."""

import base64
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from standardwebhooks import Webhook, WebhookVerificationError
from typer.testing import CliRunner

from rag_platform.cli import app
from rag_platform.config.settings_file import load_settings
from rag_platform.core.answers import Answer
from rag_platform.core.errors import RagError, SettingsError
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.holds import Hold
from rag_platform.operations.alerts.alerting import alert, keep_alerting, outbox_of, try_targets
from rag_platform.operations.doctor import diagnose
from rag_platform.pipeline import stage_reports
from rag_platform.pipeline.stages import Pipeline
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import Workspace, open_workspace
from tests.loopback import free_port
from tests.operations.receivers import Hook, hook, mail_server, make_certificate
from tests.pipeline.fixed_gate import FixedGate

NOW = datetime(2026, 11, 2, 8, tzinfo=UTC)
SOURCES = '[[sources]]\nid = "desk"\nkind = "folder"\npath = "desk"\nfresh_within_hours = 24\n'


@pytest.fixture
def hooked(tmp_path: Path) -> Iterator[tuple[Hook, Workspace]]:
    with hook() as server:
        yield server, workspace_with(tmp_path, f'webhooks = ["{server.url}/hook"]\n')


def workspace_with(home: Path, alerts: str) -> Workspace:
    (home / "desk").mkdir(exist_ok=True)
    (home / "rag.toml").write_text(f"{SOURCES}\n[alerts]\n{alerts}")
    return open_workspace(home)


def hold(workspace: Workspace, why: str = "12 of 12 documents became nearly the same text") -> None:
    workspace.holds.hold(Hold("desk", "change", why, NOW, "a"))


def test_a_held_source_is_told_once_and_once_when_it_is_over(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    assert alert(workspace, NOW) == [] and server.taken == []
    hold(workspace)
    for hours in range(3):
        assert alert(workspace, NOW + timedelta(hours=hours)) == []
        hold(workspace, f"{hours + 10} of 12 documents became nearly the same text")
    (told,) = server.taken
    assert (told["event"], told["state"], told["source"]) == ("held", "began", "desk")
    assert told["title"] == "Source desk is held" and "12 of 12 documents" in told["text"]
    assert told["workspace"] == workspace.settings.home.name and told["since"] == NOW.isoformat()
    workspace.holds.end("desk", why="its newest state is good")
    for hours in range(4, 7):
        assert alert(workspace, NOW + timedelta(hours=hours)) == []
    assert [one["state"] for one in server.taken] == ["began", "over"]
    assert server.taken[1]["title"] == "Source desk is no longer held"
    hold(workspace)
    alert(workspace, NOW + timedelta(hours=8))
    assert [one["state"] for one in server.taken] == ["began", "over", "began"]


def test_what_cannot_be_delivered_waits_and_comes_in_its_order(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace)
    server.refusals = [500]
    (problem,) = alert(workspace, NOW, tries=1)
    assert "status 500" in problem and "tried again" in problem and server.taken == []
    workspace.holds.end("desk", why="good")
    assert alert(workspace, NOW + timedelta(seconds=30)) == []  # too early: nobody is asked
    assert len(server.headers) == 1
    assert alert(workspace, NOW + timedelta(minutes=3)) == []
    assert [one["state"] for one in server.taken] == ["began", "over"]


def test_a_server_that_stumbles_is_tried_again_at_once(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace)
    server.refusals = [503]
    assert alert(workspace, NOW) == [] and len(server.taken) == 1


def test_a_redirect_is_not_followed_and_a_refusal_not_repeated(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace)
    server.refusals = [302]
    assert "status 302" in alert(workspace, NOW)[0]
    assert [one["path"] for one in server.headers] == ["/hook"]


def test_it_is_given_up_after_days_and_its_text_is_not_kept(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace, "the text of this reason")
    server.refusals = [500]
    alert(workspace, NOW, tries=1)
    assert alert(workspace, NOW + timedelta(days=4)) == [] and server.taken == []
    (message,) = outbox_of(workspace).messages()
    assert message["due"] is None and message["delivered"] is None and "500" in message["error"]
    workspace.holds.end("desk", why="good")
    alert(workspace, NOW + timedelta(days=5))
    assert b"the text of this reason" not in b"".join(
        path.read_bytes() for path in workspace.settings.data.glob("alerts.sqlite")
    )


def look_at_once(workspaces: list[Workspace]) -> None:
    looking = [threading.Thread(target=alert, args=(one, NOW)) for one in workspaces]
    for thread in looking:
        thread.start()
    for thread in looking:
        thread.join()


def test_two_processes_that_look_at_once_tell_it_once(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace)
    look_at_once([open_workspace(workspace.settings.home) for _ in range(4)])
    assert len(server.taken) == 1


def test_machines_that_share_a_database_tell_it_once(tmp_path: Path, postgres: str) -> None:
    pytest.importorskip("psycopg")
    scale = f'[scale]\ndatabase = "{postgres}"\nschema_name = "a{uuid.uuid4().hex[:12]}"\n'
    with hook() as server:
        machines = []
        for name in ("one", "two", "three"):
            (tmp_path / name).mkdir()
            machines.append(workspace_with(tmp_path / name, f'webhooks = ["{server.url}/hook"]\n{scale}'))
            hold(machines[-1])
        server.refusals = [500]
        alert(machines[0], NOW, tries=1)
        look_at_once(machines)
        assert server.taken == [], "the message waits for its second attempt, whoever looks"
        look_at_once(machines)
        for machine in machines:
            alert(machine, NOW + timedelta(minutes=3))
        for machine in machines:
            machine.holds.end("desk", why="good")
        alert(machines[2], NOW + timedelta(hours=1))
        assert [one["state"] for one in server.taken] == ["began", "over"]
    assert not [path for home in machines for path in home.settings.data.glob("alerts.sqlite")]


def test_a_server_that_never_answers_delays_a_run_by_its_limit_alone(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        workspace = workspace_with(tmp_path, f'webhooks = ["http://127.0.0.1:{silent.getsockname()[1]}/"]\n')
        hold(workspace)
        (problem,) = alert(workspace, NOW, limit=0.3)
    assert "longer than 0.3 s" in problem


def test_a_damaged_outbox_is_a_message(hooked: tuple[Hook, Workspace]) -> None:
    _, workspace = hooked
    (workspace.settings.data / "alerts.sqlite").write_bytes(b"no database " * 1000)
    (problem,) = alert(workspace, NOW)
    assert "alerts.sqlite" in problem


# --- what is told ---------------------------------------------------------------------------------------


def test_a_late_source_is_told_after_the_patience_that_a_morning_needs(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    (workspace.settings.home / "desk" / "a.md").write_text("# One\n\nOne thing that is told here.\n")
    stage_reports.fetch(Pipeline(workspace), "desk", stage_reports.FetchOptions())
    later, patience = datetime.now(UTC) + timedelta(hours=25), timedelta(minutes=15)
    alert(workspace, later, patience=patience)
    assert server.taken == []
    alert(workspace, later + timedelta(minutes=16), patience=patience)
    alert(workspace, later + timedelta(minutes=17), patience=patience)
    (told,) = server.taken
    assert told["event"] == "late" and "fresh_within_hours allows 24" in told["text"]
    alert(workspace, datetime.now(UTC))
    assert server.taken[-1]["title"] == "Source desk is no longer late"


def test_events_that_nobody_wants_are_not_told_nor_that_they_are_over(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace)
    alert(workspace, NOW)
    quiet = workspace_with(workspace.settings.home, f'webhooks = ["{server.url}/hook"]\nabout = ["late"]\n')
    alert(quiet, NOW)
    assert [one["state"] for one in server.taken] == ["began"]


# --- Slack, e-mail and secrets ----------------------------------------------------------------------------


def test_slack_gets_its_form_and_no_text_becomes_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK", "T0/B0/hush")
    with hook() as server:
        workspace = workspace_with(tmp_path, f'slack = ["{server.url}/services/${{SLACK}}"]\n')
        hold(workspace, "<!channel> & <https://evil.example|here>")
        assert alert(workspace, NOW) == []
        (body,) = server.taken
        assert body.keys() == {"text"} and "&lt;!channel&gt; &amp; &lt;https" in body["text"]
        assert server.headers[0]["path"] == "/services/T0/B0/hush"
        server.refusals = [404]
        assert try_targets(workspace) == {"slack 127.0.0.1": "it answered with status 404"}
    (kept,) = [path.read_bytes() for path in workspace.settings.data.glob("alerts.sqlite")]
    assert b"hush" not in kept
    (failed,) = try_targets(workspace).values()
    assert failed and "hush" not in failed  # nobody listens any more


def test_webhooks_carry_their_headers_and_keep_their_secrets(tmp_path: Path) -> None:
    with hook() as server:
        told = f'webhooks = ["{server.url}/hook"]\nheaders = {{ Authorization = "Bearer ${{secret:hook}}" }}\n'
        workspace = workspace_with(tmp_path, told + '[secrets]\nstore = "file"\n')
        (problem,) = try_targets(workspace).values()
        assert problem and "rag secret set hook" in problem and server.headers == []
        workspace.secrets.put("hook", "hush-hush")
        assert try_targets(workspace) == {"webhook 127.0.0.1": None}
        assert server.headers[0]["Authorization"] == "Bearer hush-hush"
        assert server.taken[0]["event"] == "test"
        workspace.secrets.put("hook", "hush\nhush")
        (problem,) = try_targets(workspace).values()
        assert problem and "hush" not in problem


def test_an_e_mail_says_it(tmp_path: Path) -> None:
    with mail_server() as box:
        told = f'email = ["ann@example.org", "bo@example.org"]\nsender = "rag@example.org"\nsmtp = "smtp://127.0.0.1:{box.port}"\n'
        workspace = workspace_with(tmp_path, told)
        hold(workspace, "12 von 12 Dokumenten: „außer Betrieb“")
        assert alert(workspace, NOW) == []
    (message,) = box.messages
    assert message["Subject"] == f"[{tmp_path.name}] Source desk is held"
    assert message["To"] == "ann@example.org, bo@example.org" and message["Auto-Submitted"] == "auto-generated"
    assert "„außer Betrieb“" in message.get_content()


def test_a_password_goes_only_over_tls_to_a_server_that_proves_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMTP_PASSWORD", "hush")
    certificate = make_certificate(tmp_path / "server.pem")
    with mail_server(certificate, "hush") as box, mail_server() as plain:
        told = 'email = ["ann@example.org"]\nsender = "rag@example.org"\npassword = "${SMTP_PASSWORD}"\nsmtp = "smtp://'
        (problem,) = try_targets(workspace_with(tmp_path, f'{told}rag@127.0.0.1:{plain.port}"\n')).values()
        assert problem and "STARTTLS" in problem and plain.messages == []
        workspace = workspace_with(tmp_path, f'{told}rag@127.0.0.1:{box.port}"\n')
        (problem,) = try_targets(workspace).values()
        assert problem and "certificate" in problem and box.users == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert try_targets(workspace) == {"email ann@example.org": None}
        assert box.users == ["rag"] and len(box.messages) == 1
        monkeypatch.setenv("SMTP_PASSWORD", "another")
        (problem,) = try_targets(workspace_with(tmp_path, f'{told}rag@127.0.0.1:{box.port}"\n')).values()
        assert problem and "another" not in problem and len(box.messages) == 1


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('webhooks = ["ftp://example.org"]', "https://example.org/hook"),
        ('webhooks = ["https://me:secret@example.org/"]', "${secret:NAME}"),
        ('slack = ["https://hooks.slack.com/services/T0/B0/x"]', "${secret:NAME}"),
        ('headers = { X-Api-Key = "abc" }', "X-Api-Key = '${secret:NAME}'"),
        ('email = ["ann"]', "ann@example.org"),
        ('email = ["ann@example.org"]', "sender"),
        ('smtp = "example.org"', "smtp://user@host:587"),
        ('smtp = "smtp://ann:pass@example.org"', "without a password"),
        ('smtp = "smtp://ann@example.org"', "together"),
        ('smtp = "smtp://ann@example.org"\npassword = "abc"', "never stands in the file"),
        ('about = ["refuse"]', "refused"),
        ('signing_keys = ["whsec_abc"]', "a key never stands in the file"),
    ],
)
def test_a_wrong_setting_says_what_was_expected(tmp_path: Path, given: str, expected: str) -> None:
    (tmp_path / "rag.toml").write_text(f"[alerts]\n{given}\n")
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path)
    assert expected in str(caught.value)


def test_the_body_of_a_webhook_is_what_the_handbook_says(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace)
    alert(workspace, NOW)
    handbook = Path(__file__).parents[2] / "docs" / "webhooks.md"
    example = json.loads(handbook.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0])
    assert example.keys() == server.taken[0].keys()


# --- what happens once, signed ------------------------------------------------------------------------------

KEY = "whsec_" + base64.b64encode(b"k" * 32).decode()


def asked(workspace: Workspace, question: str, *, abstained: bool = True) -> str:
    answer = Answer(question, "Nothing answers it.", abstained, (), "v1", "extractive", "")
    return workspace.journal.record(answer, mode="rerank")


def told_what_happens(home: Path, server: Hook, more: str = "") -> Workspace:
    hooks = f'webhooks = ["{server.url}/hook"]\nwebhooks_about = ["published", "unanswered"]\n'
    workspace = workspace_with(home, f"{hooks}{more}")
    assert alert(workspace, NOW) == [] and server.taken == []  # what was before is no news
    return workspace


def test_a_question_without_an_answer_is_told_once_whoever_looks(tmp_path: Path) -> None:
    with hook() as server:
        workspace = told_what_happens(tmp_path, server)
        for question, abstained in (("Which pump is loud?", True), ("Which pump is quiet?", False)):
            asked(workspace, question, abstained=abstained)
        last = asked(workspace, "which pump is loud")
        for hours in (1, 2):
            assert alert(workspace, NOW + timedelta(hours=hours)) == []
    (told,) = server.taken
    assert (told["event"], told["state"], told["question"]) == ("unanswered", "happened", "which pump is loud")
    assert told["receipt"] == last and last in told["text"]


def test_of_a_question_that_was_forgotten_nothing_is_kept_or_told(tmp_path: Path) -> None:
    with hook() as server:
        workspace = told_what_happens(tmp_path, server)
        asked(workspace, "Which pump is loud?")
        server.refusals.append(503)
        assert alert(workspace, NOW + timedelta(hours=1), tries=1) and outbox_of(workspace).messages()[0]["due"]
        assert b"pump" not in b"".join(one.read_bytes() for one in workspace.settings.data.glob("alerts.sqlite*"))
        with workspace.journal.writing() as connection:
            connection.execute("delete from receipts")
        server.taken.clear()
        assert alert(workspace, NOW + timedelta(hours=3), tries=1) == []
    assert server.taken == [] and not outbox_of(workspace).messages()[0]["due"]


def test_where_questions_are_not_recorded_none_is_told_and_of_a_flood_only_the_number(tmp_path: Path) -> None:
    with hook() as server:
        workspace = told_what_happens(tmp_path, server, '[audit]\ntexts = "hash"\n')
        for number in range(30):
            asked(workspace, f"Question number {number}?")
        assert alert(workspace, NOW + timedelta(hours=1)) == []
    assert len(server.taken) == 21 and "number" not in json.dumps(server.taken[:20])
    assert server.taken[-1]["title"] == "10 more questions were not answered"


def test_each_version_that_goes_live_is_told_to_those_who_want_it(tmp_path: Path, tiny_embedder: OnnxEmbedder) -> None:
    with hook() as server:
        workspace = told_what_happens(tmp_path, server)
        workspace.embedder, gate = tiny_embedder, FixedGate(workspace, passes=True)
        (tmp_path / "desk" / "a.md").write_text("# One\n\nOne thing that is told here.\n")
        version = sync(workspace, gate=gate).version
        hold(workspace)
        assert alert(workspace, datetime.now(UTC)) == [] == alert(workspace, datetime.now(UTC))
        (told,) = server.taken  # a held source is for others
        assert (told["event"], told["version"]) == ("published", version) and f"{version} is live" in told["text"]


def test_a_signed_webhook_is_verified_by_the_code_of_the_standard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = base64.b64encode(b"o" * 32).decode()
    monkeypatch.setenv("KEY", KEY)
    monkeypatch.setenv("OLD", other)
    with hook() as server:
        keys = 'signing_keys = ["${KEY}", "${OLD}"]\n'
        workspace = workspace_with(tmp_path, f'webhooks = ["{server.url}/hook"]\n{keys}')
        hold(workspace)
        server.refusals = [500]
        alert(workspace, NOW, tries=1)
        assert alert(open_workspace(tmp_path), NOW + timedelta(hours=1)) == []  # as after a restart
    first, second = server.headers
    assert first["webhook-id"] == second["webhook-id"] == server.taken[0]["id"]
    for key in (KEY, other):
        assert Webhook(key).verify(server.bodies[-1], second) == server.taken[0]
    with pytest.raises(WebhookVerificationError):
        Webhook(KEY).verify(server.bodies[-1].replace(b"held", b"hold"), second)


def test_the_receiver_of_the_handbook_takes_what_is_signed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    port = free_port()
    environ = os.environ | {"WEBHOOK_KEY": KEY, "PORT": str(port)}
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as receiver:
        try:
            wait_for_port(port)
            monkeypatch.setenv("KEY", KEY)
            given = f'webhooks = ["http://127.0.0.1:{port}/"]\n'
            assert try_targets(workspace_with(tmp_path, given)) == {"webhook 127.0.0.1": "it answered with status 401"}
            workspace = workspace_with(tmp_path, given + 'signing_keys = ["${KEY}"]\n')
            assert try_targets(workspace) == {"webhook 127.0.0.1": None}
        finally:
            receiver.terminate()
        assert receiver.stdout and receiver.stdout.read() == "test A test\n"


def wait_for_port(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens at {port}")


def test_a_key_that_is_none_is_told_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "hush-hush")
    with hook() as server:
        given = f'webhooks = ["{server.url}/hook"]\nsigning_keys = ["${{KEY}}"]\n'
        (problem,) = try_targets(workspace_with(tmp_path, given)).values()
    assert problem and "openssl rand -base64 32" in problem and "hush" not in problem and server.headers == []


def test_a_program_that_runs_looks_again_and_again(tmp_path: Path) -> None:
    with hook() as server:
        workspace = workspace_with(tmp_path, f'webhooks = ["{server.url}/hook"]\n')
        ended = keep_alerting(workspace, timedelta(seconds=0.01))
        hold(workspace)
        assert server.arrived.wait(60)
        ended.set()
    assert server.taken[0]["event"] == "held"


# --- who sends them ---------------------------------------------------------------------------------------


def test_the_command_tests_sends_and_lists(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked

    def run(*arguments: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, ["--home", str(workspace.settings.home), "alerts", *arguments])
        raised = done.exception if isinstance(done.exception, RagError) else None
        assert (raised.exit_code if raised else done.exit_code) == code, done.output
        return done.output + str(raised or "")

    assert "webhook 127.0.0.1: delivered" in run("test")
    hold(workspace)
    server.refusals = [404]
    run("send", code=1)
    listed = json.loads(run("list", "--json"))
    assert listed["told"][0]["source"] == "desk" and listed["messages"][0]["target"] == "webhook 127.0.0.1"
    assert "404" in listed["messages"][0]["error"] and "desk" in run("list")
    (workspace.settings.home / "rag.toml").write_text(SOURCES)
    assert "no address is set" in run("test", code=2)


def test_every_sync_looks_and_fails_for_no_server(hooked: tuple[Hook, Workspace]) -> None:
    server, workspace = hooked
    hold(workspace)
    command = ["--home", str(workspace.settings.home), "sync", "--no-fetch"]
    server.refusals = [404]
    failing = CliRunner().invoke(app, command)
    assert "status 404" in failing.stderr and server.taken == []
    (wrong,) = [one for one in diagnose(workspace.settings.home) if one.what == "alerts"]
    assert (wrong.level, wrong.mend) == ("wrong", "rag alerts test") and "404" in wrong.found
    assert alert(workspace, datetime.now(UTC) + timedelta(hours=1)) == [] and len(server.taken) == 1
    calm = CliRunner().invoke(app, command)
    assert calm.exit_code == failing.exit_code and "alerts" not in calm.stderr and len(server.taken) == 1
    (well,) = [one for one in diagnose(workspace.settings.home) if one.what == "alerts"]
    assert well.level == "ok" and "webhook 127.0.0.1" in well.found


def test_a_refused_version_is_told_once_however_many_are_refused(
    hooked: tuple[Hook, Workspace], tiny_embedder: OnnxEmbedder
) -> None:
    server, workspace = hooked
    workspace.embedder, gate = tiny_embedder, FixedGate(workspace, passes=False)
    for number in range(2):
        (workspace.settings.home / "desk" / "a.md").write_text(f"# Number {number}\n\nThing number {number} is here.\n")
        report = sync(workspace, gate=gate)
        assert alert(workspace, NOW + timedelta(hours=number)) == []
    (told,) = server.taken
    assert told["event"] == "refused" and told["title"].startswith("Version v") and "Not published" in told["text"]
    assert f"rag index promote {told['version']} --force" in told["text"] and report.version != told["version"]
    workspace.versions.promote(str(report.version), why="it is right")
    assert alert(workspace, NOW + timedelta(hours=3)) == []
    assert server.taken[-1]["title"] == "No version is refused any more" and "is live" in server.taken[-1]["text"]
