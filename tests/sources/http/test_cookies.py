import json

import pytest

from rag_platform.sources.http.cookies import Cookie, CookieJar


def test_cookies_go_to_the_portal_alone():
    jar = CookieJar("https://uni.example/portal", [
        Cookie("a", "1", "uni.example"), Cookie("b", "2", "example", host_only=False),
        Cookie("c", "3", "other.example"), Cookie("d", "4", "uni.example", path="/portal", secure=True),
    ])  # fmt: skip
    assert jar.header("https://uni.example/portal/x") == "d=4; a=1"
    assert jar.header("https://uni.example/portals") == "a=1"
    for url in (
        "http://uni.example/portal",
        "https://evil.example/portal",
        "https://x.uni.example/",
        "https://uni.example.evil/",
    ):
        assert jar.header(url) is None
    jar.learn("https://evil.example/", ["a=stolen; Domain=uni.example"])
    jar.learn("https://uni.example/", ["a=5; Path=/", "e=6; Domain=other.example", "d=; Path=/portal; Max-Age=0"])
    assert jar.header("https://uni.example/portal/x") == "a=5"
    assert "stolen" not in repr(list(jar))


@pytest.mark.parametrize("url", ["http://localhost:8080/x", "http://127.0.0.1:8080/x", "http://[::1]:8080/x",
                                 "https://ilse:pw@uni.example/x"])  # fmt: skip
def test_cookies_of_any_host_come_back_whole(url):
    jar = CookieJar(url)
    jar.learn(
        url, ["a=1; Path=/", 'b="2 3"; Max-Age=60', "old=4; Expires=Wed, 01 Jan 2020 00:00:00 GMT", "noequals", "=5"]
    )
    assert jar.header(url) in ('b="2 3"; a=1', 'a=1; b="2 3"')
    kept = [Cookie(**about) for about in json.loads(json.dumps(jar.to_dicts()))]
    assert {cookie.domain for cookie in kept} == {jar.host}
    again = CookieJar(url, kept)
    assert list(again) == kept
    assert again.header(url) == jar.header(url)


def test_a_cookie_of_the_domain_above_is_sent():
    jar = CookieJar("https://lms.uni.example/")
    jar.learn("https://lms.uni.example/a/b", ["sso=1; Domain=.uni.example; Path=/; Secure", "here=2"])
    assert jar.header("https://lms.uni.example/a/c") == "here=2; sso=1"
    assert jar.header("https://lms.uni.example/") == "sso=1"
    assert jar.header("https://uni.example/") is None
    again = CookieJar("https://lms.uni.example/", jar)
    assert again.header("https://lms.uni.example/") == "sso=1"


def test_an_expired_cookie_is_not_kept():
    jar = CookieJar("https://uni.example/", [Cookie("a", "1", "uni.example", expires=1.0)])
    assert len(jar) == 0
