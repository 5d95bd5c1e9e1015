import ipaddress

import pytest

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import FetchError
from rag_platform.sources.browser.egress import Egress
from rag_platform.sources.http.addresses import is_public, resolve
from rag_platform.sources.http.fetcher import Fetcher

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2002:5db8:d822::",  # 6to4, though to a public address: the tunnel ends in a router here
    "2001:0:7f00:1::",  # Teredo
    "2001::5db8:d822",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",  # NAT64 of one's own network (RFC 8215)
    "64:ff9b:1::5db8:d822",
    "::127.0.0.1",  # IPv4-compatible (RFC 4291)
    "::93.184.216.34",
    "::ffff:0:127.0.0.1",  # IPv4-translated (RFC 2765)
    "2606:4700::5efe:7f00:1",  # ISATAP
    "2606:4700::200:5efe:7f00:1",
    "fec0::1",  # site-local
    "5f00::1",  # segment routing
    "3fff::1",  # documentation
    "2001:db8::1",
    "100::1",  # discarded
    "4000::1",  # given to nobody
    "1::1",
    "192.88.99.1",  # relays of 6to4
    "198.18.0.1",
    "240.0.0.1",
    "192.0.0.1",
]


NAT64_OF_PUBLIC = ["64:ff9b::5db8:d822", "2620:4f:8000::1"]
"""Networks with IPv6 alone reach IPv4 servers so (RFC 6052)."""


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_in_every_spelling(address):
    assert not is_public(ipaddress.ip_address(address))


PUBLIC = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34", *NAT64_OF_PUBLIC]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "::1"])
def test_loopback_is_refused_however_it_is_written(host):
    with pytest.raises(FetchError, match="allow_private"):
        resolve(host, 80, allow_private=False)


def test_one_private_address_among_public_ones_is_enough(monkeypatch):
    found = [(2, 1, 6, "", (address, 80)) for address in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr("socket.getaddrinfo", lambda *args, **kwargs: found)
    with pytest.raises(FetchError, match=r"10\.0\.0\.1"):
        resolve("mixed.example", 80, allow_private=False)


@pytest.mark.parametrize("host", ["64:ff9b:1::7f00:1", "::127.0.0.1", "::ffff:0:7f00:1", "2002:7f00:1::"])
def test_loopback_inside_other_addresses_is_refused_to_fetcher_and_browser(host):
    with pytest.raises(FetchError, match="not public"):
        resolve(host, 80, allow_private=False)
    with pytest.raises(FetchError, match="not public"):
        Fetcher(FetchSettings()).get(f"http://[{host}]/")
    with pytest.raises(FetchError, match="not public"):
        Egress(FetchSettings()).connect(host, 80)
