"""Who may read files of a Nextcloud: a real WebDAV server beside which its Share API answers as its manual says."""

import base64
import json
from urllib.parse import parse_qs

import pytest
from pydantic import ValidationError

from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import SourceError
from rag_platform.sources.webdav.webdav_files import WebDav, WebDavSource
from tests.loopback import running
from tests.sources.webdav.test_webdav import NEAR, Served, answer

API = "/cloud/ocs/v2.php/apps/files_sharing/api/v1/shares"
ADA = f"Basic {base64.b64encode(b'ada:x:y').decode()}"


class ShareApi:
    """The shares of a server; who asks without the header or the password that it wants is told so, as it does."""

    def __init__(self):
        self.shares, self.status = [], "200 OK"

    def share(self, path, kind, who, permissions=1, owner="ada", initiator="ada"):
        self.shares.append(
            {
                "id": str(len(self.shares) + 1), "share_type": kind, "uid_owner": initiator, "uid_file_owner": owner,
                "permissions": permissions, "path": path, "item_type": "folder", "share_with": who, "expiration": None,
                "file_target": path, "token": None,
            }
        )  # fmt: skip

    def __call__(self, environ, start_response):
        if environ.get("HTTP_OCS_APIREQUEST") != "true":
            return self._said(start_response, "412 Precondition Failed", 412, [])
        if environ.get("HTTP_AUTHORIZATION") != ADA:
            return self._said(start_response, "401 Unauthorized", 997, [])
        asked = parse_qs(environ["QUERY_STRING"])
        who = ("uid_owner", "uid_file_owner") if asked.get("reshares") == ["true"] else ("uid_owner",)
        return self._said(
            start_response, self.status, 200, [s for s in self.shares if "ada" in (s[key] for key in who)]
        )

    def _said(self, start_response, status, code, data):
        told = {"ocs": {"meta": {"status": "ok", "statuscode": code, "message": "OK"}, "data": data}}
        body = json.dumps(told).encode()
        start_response(status, [("content-type", "application/json"), ("content-length", str(len(body)))])
        return [body]


@pytest.fixture
def cloud(tmp_path):
    (tmp_path / "files").mkdir()
    served = Served(tmp_path / "files", "/cloud/remote.php/dav/files/ada")
    served.put("Desk/weir.md", "The weir holds back the river.")
    served.put("Desk/Mill/how it grinds.md", "From dawn to dusk.")
    served.elsewhere[API] = served.api = ShareApi()
    with running(served.server):
        yield served


@pytest.fixture
def opened(cloud, tmp_path):
    def opened(**given):
        given = {"url": f"{cloud.url}/Desk", "user": "ada", "readers": "shares", "fetch": NEAR} | given
        settings = WebDavSource(id="desk", kind="webdav", password="${CLOUD}", **given)
        return WebDav(settings, Context(tmp_path, environ={"CLOUD": "x:y"}))

    return opened


def readers(source):
    return {item.uri.rpartition("/")[2]: item.metadata.get("principals") for item in source.list().items}


def test_a_file_is_read_by_its_owner_and_by_whom_it_or_a_folder_above_is_shared_with(opened, cloud):
    cloud.api.share("/Desk", 1, "millers")
    cloud.api.share("/Desk/Mill", 0, "ben", permissions=31)
    cloud.api.share("/Desk/Mill/how it grinds.md", 0, "cy", initiator="ben")  # ben passed it on
    cloud.api.share("/Desk/Mil", 0, "dee")
    assert readers(opened()) == {
        "weir.md": ["group:millers", "user:ada"],
        "how%20it%20grinds.md": ["group:millers", "user:ada", "user:ben", "user:cy"],
    }
    assert readers(opened(readers="source")) == {"weir.md": None, "how%20it%20grinds.md": None}


def test_links_mails_other_servers_teams_and_what_only_lets_upload_open_nothing(opened, cloud):
    for kind in (3, 4, 6, 7, 9, 10, 12):
        cloud.api.share("/Desk", kind, "somebody")
    cloud.api.share("/Desk", 0, "otto", permissions=4)
    assert readers(opened())["weir.md"] == ["user:ada"]


def test_who_shared_a_file_with_the_user_reads_it_too(opened, cloud):
    folder = "<d:resourcetype><d:collection/></d:resourcetype>"
    path = "/cloud/remote.php/dav/files/ada/Desk/"
    cloud.said[path] = answer((path, folder), (f"{path}weir.md", "<d:resourcetype/><oc:owner-id>eve</oc:owner-id>"))
    assert readers(opened())["weir.md"] == ["user:ada", "user:eve"]


def test_a_rule_counts_more(opened, cloud):
    cloud.api.share("/Desk", 0, "ben")
    rules = [{"match": "Mill/**", "principals": ["group:board"]}]
    assert readers(opened(rules=rules)) == {
        "weir.md": ["user:ada", "user:ben"],
        "how%20it%20grinds.md": ["group:board"],
    }


def test_a_share_that_ends_counts_at_the_next_sync_without_reading_the_file_again(opened, cloud, bench):
    def kept():
        rows = bench.table.iter_rows(named=True)
        return {tuple(json.loads(row["metadata"]).get("principals", ())) for row in rows}

    cloud.api.share("/Desk", 0, "ben")
    bench(opened(), source_id="desk")
    assert kept() == {("user:ada", "user:ben")}
    cloud.api.shares.clear()
    cloud.asked.clear()
    assert bench(opened(), source_id="desk").unchanged == 2
    assert kept() == {("user:ada",)} and [path for method, path in cloud.asked if method == "GET"] == [API]
    bench(opened(readers="source"), source_id="desk")
    assert kept() == {()}


def test_when_the_server_does_not_say_who_may_read_nothing_is_listed(opened, cloud, bench):
    bench(opened(), source_id="desk")
    cloud.api.status = "503 Service Unavailable"
    with pytest.raises(SourceError, match="it is not known who may read its files"):
        opened().list()
    cloud.said[API] = b"{}"
    with pytest.raises(SourceError, match="none of Nextcloud's Share API"):
        opened().list()


def test_an_older_address_and_one_that_is_none():
    given = {"id": "desk", "kind": "webdav", "readers": "shares", "user": "ada"}
    WebDavSource(url="https://x/remote.php/webdav/Desk", **given)
    with pytest.raises(ValidationError, match=r"expected a user and their files on a Nextcloud"):
        WebDavSource(url="https://x/dav/Desk", **given)
