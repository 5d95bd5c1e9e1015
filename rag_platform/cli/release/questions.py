"""`rag questions`: the question sets of the gate: list, check, propose, accept, and pin floors."""

from types import ModuleType
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.ask.answers import Principal
from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_error, print_json, workspace
from rag_platform.core.errors import NothingPublished, QuestionSetError
from rag_platform.index.releases.release_log import acting_user
from rag_platform.journal.proposals import Proposal
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace
from rag_platform.workspace.applications import load_application

app = group("The question sets of the release gate.")

ProposalId = Annotated[str, typer.Argument(metavar="ID", help="A proposed question's id, or the beginning of one.")]


@app.command("list")
def list_questions(as_json: JsonOption = False) -> None:
    """List the questions with tags, split and principal."""
    rows = _evals().list_questions(workspace())
    if as_json:
        print_json(rows)
        return
    table = Table("id", "question", "split", "tags", "asked by", "as of")
    for row in rows:
        cells = (row["id"], row["question"], row["split"], ", ".join(row["tags"]), row["principal"], row["as_of"])
        table.add_row(*(Text(cell or "") for cell in cells))
    out.print(table)


@app.command("shadow")
def shadow(as_json: JsonOption = False) -> None:
    """List the real questions that were kept, masked, to compare versions on them."""
    found = workspace().shadow_set.questions()
    if as_json:
        print_json(found)
    else:
        out.print(Text("\n".join(found) or "none was kept; see [shadow] in rag.toml"), soft_wrap=True)


@app.command("leave")
def leave(
    person: Annotated[str, typer.Argument(metavar="WHO", help="Who asks: user:ilse@example.org, token:kiosk.")],
    given: Annotated[bool, typer.Option("--yes/--no", help="Whether their questions may be kept, masked.")],
    as_json: JsonOption = False,
) -> None:
    """Record whether somebody's questions may be kept, masked; a no also takes back what was kept."""
    opened = workspace()
    tokens = {f"token:{token.name}": token.id for token in Tokens(opened.journal).list()}
    own = opened.journal.receipts(-1, principal=tokens.get(person, person))
    opened.shadow_set.decide(person, given=given, receipts=[receipt.id for receipt in own])
    if as_json:
        print_json({"who": person, "leave": given})
    else:
        out.print(Text(f"questions of {person} may{'' if given else ' not'} be kept"))


@app.command("check")
def check(as_json: JsonOption = False) -> None:
    """Validate the sets, and name the quotes that are not in the live version."""
    opened = workspace()
    found = _evals().check_questions(opened, _live(opened))
    if as_json:
        print_json(found)
    else:
        out.print(f"{found['questions']} questions in {len(found['files'])} files, set {found['fingerprint']}")
        for problem in found["lost"]:
            out.print(Text(problem, style="yellow"), soft_wrap=True)
    raise typer.Exit(1 if found["lost"] else 0)


