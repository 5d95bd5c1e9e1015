"""The contract of a source whose every reading starts a process: of the tests that others include, none is run."""

from rag_platform.pipeline.source_contract import SourceContract


class ProcessContract(SourceContract):
    """The tests that a kind's own tests inherit."""

    test_a_listing_is_repeatable_and_its_uris_are_unique = None
    test_the_first_sync_finds_all_new_and_the_second_all_unchanged = None
    test_what_has_a_fingerprint_is_not_fetched_again = None
    test_an_addition_is_seen = None
    test_a_return_is_noticed = None
