"""Forms from the declarations of settings: every kind of source has one, and no secret is shown back."""

import pytest

from rag_platform.config.sections.access import AccessSettings
from rag_platform.config.settings_fields import HIDDEN, as_given, as_shown, read_form, setting_fields
from rag_platform.config.source_kinds import kind_names, kind_of


def fields(kind):
    return {one.name: one for one in setting_fields(kind_of(kind).settings)}


@pytest.mark.parametrize("kind", kind_names())
def test_every_key_of_every_kind_has_a_field_and_what_is_unset_stays_so(kind):
    section = kind_of(kind).settings
    found = fields(kind)
    assert found.keys() == section.model_fields.keys()
    for one in found.values():
        assert as_given(one, as_shown(one, None), None) is None, one
        assert one.default is None or as_shown(one, one.default) is not None, one


def test_sorts_options_and_words_follow_from_the_declaration():
    found = fields("imap")
    assert (found["password"].sort, found["password"].needed) == ("secret", True)
    assert (found["readers"].sort, found["readers"].options) == ("choice", ("source", "acl"))
    assert found["timeout"].about == "Seconds that the server may be silent."
    assert (found["include"].sort, found["max_bytes"].sort, found["trust_of"].sort) == ("lines", "whole", "json")
    assert as_given(fields("mediawiki")["namespaces"], "0\n14\n", None) == [0, 14]


def test_a_password_is_never_shown_and_kept_where_nothing_is_typed():
    section, old = kind_of("imap").settings, {"id": "desk", "kind": "imap", "url": "imaps://mail", "user": "u"}
    old |= {"password": "${secret:desk}"}
    assert as_shown(fields("imap")["password"], old["password"]) == ""
    same = read_form(section, {"password": "", "user": "v"}, old)
    assert (same.changes, same.secrets) == ({"user": "v"}, {})
    given = read_form(section, {"password": "hunter2"}, old, "desk-2")
    assert (given.changes, given.secrets) == ({"password": "${secret:desk-2}"}, {"desk-2": "hunter2"})
    assert "hunter2" not in repr(given)
    named = read_form(section, {"password": "${secret:other}"}, old, "desk-2")
    assert (named.changes, named.secrets) == ({"password": "${secret:other}"}, {})


def test_passwords_in_addresses_and_tables_are_concealed_and_come_back_only_unchanged():
    url, options = fields("sql")["url"], fields("objects")["options"]
    before = "postgresql://reader:hunter2@db/desk"
    shown = as_shown(url, before)
    assert shown == f"postgresql://reader:{HIDDEN}@db/desk" and as_given(url, shown, before) == before
    with pytest.raises(ValueError, match="stands for a secret"):
        as_given(url, shown.replace("@db", "@evil"), before)
    table = {"client_secret": "hunter2", "region": "eu", "key": "${secret:k}"}
    text = as_shown(options, table)
    assert "hunter2" not in text and "${secret:k}" in text
    assert as_given(options, text.replace('"eu"', '"us"'), table) == table | {"region": "us"}
    with pytest.raises(ValueError, match="stands for a secret"):
        as_given(options, text.replace("client_secret", "token"), table)
    with pytest.raises(ValueError, match="no JSON"):
        as_given(options, "{", table)


def test_what_is_wrong_is_told_at_its_field():
    section = kind_of("imap").settings
    given = read_form(section, {"id": "Desk", "url": "https://x", "user": "", "timeout": 0}, {"kind": "imap"})
    assert given.problems.keys() == {"id", "url", "user", "timeout", "password"}
    assert "imaps://host" in given.problems["url"] and "more than 0" in given.problems["timeout"]
    whole = read_form(kind_of("web").settings, {"id": "site"}, {"kind": "web"})
    assert "sitemap" in whole.problems[""]
    assert read_form(AccessSettings, {"questions_per_minute": 30}, {}).changes == {}