@app.command("pin")
def pin(
    allow_regression: Annotated[
        bool, typer.Option("--allow-regression", help="Let a floor be lower than the one that is pinned.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Pin the live version's scores, less the noise band, as floors that no later version may fall below."""
    opened = workspace()
    pinned = _evals().pin_floors(opened, _live(opened), allow_regression=allow_regression)
    if as_json:
        print_json(pinned)
        return
    for metric, floor in pinned["floors"].items():
        out.print(f"{metric}: {floor:.4f}")
    out.print(Text(f"written to {pinned['path']}"), soft_wrap=True)


@app.command("propose")
def propose(
    count: Annotated[int | None, typer.Option("--count", min=1, help="How many; default: gate.synthetic.")] = None,
    llm: Annotated[
        bool | None, typer.Option("--llm/--no-llm", help="With a language model; default: when one is set.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Generate questions from the live version's documents and write them to questions/synthetic.jsonl."""
    opened = workspace()
    if llm and not opened.settings.generator.base_url:
        raise QuestionSetError("--llm: no language model is set; set generator.base_url in rag.toml, or use --no-llm")
    count = count or opened.settings.gate.synthetic or 24
    result = _evals().propose_questions(opened, _live(opened), count, llm=llm)
    if result["warning"]:
        print_error(result["warning"])
    if as_json:
        print_json(result)
        return
    for row in result["questions"]:
        out.print(Text(f"{row['question']}  [{row['relevant'][0]['uri']}]"), soft_wrap=True)
    out.print(Text(f"{len(result['questions'])} questions written to {result['path']}"), soft_wrap=True)


@app.command("proposed")
def proposed(
    principal: Principal = None,
    as_json: JsonOption = False,
) -> None:
    """List the questions proposed by users' judgements of answers."""
    found = workspace().proposals.list(tuple(principal or ()))
    if as_json:
        print_json([_row(proposal) for proposal in found])
        return
    if not found:
        out.print("There are no proposed questions.")
    for proposal in found:
        judged = "good" if proposal.good else f"bad: {proposal.reason or 'no reason'}"
        out.print(Text.assemble((proposal.id, "bold cyan"), f"  {proposal.question}"), soft_wrap=True)
        answered = "declined" if proposal.receipt.abstained else proposal.receipt.answer
        out.print(
            Text(f"    {judged}{f', “{proposal.comment}”' if proposal.comment else ''} · {proposal.version}"),
            soft_wrap=True,
        )
        out.print(Text(f"    {' '.join(answered.split())}", style="dim"), soft_wrap=True)


@app.command("accept")
def accept(
    proposal_id: ProposalId,
    question: Annotated[str | None, typer.Option("--question", metavar="Q", help="Another wording of it.")] = None,
    quote: Annotated[
        list[str] | None,
        typer.Option("--quote", metavar="URI=WORDS", help="Words that answer it; default: what the answer cites."),
    ] = None,
    answer: Annotated[str | None, typer.Option("--answer", metavar="TEXT", help="An accepted answer.")] = None,
    unanswerable: Annotated[
        bool | None, typer.Option("--unanswerable/--answerable", help="Whether declining is right; default: as judged.")
    ] = None,
    principal: Principal = None,
    as_json: JsonOption = False,
) -> None:
    """Add a proposed question to questions/feedback.jsonl."""
    relevant = None if quote is None else [_quote(one) for one in quote]
    answerable = None if unanswerable is None else not unanswerable
    edits = {"question": question, "relevant": relevant, "answer": answer, "answerable": answerable}
    readers = tuple(principal or ())
    result = _evals().accept_proposal(workspace(), proposal_id, who=acting_user(), principals=readers, **edits)
    if as_json:
        print_json(result)
    else:
        out.print(Text(f"{result['question']['id']} written to {result['path']}"), soft_wrap=True)


@app.command("dismiss")
def dismiss(proposal_id: ProposalId, principal: Principal = None) -> None:
    """Dismiss a proposed question."""
    proposals = workspace().proposals
    found = proposals.find(proposal_id, tuple(principal or ()))
    proposals.dismiss(found.id, acting_user())
    out.print(Text(f"{found.id} dismissed: {found.question}"), soft_wrap=True)


def _quote(given: str) -> tuple[str, str]:
    uri, equals, words = given.partition("=")
    if not equals:
        raise QuestionSetError(f"--quote {given!r}: expected the uri of a document, '=' and words of it")
    return uri, words


def _row(proposal: Proposal) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "question": proposal.question,
        "answer": proposal.receipt.answer,
        "abstained": proposal.receipt.abstained,
        "good": proposal.good,
        "reason": proposal.reason,
        "comment": proposal.comment,
        "version": proposal.version,
        "judged_at": proposal.judged_at,
        "relevant": [{"uri": citation.uri, "quote": citation.quote} for citation in proposal.cited],
    }


def _live(opened: Workspace) -> str:
    live = opened.versions.live_id()
    if live is None:
        raise NothingPublished("questions are run on the live version, and there is none; run `rag sync` first")
    return live


def _evals() -> ModuleType:
    return load_application("evals.commands.question_sets", extra="eval", purpose="`rag questions`")
