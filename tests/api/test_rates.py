"""Whoever asks too often is told when to come back."""

import httpx

from rag_platform.people.tokens import Tokens
from rag_platform.workspace import open_workspace


def test_too_many_searches_of_one_token_are_refused_until_later(serve, tmp_path):
    (tmp_path / "rag.toml").write_text("[access]\nsearches_per_minute = 2\n")
    tokens = Tokens(open_workspace(tmp_path).journal)
    ilse, asha = ({"authorization": f"Bearer {tokens.create(name)}"} for name in ("ilse", "asha"))
    with serve(tmp_path) as address:

        def search(who):
            return httpx.get(f"{address}/v1/search", params={"q": "leave"}, headers=who)

        assert [search(ilse).status_code for _ in range(2)] == [503, 503]  # nothing is published
        refused = search(ilse)
        assert refused.status_code == 429 and "more than 2 searches" in refused.json()["detail"]
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert search(asha).status_code == 503
