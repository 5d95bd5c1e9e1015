"""A password goes over plain HTTP to no other machine, unless somebody says that it may."""

import pytest

from rag_platform.config.plain_passwords import check_encryption, exposed
from rag_platform.config.source_kinds import settings_of
from rag_platform.core.errors import SettingsError

DAV = {"kind": "webdav", "id": "cloud", "user": "ada", "password": "${secret:cloud}"}
DLT = {"kind": "dlt", "id": "api", "source": "dlt.sources.rest_api.rest_api_source"}


def rest(url, **client):
    return DLT | {"arguments": {"config": {"client": {"base_url": url} | client, "resources": ["posts"]}}}


@pytest.mark.parametrize(
    ("given", "hosts"),
    [
        (DAV | {"url": "http://cloud.example.org/dav"}, ["cloud.example.org"]),
        (DAV | {"url": "http://192.168.0.9:8080/dav"}, ["192.168.0.9"]),
        (rest("http://api.example.org", auth={"type": "bearer", "token": "${secret:api}"}), ["api.example.org"]),
        ({"kind": "git", "id": "repo", "url": "http://ada:${secret:git}@git.example.org/a.git"}, ["git.example.org"]),
        (DAV | {"url": "https://cloud.example.org/dav", "uri": "http://cloud.example.org/f/{id}"}, []),
        (DAV | {"url": "http://127.0.0.1:8080/dav"}, []),
        (DAV | {"url": "http://localhost/dav"}, []),
        ({"kind": "webdav", "id": "open", "url": "http://files.example.org/"}, []),
        ({"kind": "web", "id": "site", "urls": ["http://example.org/"], "pdf_passwords": ["${KEY}"]}, []),
        (rest("http://api.example.org"), []),
        ({"kind": "web", "id": "site", "urls": ["http://a.org/"], "include": ["http://[a-z]+.example.org/.*"]}, []),
    ],
)
def test_where_a_password_would_go_unencrypted(given, hosts):
    settings = settings_of(given)
    assert exposed(settings) == hosts
    if hosts:
        with pytest.raises(SettingsError, match=r"would go to \S+ unencrypted.*set plain_http = true"):
            check_encryption(settings)
    check_encryption(settings_of(given | {"plain_http": True}))
