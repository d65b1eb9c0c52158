"""Hosts as people write them and as clients send them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askweb.preferences.hosts import covering, host_of, read_host, shown


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("example.org", "example.org"),
        ("  Example.ORG. ", "example.org"),
        ("*.example.org", "example.org"),
        (".example.org", "example.org"),
        ("example.org:8080", "example.org"),
        ("https://user:word@example.org:8443/path?x#y", "example.org"),
        ("localhost:3000", "localhost"),
        ("my_host.example.org", "my_host.example.org"),
        ("例え.jp", "xn--r8jz45g.jp"),
        ("faß.de", "xn--fa-hia.de"),
        ("I❤.ws", "xn--i-7iq.ws"),
        ("example。org", "example.org"),
        ("127.1", "127.0.0.1"),
        ("[2001:DB8:0::1]:80", "2001:db8::1"),
    ],
)
def test_a_host_is_read_as_browsers_write_it(written: str, host: str) -> None:
    assert read_host(written) == host


@pytest.mark.parametrize(
    "written",
    [
        "",
        "   ",
        "*",
        "two words",
        "-a.org",
        "a..org",
        "1.2.3.4.5",
        "https://",
        "a" * 64 + ".org",
        "file:///etc",
    ],
)
def test_what_is_no_host_is_refused_with_its_text(written: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a host") as refused:
        read_host(written)
    assert written.strip() in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://bank.example/account",
        "HTTPS://BANK.EXAMPLE",
        "https://bank.example:8443/",
        "https://me:secret@bank.example/",
        "https:\\\\bank.example\\x",
        "https:bank.example",
        " \thttps://ba\nnk.example/",
        "//bank.example/",
        "bank.example/path",
        "bank.example:8080",
        "https://b%61nk.example/",
        "https://bank.example./",
        "blob:https://bank.example/0a1b",
        "view-source:https://bank.example/",
        "chrome-extension://bank.example/page.html",
    ],
)
def test_the_host_of_an_address_is_found_however_it_is_written(url: str) -> None:
    assert host_of(url) == "bank.example"


@pytest.mark.parametrize("url", ["", "/path", "?x", "#y", "https://", "file:///etc/passwd"])
def test_what_has_no_host_has_none(url: str) -> None:
    assert host_of(url) == ""


@pytest.mark.parametrize(
    ("host", "blocked"),
    [
        ("example.org", "example.org"),
        ("a.b.example.org", "example.org"),
        ("notexample.org", None),
        ("org", None),
        ("example.org.evil", None),
        ("", None),
    ],
)
def test_a_blocked_host_covers_its_subdomains_alone(host: str, blocked: str | None) -> None:
    assert covering(host, ["other.example", "example.org"]) == blocked


@given(st.text(max_size=80))
def test_white_space_around_whatever_is_sent_changes_nothing(text: str) -> None:
    assert host_of(f" {text}\n") == host_of(text)


@given(st.text(max_size=40))
def test_what_is_read_as_a_host_is_found_again_in_addresses(text: str) -> None:
    try:
        host = read_host(text)
    except ValueError:
        return
    written = f"[{host}]" if ":" in host else host
    assert host_of(f"https://{written}:8443/path") == host


def test_a_name_of_megabytes_is_no_host() -> None:
    assert host_of("https://" + "é" * 2_000_000) == ""


def test_a_host_is_shown_as_people_read_it() -> None:
    assert shown("xn--r8jz45g.jp") == "例え.jp"
