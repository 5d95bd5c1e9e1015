"""Collections, generators and assistants as models: `rag/all`, `rag/handbook@local`, `rag/assistant:onboarding`."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentReader, Served
from rag_platform.api.openai.openai_route import ERRORS, BadField, OpenAIRoute
from rag_platform.api.problems import reply
from rag_platform.core import ports
from rag_platform.operations.asking.assisting import ADDRESSED, asker_of
from rag_platform.operations.search_scope import known_collections
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.shelf import Shelved
from rag_platform.workspace import Workspace

EVERYTHING = "all"
_PREFIX = "rag/"

router = APIRouter(prefix="/v1", route_class=OpenAIRoute, tags=["OpenAI"], responses=ERRORS)


class ModelDocument(BaseModel):
    """A model."""

    id: str
    object: str
    created: int
    owned_by: str


class ModelsDocument(BaseModel):
    """All models that the caller may use."""

    object: str
    data: list[ModelDocument]


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """What a model's name stands for."""

    name: str
    collections: tuple[str, ...]
    """Empty: all that the caller may read."""
    generator: str
    """Its name, or NAME:MODEL."""
    writer: ports.Generator
    assistant: str = ""
    """The id of the assistant that answers; empty: none."""

    @property
    def obliging(self) -> bool:
        """Whether it can be told how to write: a language model, not quotes."""
        return isinstance(self.writer, ports.Obliging)


def choose_model(workspace: Workspace, caller: Caller, name: str) -> ChosenModel:
    """Return what a model's name stands for.

    Raises:
        BadField: there is no such collection or assistant for this caller, or no such generator.
    """
    if found := _assistant(workspace, caller, name):
        writer = found.body.generator if workspace.generators.knows(found.body.generator) else ""
        writer = writer or workspace.generators.default
        return ChosenModel(name, (), writer, workspace.generators.of(writer), found.id)
    collections, generators = known_collections(workspace, caller.principals), workspace.generators
    whole = name.removeprefix(_PREFIX)
    collection, generator = (whole, "") if whole in collections else whole.partition("@")[::2]
    generator = generator or generators.default
    known = collection == EVERYTHING or collection in collections
    if not name.startswith(_PREFIX) or not known or not generators.knows(generator):
        some = ", ".join(_names(workspace, caller)[:12])
        raise BadField("model", f"there is no model {name!r}", f"one of: {some}", "Look at /v1/models.", 404)
    chosen = () if collection == EVERYTHING else (collection,)
    return ChosenModel(name, chosen, generator, generators.of(generator))


@router.get("/models", response_model=ModelsDocument)
def list_models(workspace: Served, caller: CurrentReader) -> Response:
    """List the collections and assistants that the caller may use, and who may write, as models."""
    return reply({"object": "list", "data": [_document(name) for name in _names(workspace, caller)]})


@router.get("/models/{model:path}", response_model=ModelDocument)
def show_model(workspace: Served, caller: CurrentReader, model: str) -> Response:
    """Describe a model."""
    return reply(_document(choose_model(workspace, caller, model).name))


def _names(workspace: Workspace, caller: Caller) -> list[str]:
    first, *others = workspace.generators.names()
    assert first == workspace.generators.default
    collections = (EVERYTHING, *sorted(known_collections(workspace, caller.principals)))
    assistants = workspace.assistants.of(asker_of(workspace, caller.owner, caller.principals))
    collections = (*collections, *(f"{ADDRESSED}{one.id}" for one in assistants))
    return [f"{_PREFIX}{one}" for one in collections] + [f"{_PREFIX}{EVERYTHING}@{one}" for one in others]


def _assistant(workspace: Workspace, caller: Caller, name: str) -> Shelved[Assistant] | None:
    item = name.removeprefix(f"{_PREFIX}{ADDRESSED}")
    asker = asker_of(workspace, caller.owner, caller.principals)
    return None if item == name else workspace.assistants.find(item, asker)


def _document(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "rag-platform"}
