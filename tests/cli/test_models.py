"""`rag models show`."""

import json

from tests.rag_commands import run_rag


def test_a_model_is_shown_as_it_is_when_open(tmp_path, tiny_model_folder):
    (tmp_path / "rag.toml").write_text(
        f"[models.small]\nname = 'tiny'\nfolder = '{tiny_model_folder}'\nmax_tokens = 99"
    )
    done = run_rag("--home", str(tmp_path), "models", "show", "small", "--json")
    shown = json.loads(done.stdout)
    assert (shown["name"], shown["dimension"], shown["max_tokens"], shown["runtime"]) == ("tiny", 32, 99, "onnx")
    assert shown["token_vectors"] is True and shown["relevance"] == {"from": "nowhere"}
    unknown = run_rag("--home", str(tmp_path), "models", "show", "other")
    assert unknown.returncode == 2 and "known: small" in unknown.stderr
