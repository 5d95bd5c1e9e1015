"""Who somebody is, and what they may do."""

from datetime import UTC, datetime, timedelta

import pytest

from rag_platform.config.sections.access import AccessSettings
from rag_platform.core.errors import AccessDenied, SignInExpired
from rag_platform.people.identity import local_person, person_from_claims, visitor_of

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
CLAIMS = {
    "email": "ilse@example.org",
    "email_verified": True,
    "name": "Ilse",
    "groups": ["staff"],
    "iat": NOW.timestamp(),
}
ACCESS = AccessSettings(admins=("group:staff",), editors=("user:asha@example.org",), readers=("group:support",))


def test_a_person_reads_as_themselves_and_their_groups():
    person = person_from_claims(CLAIMS, ACCESS, NOW)
    assert person.id == "user:ilse@example.org" and person.name == "Ilse" and person.signed_in
    assert person.principals == ("user:ilse@example.org", "group:staff")
    assert person_from_claims(CLAIMS | {"groups": "staff, night shift"}, ACCESS, NOW).principals[1:] == (
        "group:staff",
        "group:night shift",
    )


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        (CLAIMS, "admin"),
        (CLAIMS | {"email": "asha@example.org", "groups": ["support"]}, "editor"),
        (CLAIMS | {"groups": ["support", "other"]}, "reader"),
    ],
)
def test_the_highest_role_counts(claims, role):
    assert person_from_claims(claims, ACCESS, NOW).role == role


def test_a_role_may_what_those_below_it_may():
    editor = person_from_claims(CLAIMS | {"email": "asha@example.org", "groups": []}, ACCESS, NOW)
    assert editor.may("reader") and editor.may("editor") and not editor.may("admin")


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        (CLAIMS | {"groups": []}, "may not use this page"),
        (CLAIMS | {"groups": {"staff": True}}, "may not use this page"),
        ({"sub": "1", "iat": NOW.timestamp()}, "no claim 'email'"),
        (CLAIMS | {"email": ["ilse@example.org"]}, "no claim 'email'"),
        *(
            (CLAIMS | {"email_verified": said}, "not verified")
            for said in (False, "false", "False", "", 0, 1, None, [])
        ),
        ({name: value for name, value in CLAIMS.items() if name != "email_verified"}, "require_email_verified"),
    ],
)
def test_whoever_is_not_named_or_not_let_in_is_refused(claims, told):
    with pytest.raises(AccessDenied, match=told):
        person_from_claims(claims, ACCESS, NOW)


@pytest.mark.parametrize("said", [True, "true", "True"])
def test_an_address_counts_when_the_provider_says_that_it_is_verified(said):
    assert person_from_claims(CLAIMS | {"email_verified": said}, ACCESS, NOW).role == "admin"


def test_a_provider_that_sends_no_email_verified_can_be_trusted_but_not_against_its_word():
    trusting = ACCESS.model_copy(update={"require_email_verified": False})
    silent = {name: value for name, value in CLAIMS.items() if name != "email_verified"}
    assert person_from_claims(silent, trusting, NOW).role == "admin"
    for said in (False, "false", None):
        with pytest.raises(AccessDenied, match="not verified"):
            person_from_claims(silent | {"email_verified": said}, trusting, NOW)


def test_another_claim_than_the_address_needs_no_email_verified():
    access = AccessSettings(user_claim="sub", admins=("user:1f3a",))
    person = person_from_claims({"sub": "1f3a", "email": "ilse@example.org", "iat": NOW.timestamp()}, access, NOW)
    assert person.role == "admin" and person.id == "user:1f3a"


def test_everyone_who_can_sign_in_may_read_unless_readers_are_named():
    assert person_from_claims(CLAIMS, AccessSettings(), NOW).role == "reader"


@pytest.mark.parametrize("issued", [None, "yesterday", (NOW - timedelta(hours=12)).timestamp()])
def test_a_sign_in_expires(issued):
    with pytest.raises(SignInExpired):
        person_from_claims(CLAIMS | {"iat": issued}, ACCESS, NOW)
    assert person_from_claims(CLAIMS | {"iat": (NOW - timedelta(hours=11)).timestamp()}, ACCESS, NOW).role == "admin"


def test_without_signing_in_there_is_one_local_user_and_visitors():
    assert local_person("ilse", AccessSettings(local_principals=("group:staff",))).principals == ("group:staff",)
    assert local_person("ilse", AccessSettings()).may("admin")
    stranger = visitor_of(AccessSettings(), "1")
    assert stranger.role == "reader" and stranger.principals == () and stranger.id == "visitor:1"
    with pytest.raises(AccessDenied):
        visitor_of(AccessSettings(visitors="nobody"), "1")
