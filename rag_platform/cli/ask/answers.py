"""`rag search` and `rag ask`."""

from collections.abc import Generator as Events
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated, Any

import typer
from rich.live import Live
from rich.text import Text

from rag_platform.cli.ask.explain_tables import print_explanation
from rag_platform.cli.commands import nearest
from rag_platform.cli.console import JsonOption, out, output, parse_time, print_json, workspace
from rag_platform.config.settings import MODES, Mode
from rag_platform.core.answers import Answer
from rag_platform.core.errors import SettingsError
from rag_platform.core.generation import PartialAnswer, Piece, Reply
from rag_platform.core.hits import MATCHES, Filters, Hit, Match, page_name
from rag_platform.journal.answer_notes import HOW_TO_ADD, answer_notes, searched_in_words, states_in_words
from rag_platform.journal.answer_notes import nearest as nearest_hits
from rag_platform.operations.replies import answer_document, search_document
from rag_platform.retrieval.audited import AuditedRetriever
from rag_platform.retrieval.query.parsing import interpretation_phrases
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.snippets import matches
from rag_platform.workspace import Workspace

AnswerEvents = Events[SearchResult | Piece | Reply | Answer, None, None]
"""As of `rag_platform.answering.events`, which a search need not import."""

Question = Annotated[str, typer.Argument(metavar="Q", help="The question.")]
K = Annotated[int, typer.Option("-k", min=1, max=1000, help="Number of hits.")]
MatchName = Annotated[
    str | None, typer.Option("--match", help="What a passage must hold: any, all, exact or part of the question.")
]
ModeName = Annotated[str | None, typer.Option("--mode", help="lexical, vector, hybrid or rerank.")]
Collection = Annotated[list[str] | None, typer.Option("--collection", metavar="C", help="Only this collection.")]
Source = Annotated[list[str] | None, typer.Option("--source", metavar="S", help="Only this source.")]
Type = Annotated[list[str] | None, typer.Option("--type", metavar="T", help="Only this type, as in 'pdf'.")]
Tag = Annotated[
    list[str] | None, typer.Option("--tag", metavar="TAG", help="Only documents with this tag; several must all match.")
]
Since = Annotated[str | None, typer.Option("--since", metavar="D", help="Published on or after this date.")]
Archived = Annotated[
    bool, typer.Option("--archived", help="Search the documents that are archived by age, in place of the others.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="D", help="Published before this date.")]
Language = Annotated[list[str] | None, typer.Option("--lang", metavar="L", help="Only this language, as in 'en'.")]
Principal = Annotated[
    list[str] | None, typer.Option("--as", metavar="PRINCIPAL", help="Who asks: a user or group; default: the public.")
]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE|VERSION", help="Search the version that was live then (a day: at its end)."),
]
PerDocument = Annotated[
    int | None, typer.Option("--per-document", metavar="N", min=0, help="Maximum hits per document; 0: any number.")
]
Generator = Annotated[
    str | None, typer.Option("--generator", metavar="NAME", help="What writes the answer; see `rag generators`.")
]
Prompt = Annotated[str | None, typer.Option("--prompt", metavar="NAME", help="A saved prompt of rag.toml.")]
Searching = Annotated[
    bool,
    typer.Option("--search/--no-search", help="Whether documents are searched, or the language model answers alone."),
]
Explain = Annotated[bool, typer.Option("--explain", help="Show the rank of each candidate after each stage.")]


def search(
    q: Question,
    k: K = 10,
    mode: ModeName = None,
    match: MatchName = None,
    collection: Collection = None,
    source: Source = None,
    type_: Type = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    archived: Archived = False,
    lang: Language = None,
    principal: Principal = None,
    as_of: AsOf = None,
    per_document: PerDocument = None,
    explain: Explain = False,
    as_json: JsonOption = False,
) -> None:
    """Find the passages that answer a question."""
    opened = workspace()
    refuse_empty(q)
    filters = filters_of(collection, source, type_, tag, since, until, lang, principal, match, archived)
    refuse_unknown(opened, filters, as_of)
    retriever = retriever_as_of(opened, as_of)
    result = retriever.search(q, k=k, mode=mode_of(mode), filters=filters, per_document=per_document, explain=explain)
    if as_json:
        print_json(search_document(result))
    else:
        _show_hits(result)


def ask(
    q: Question,
    k: K = 10,
    mode: ModeName = None,
    match: MatchName = None,
    collection: Collection = None,
    source: Source = None,
    type_: Type = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    archived: Archived = False,
    lang: Language = None,
    principal: Principal = None,
    as_of: AsOf = None,
    generator: Generator = None,
    prompt: Prompt = None,
    search: Searching = True,
    explain: Explain = False,
    as_json: JsonOption = False,
) -> None:
    """Answer a question, every sentence cited."""
    opened = workspace()
    refuse_empty(q)
    filters = filters_of(collection, source, type_, tag, since, until, lang, principal, match, archived)
    refuse_unknown(opened, filters, as_of)
    answerer = opened.answerer_as_of(opened.versions.as_of(as_of)) if as_of else opened.answerer
    told: dict[str, Any] = {"generator": generator, "prompt": prompt, "search": search}
    events = answerer.stream(q, k=k, mode=mode_of(mode), filters=filters, **told)
    answer = _shown_live(events) if out.is_terminal and not as_json else _last(events)
    explanation = None
    if explain:
        explained = answerer.retriever.search(q, k=k, mode=mode_of(mode), filters=filters, explain=True)
        explanation = explained.explanation
    if as_json:
        print_json(answer_document(answer) | ({"explanation": explanation} if explain else {}))
    else:
        show_answer(answer)
        if explanation:
            print_explanation(explanation, out)


def _shown_live(events: AnswerEvents) -> Answer:
    """Show text and reasoning while they are streamed, and clear them for the verified answer."""
    draft = PartialAnswer()
    with Live(console=out, transient=True, refresh_per_second=20) as live, closing(events):
        for event in events:
            if isinstance(event, Answer):
                return event
            if not isinstance(event, SearchResult | Reply):
                draft.add(event)
            lines = (draft.text or draft.reasoning).strip().splitlines()[-out.height // 2 :]
            live.update(Text("\n".join(lines), style="" if draft.text else "dim italic"))
    raise AssertionError("a stream ends with its answer")


def _last(events: AnswerEvents) -> Answer:
    *_, answer = events
    assert isinstance(answer, Answer)
    return answer


def retriever_as_of(opened: Workspace, as_of: str | None) -> AuditedRetriever:
    """Return the retriever of the version that was live then; None: of the live one."""
    return opened.retriever.as_of(opened.versions.as_of(as_of)) if as_of else opened.retriever


def show_answer(answer: Answer) -> None:
    """Print an answer with its citations."""
    out.print(_answer_text(answer), soft_wrap=True)
    if answer.citations:
        out.print()
    for citation in answer.citations:
        where = f", page {page_name(citation.page, citation.page_label)}" if citation.page else ""
        dated = f", {citation.published_at:%Y-%m-%d}" if citation.published_at else ""
        voices = f", said by {citation.origins} independent origins" if citation.origins > 1 else ""
        out.print(Text.assemble((f"[{citation.n}] ", "bold cyan"), (citation.title or citation.uri, "bold")))
        out.print(Text(f"    “{_one_line(citation.quote)}”", style="italic"), soft_wrap=True)
        out.print(Text(f"    {citation.uri}{where}{dated}{voices}", style="dim"), soft_wrap=True)
    if answer.abstained:
        _show_missing(answer)
    for note in answer_notes(answer):
        out.print(Text(f"note: {note}", style="yellow"), soft_wrap=True)
    if answer.claims:
        out.print(Text(f"\n{states_in_words(answer.claims)}", style="dim"))
    out.print(Text(f"\nversion {answer.version} · {answer.model} · receipt {answer.receipt_id}", style="dim"))


def _answer_text(answer: Answer) -> Text:
    """Return the text of an answer; in quotes with a short answer, the stars around that become bold type."""
    if not any(citation.highlight for citation in answer.citations):
        return Text(answer.answer)
    parts = answer.answer.split("**")
    return Text.assemble(*((part, "bold" if place % 2 else "") for place, part in enumerate(parts)))


def _show_missing(answer: Answer) -> None:
    """Print what was searched for an answer that is not there, what is nearest, and how to add what is missing."""
    out.print(Text(f"\n{searched_in_words(answer)}"), soft_wrap=True)
    if answer.hits:
        out.print(Text("\nThe closest passages are in:"))
    for hit in nearest_hits(answer.hits):
        out.print(Text.assemble("  ", (hit.title or hit.uri, "bold"), (f"  {hit.uri}", "dim")), soft_wrap=True)
    out.print(Text(f"\n{HOW_TO_ADD}"), soft_wrap=True)


def filters_of(
    collection: list[str] | None,
    source: list[str] | None,
    type_: list[str] | None,
    tag: list[str] | None,
    since: str | None,
    until: str | None,
    lang: list[str] | None,
    principal: list[str] | None,
    match: str | None,
    archived: bool = False,
) -> Filters:
    """Return the filters of a search, with the principals who ask."""
    return Filters(
        collections=tuple(collection or ()),
        sources=tuple(source or ()),
        types=tuple(type_ or ()),
        tags=tuple(tag or ()),
        languages=tuple(lang or ()),
        since=parse_time("--since", since) if since is not None else None,
        until=parse_time("--until", until) if until is not None else None,
        principals=tuple(principal or ()),
        match=_match_of(match),
        archived=archived,
    )


def _match_of(name: str | None) -> Match | None:
    if name is not None and name not in MATCHES:
        raise SettingsError(f"--match {name!r}: expected one of {', '.join(MATCHES)}")
    return name


def refuse_empty(question: str) -> None:
    """Raise `SettingsError` for an empty question."""
    if not question.strip():
        raise SettingsError("the question is empty; expected what to look for, such as 'When does the ferry run?'")


def refuse_unknown(opened: Workspace, filters: Filters, as_of: str | None) -> None:
    """Raise `SettingsError` for a source or collection that is neither in rag.toml nor in the searched version."""
    version = opened.versions.as_of(as_of) if as_of else opened.versions.live_id()
    if version is None or not (filters.sources or filters.collections):
        return
    sources = {source.id for source in opened.settings.sources} | set(opened.versions.manifest(version)["sources"])
    _refuse("--source", filters.sources, sources)
    if not as_of:  # earlier collections of a source are known to the older version only
        _refuse("--collection", filters.collections, _collections(opened))


def _collections(opened: Workspace) -> set[str]:
    indexed = set(opened.versions.open(opened.versions.resolve("live")).catalog.documents("collection")["collection"])
    return indexed | {source.collection for source in opened.settings.sources} | set(opened.titles(("*",)))


def _refuse(option: str, given: Sequence[str], known: set[str]) -> None:
    for name in given:
        if name not in known:
            expected = ", ".join(sorted(known)) or "none"
            raise SettingsError(f"{option} {name!r}: expected one of: {expected}{nearest(name, known)}")


def mode_of(name: str | None) -> Mode | None:
    """Return the search mode that an option names; `SettingsError` for an unknown one."""
    if name is not None and name not in MODES:
        raise SettingsError(f"--mode {name!r}: expected one of {', '.join(MODES)}")
    return name


def _show_hits(result: SearchResult) -> None:
    console = output()
    if not result.hits:
        console.print("Nothing relevant found." if result.nothing_relevant else "Nothing found.")
    elif result.nothing_relevant:
        console.print(
            Text("Nothing here seems to answer this. The nearest passages:\n", style="yellow"), soft_wrap=True
        )
    for hit in result.hits:
        heading = Text.assemble((f"{hit.rank}. ", "bold cyan"), (hit.title or hit.uri, "bold"))
        if hit.section:
            heading.append(f"  {hit.section}", style="dim")
        console.print(heading, soft_wrap=True)
        console.print(_highlighted(hit, result.question), soft_wrap=True)
        where = f"   {hit.uri}" + (f", page {page}" if (page := hit.snippet_page) else "")
        console.print(Text(f"{where} · {hit.score:.3f}", style="dim"), soft_wrap=True)
        for flag in hit.instructs[:1]:
            console.print(Text(f"   ⚠ {flag}", style="yellow"), soft_wrap=True)
        if hit.duplicates:
            console.print(Text(f"   also in: {', '.join(hit.also_in)}", style="dim"), soft_wrap=True)
    if result.understood:
        console.print(
            Text(
                "understood as: " + " · ".join([result.understood["text"], *interpretation_phrases(result.understood)])
            )
        )
    if result.explanation:
        print_explanation(result.explanation, console)
    for warning in result.warnings:
        console.print(Text(f"note: {warning}", style="yellow"), soft_wrap=True)
    console.print(Text(f"\nversion {result.version} · {result.mode} · {result.took_ms['total']:.0f} ms", style="dim"))


def _highlighted(hit: Hit, question: str) -> Text:
    shown = _one_line(hit.snippet)
    text = Text("   " + shown)
    for start, end in matches(shown, question):
        text.stylize("bold yellow", start + 3, end + 3)
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())
