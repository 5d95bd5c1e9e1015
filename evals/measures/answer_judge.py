"""Which answers a language model judges, and a summary of its scores."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from evals.measures.queries import query_filters
from evals.measures.ragas_llm_metrics import AT_ONCE, Judgeable, judge_answers
from evals.measures.scoring import Scores
from evals.questions.question import Question
from rag_platform.answering import Answerer
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.core.answers import Answer, JudgedClaim
from rag_platform.journal.answer_notes import states_in_words
from rag_platform.workspace import Workspace


def judge_sample(
    workspace: Workspace, version: str, questions: tuple[Question, ...], scores: Scores
) -> dict[str, Any] | None:
    """Let the configured server answer a sample of the deciding questions from a version, and judge its answers.

    None without a server. What is stored with the scores is not requested again.
    """
    settings = workspace.settings
    count = settings.gate.judged
    if not settings.generator.base_url or not count or scores.judged:
        return scores.judged
    eligible = [q for q in questions if q.answerable and q.split == "dev" and q.id not in scores.stale]
    retriever, check = workspace.retriever_of(version), workspace.check
    answerer = Answerer(retriever, workspace.generator, workspace.embedder, None, settings, check=check)
    samples, model = [], None
    claims: list[JudgedClaim] = []
    for question, answer in answered(answerer, eligible[:: -(-len(eligible) // count) or 1]):
        if answer.model == Extractive.name:
            return {"problem": " ".join(answer.warnings) or "nothing was found"}
        if not answer.abstained:
            model = answer.model
            claims += answer.claims
            contexts = [hit.text for hit in answer.hits]
            samples.append(Judgeable(question.id, question.question, answer.answer, contexts, _reference(question)))
    if model is None:
        return {"problem": "the language model answered none of the questions"}
    judged = judge_answers(samples, model, settings.generator, workspace.embedder)
    return judged | {"sentences": states_in_words(claims)}


def answered(answerer: Answerer, questions: Sequence[Question]) -> Iterator[tuple[Question, Answer]]:
    """Yield each question with its answer, in their order; the server gets `AT_ONCE` at a time, which it batches."""
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        ask = partial(_ask, answerer)
        yield from zip(questions, pool.map(ask, questions), strict=True)
    finally:
        pool.shutdown(cancel_futures=True)  # a server that fails is not asked for all


def _ask(answerer: Answerer, question: Question) -> Answer:
    return answerer.ask(question.question, filters=query_filters(question), now=question.as_of)


def judge_report(made: dict[str, Any] | None) -> Iterator[str]:
    """Say in a sentence what the language model thought."""
    if made and "problem" in made:
        yield f"No answers were judged by the language model: {made['problem']}"
    elif made:
        means = ", ".join(f"{name} {value:.2f}" for name, value in made["means"].items()) or "nothing"
        missing = ", ".join(f"{name} {count}" for name, count in made["missing"].items())
        without = f" No number for: {missing}." if missing else ""
        states = f" They have {made['sentences']}." if made.get("sentences") else ""
        told = f"{means}.{without}{states} This decides nothing."
        yield f"{made['model']} judged {made['questions']} of its answers: {told}"


def _reference(question: Question) -> str:
    return question.answers[0] if question.answers else "\n".join(label.quote for label in question.relevant)
