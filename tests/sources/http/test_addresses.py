import ipaddress

import pytest

from rag_platform.core.errors import FetchError
from rag_platform.sources.http.addresses import is_public, resolve

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
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_in_every_spelling(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])
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
