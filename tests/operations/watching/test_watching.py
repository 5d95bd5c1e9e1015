"""Watches over real publications: told once, with the difference, as their owner may read at that moment."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest

from rag_platform.access.decisions import Target
from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.core.hits import Filters
from rag_platform.operations.watching import looking
from rag_platform.operations.watching.looking import look, look_first, options_of
from rag_platform.operations.watching.rights import KNOWN_FOR, reading_as
from rag_platform.operations.watching.telling import ATOM, change_text, feed_of
from rag_platform.operations.watching.watch_changes import changes_of, last_said
from rag_platform.operations.watching.watching import watch_answer
from rag_platform.people.tokens import Tokens
from rag_platform.people.watches import LEASE, MOST
from rag_platform.pipeline.sync import sync
from tests.api.published import QUESTION, opened, publish
from tests.operations.receivers import mail_server
from tests.pipeline.fixed_gate import FixedGate

NOW = datetime.now(UTC)
ILSE = "user:ilse@example.org"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def workspace(tmp_path, tiny_embedder):
    return publish(tmp_path, tiny_embedder)


def write(workspace, text, name="a.md"):
    (workspace.settings.home / "notes" / name).write_text(f"# Of notes\n\n{text}\n")
    assert sync(workspace, gate=FixedGate(workspace)).moved


def watching(workspace, owner=ILSE, principals=None, **more):
    given = {"principals": (owner,) if principals is None else principals} | more
    watch_id = workspace.watches.begin(owner, QUESTION, NOW, **given)
    assert look_first(workspace, watch_id, NOW) == []
    return workspace.watches.find(watch_id, owner)


def changes(workspace, watch, readers=(ILSE,)):
    return changes_of(workspace, watch, readers)


def test_a_change_is_found_once_with_its_difference(workspace):
    watch = watching(workspace)
    assert "dusk" in last_said(workspace, watch, (ILSE,)).text and changes(workspace, watch) == []
    assert look(workspace, NOW) == [] and changes(workspace, watch) == []
    write(workspace, "The ferry runs from seven until dusk.")
    assert look(workspace, NOW) == []
    (change,) = changes(workspace, watch)
    assert change.said == "The answer changed." and not change.seen
    assert "six" in change.before.text and "seven" in change.after.text
    marked = [piece for line in change.lines for piece, differs in line.parts if differs]
    assert "six" in "".join(marked) and "seven" in "".join(marked)
    assert look(workspace, NOW) == [] and len(changes(workspace, watch)) == 1
    assert workspace.watches.unseen(ILSE) == {watch.id: 1}
    workspace.watches.see(watch.id, ILSE)
    assert workspace.watches.unseen(ILSE) == {}


def test_what_was_published_beside_it_is_no_change(workspace):
    watch = watching(workspace)
    before = len(workspace.journal.receipts(-1))
    write(workspace, "Cranes are birds.", "b.md")
    assert look(workspace, NOW) == [] and changes(workspace, watch) == []
    assert len(workspace.journal.receipts(-1)) == before


def test_other_passages_behind_the_same_quotes_are_no_change(workspace):
    watch = watching(workspace, options={"collections": ["handbook"]})
    before = [hit.chunk_id for hit in workspace.answerer.ask(QUESTION, filters=Filters(collections=("handbook",))).hits]
    write(workspace, "In the museum lies a wooden ferry, which nobody has seen for years.", "b.md")
    found = [hit.chunk_id for hit in workspace.answerer.ask(QUESTION, filters=Filters(collections=("handbook",))).hits]
    assert found != before, "it is asked again"
    assert look(workspace, NOW) == [] and changes(workspace, watch) == []


def test_an_answer_that_was_given_is_watched_from_there_on(workspace):
    answer = workspace.answerer.ask(QUESTION, filters=Filters(principals=(ILSE,)), asker=ILSE)
    receipt = workspace.journal.receipt(answer.receipt_id)
    watch_id = watch_answer(workspace, ILSE, receipt, principals=(ILSE,))
    assert watch_answer(workspace, ILSE, receipt, principals=(ILSE,)) == watch_id
    write(workspace, "The ferry runs from seven until dusk.")
    assert look(workspace, NOW) == []
    (change,) = changes(workspace, workspace.watches.find(watch_id, ILSE))
    assert change.before.text == answer.answer


def test_an_answer_that_is_lost_and_one_that_comes(workspace):
    watch = watching(workspace, principals=(ILSE, "group:board"), options={"collections": ["handbook"]})
    (workspace.settings.home / "notes" / "a.md").unlink()
    write(workspace, "Cranes are birds that migrate.", "b.md")
    assert look(workspace, NOW) == []
    assert [one.said for one in changes(workspace, watch)] == ["There is no answer any more."]
    write(workspace, "The ferry runs at noon.", "c.md")
    assert look(workspace, NOW) == []
    assert changes(workspace, watch)[0].said == "There is an answer now."


def test_a_search_tells_which_documents_came_changed_and_went(workspace):
    watch_id = workspace.watches.begin(
        ILSE, "ferry", NOW, kind="search", principals=(ILSE,), options=options_of(Filters(collections=("handbook",)))
    )
    look_first(workspace, watch_id, NOW)
    watch = workspace.watches.find(watch_id, ILSE)
    write(workspace, "A second ferry is built.", "b.md")
    look(workspace, NOW)
    write(workspace, "The ferry rests.")
    look(workspace, NOW)
    (workspace.settings.home / "notes" / "b.md").unlink()
    write(workspace, "The ferry rests now.")
    look(workspace, NOW)
    told = [
        {(one.uri.rpartition("/")[2], one.change) for one in change.documents} for change in changes(workspace, watch)
    ]
    assert told == [{("a.md", "changed"), ("b.md", "went")}, {("a.md", "changed")}, {("b.md", "came")}]


def test_the_owner_reads_as_they_may_at_that_moment(workspace):
    wages = "What does the ferry warden earn?"
    board = (ILSE, "group:board")
    watch_id = workspace.watches.begin(ILSE, wages, NOW, principals=board, options={"collections": ["wages"]})
    look_first(workspace, watch_id, NOW)
    watch = workspace.watches.find(watch_id, ILSE)
    assert "nine crowns" in last_said(workspace, watch, board).text
    workspace.access.rules.set(Target("collection", "wages"), deny=["*"], who="user:ada", why="closed")
    write(workspace, "The ferry runs from seven until dusk.")
    look(workspace, NOW)
    feed = feed_of(workspace, workspace.watches.make_feed(watch_id, ILSE), NOW)
    (change,) = changes_of(workspace, watch, board)
    assert change.before.withheld and change.lines == ()
    assert "crowns" not in change_text(change) and b"crowns" not in feed and b"ferry warden earns" not in feed


def test_whose_groups_are_not_known_any_more_is_told_nothing(workspace):
    watch = watching(workspace)
    assert reading_as(workspace, watch, NOW + KNOWN_FOR) == (ILSE,)
    later = NOW + KNOWN_FOR + timedelta(seconds=1)
    assert reading_as(workspace, watch, later) is None
    write(workspace, "The ferry runs from seven until dusk.")
    assert look(workspace, later) == [] and changes(workspace, watch) == []
    workspace.watches.arrived(ILSE, (ILSE, "group:crew"), later)
    assert reading_as(workspace, workspace.watches.find(watch.id, ILSE), later) == (ILSE, "group:crew")


def test_somebody_whom_access_lets_in_no_more_is_told_nothing(tmp_path, tiny_embedder):
    settings = '[access]\nreaders = ["group:staff"]\n'
    workspace = publish(tmp_path, tiny_embedder, settings)
    watch = watching(workspace, principals=(ILSE, "group:staff"))
    assert reading_as(workspace, watch, NOW) == (ILSE, "group:staff")
    workspace.watches.arrived(ILSE, (ILSE,), NOW)
    assert reading_as(workspace, workspace.watches.find(watch.id, ILSE), NOW) is None


def test_a_tokens_watch_reads_as_the_token_does_and_ends_with_it(workspace):
    tokens = Tokens(workspace.journal)
    tokens.create("crew", principals=(ILSE, "group:board"), collections=("wages",))
    watch = watching(workspace, token="crew", principals=())
    workspace.watches.arrived(ILSE, (ILSE, "group:all"), NOW)
    assert reading_as(workspace, watch, NOW) == (ILSE, "group:board", "within:wages")
    tokens.revoke("crew")
    assert reading_as(workspace, watch, NOW) is None
    assert feed_of(workspace, workspace.watches.make_feed(watch.id, ILSE)).count(b"<entry>") == 0


def test_a_watch_that_fails_is_tried_again_and_stops_no_other(workspace, monkeypatch):
    first, second = watching(workspace), watching(workspace, owner="user:asha@example.org")
    write(workspace, "The ferry runs from seven until dusk.")
    ask = looking._ask

    def fails(given, watch, *rest):
        if watch.id == first.id:
            raise SettingsError("the server is silent")
        ask(given, watch, *rest)

    monkeypatch.setattr(looking, "_ask", fails)
    (problem,) = look(workspace, NOW)
    assert "the server is silent" in problem and changes(workspace, first) == []
    assert len(changes(workspace, second)) == 1
    assert workspace.watches.find(first.id, ILSE).problem == looking.FAILED
    monkeypatch.setattr(looking, "_ask", ask)
    assert look(workspace, NOW) == [] and changes(workspace, first) == []  # another process may still be at it
    assert look(workspace, NOW + LEASE) == []
    assert len(changes(workspace, first)) == 1 and workspace.watches.find(first.id, ILSE).problem == ""


@pytest.fixture
def mailed(tmp_path, tiny_embedder):
    with mail_server() as box:
        settings = f'[alerts]\nsender = "rag@example.org"\nsmtp = "smtp://127.0.0.1:{box.port}"\n'
        yield box, publish(tmp_path, tiny_embedder, settings)


def test_a_change_is_mailed_once_and_again_only_when_that_failed(mailed):
    box, workspace = mailed
    watch = watching(workspace, mail=True)
    write(workspace, "The ferry runs from seven until dusk.")
    box.refusals = ["451 later"]
    (problem,) = look(workspace, NOW)
    assert "later" in problem and "tried again" in problem and box.messages == []
    assert look(workspace, NOW) == [] and box.messages == []  # it waits
    assert look(opened(workspace.settings.home, workspace.embedder), NOW + timedelta(minutes=2)) == []
    assert look(workspace, NOW + timedelta(hours=9)) == []
    (message,) = box.messages
    assert message["To"] == "ilse@example.org" and QUESTION in message["Subject"]
    text = message.get_content()
    assert "- The ferry runs from six" in text and "+ The ferry runs from seven" in text
    (change,) = changes(workspace, watch)
    assert change.mailed == NOW + timedelta(minutes=2) and change.mail_error == ""


def test_no_mail_tells_what_was_closed_meanwhile(mailed):
    box, workspace = mailed
    watching(workspace, mail=True)
    write(workspace, "The ferry runs from seven until dusk.")
    box.refusals = ["451 later"]
    look(workspace, NOW)
    workspace.access.rules.set(Target("collection", "handbook"), deny=["*"], who="user:ada", why="closed")
    assert look(workspace, NOW + timedelta(hours=1)) == []
    (message,) = box.messages
    assert "not shown" in message.get_content() and "seven" not in message.get_content()


@pytest.mark.parametrize("owner", ["token:ci", "user:no-address", "user:a@b, c@d", "user:a@b\r\nBcc: c@d"])
def test_mail_goes_to_nobody_but_whom_the_provider_vouches_for(mailed, owner):
    box, workspace = mailed
    watch = watching(workspace, owner=owner, principals=("user:x",), mail=True)
    write(workspace, "The ferry runs from seven until dusk.")
    assert look(workspace, NOW) == [] and box.messages == []
    assert "no address" in changes(workspace, watch)[0].mail_error


def test_a_feed_is_what_its_owner_may_read_and_ends(workspace):
    workspace.watches.begin(ILSE, "ferry \x0b]]>" + HOSTILE, NOW, principals=(ILSE,), kind="search")
    (watch,) = workspace.watches.of(ILSE)
    look_first(workspace, watch.id, NOW)
    write(workspace, f"The ferry, {HOSTILE} &amp; more.", "z.md")
    look(workspace, NOW)
    token = workspace.watches.make_feed(watch.id, ILSE)
    feed = feed_of(workspace, token)
    assert b"<script" not in feed
    (entry,) = ElementTree.fromstring(feed).findall(f"{{{ATOM}}}entry")
    assert entry.find(f"{{{ATOM}}}content").get("type") == "text" and "new: " in entry.find(f"{{{ATOM}}}content").text
    again = workspace.watches.make_feed(watch.id, ILSE)
    assert feed_of(workspace, token) is None and feed_of(workspace, again)
    restore = workspace.watches.end_feed(watch.id, ILSE)
    assert feed_of(workspace, again) is None
    restore()
    assert feed_of(workspace, again)
    restore = workspace.watches.end_feed(watch.id, ILSE)
    newest = workspace.watches.make_feed(watch.id, ILSE)
    restore()
    assert feed_of(workspace, again) is None and feed_of(workspace, newest), "a new one stays"
    assert feed_of(workspace, "feed_x") is None


def test_a_watch_is_its_owners_alone_and_there_are_so_many(workspace):
    watch = watching(workspace)
    for act in (workspace.watches.end, workspace.watches.see, workspace.watches.make_feed):
        with pytest.raises(NotFound):
            act(watch.id, "user:otto")
    assert workspace.watches.find(watch.id, "user:otto") is None
    for number in range(MOST - 1):
        workspace.watches.begin(ILSE, f"question {number}", NOW)
    with pytest.raises(SettingsError, match="end one"):
        workspace.watches.begin(ILSE, "one more", NOW)
