"""From an answer to the grade that is kept: whether it can be used, and what the grader says of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from exporter.config import Target
from exporter.probing.plan import Ask
from exporter.providers import identity_key
from exporter.records import Answer, Grade, Question, Reason, Request, Ruling
from exporter.suites import grades_refusals, read_text_calls

GradeAnswer = Callable[[Question, Answer], Ruling]

_SLOW_GRADERS = frozenset({"python"})
"""Kinds of grader that may compute for seconds: they work in a thread, so that the loop goes on."""

_GRADING = ThreadPoolExecutor(max_workers=2, thread_name_prefix="grading")
"""Their threads: none where no question needs one, and so few that answers which are run leave the machine to others.

A program that stops waits for the answers in them, which is as long as the sandbox does at the most, and for none of those behind.
"""


def see_through(answer: Answer, question: Question, request: Request, target: Target) -> Answer:
    """The answer as what it is: unusable where it only looks like one, and usable where a question is about just that.

    A stored response sent again measures nothing. A timeout that the run's deadline had cut short is the deadline's, not the
    provider's. A refusal is what a question about refusing asks for. A call that cannot be read is a wrong one where tools were offered.
    Where tools were told of in words, so are their calls.
    """
    seen = _see_reason(answer, question, request, target)
    if seen.reason is None and seen.cached:
        return replace(answer, reason=Reason.CACHED, message="a stored response was sent again")
    return seen


def _see_reason(answer: Answer, question: Question, request: Request, target: Target) -> Answer:
    if answer.reason is Reason.TIMEOUT and request.timeout_seconds < target.request_timeout:
        return replace(answer, reason=Reason.DEADLINE, message="the run's deadline came before the answer")
    if answer.reason is Reason.REFUSAL and grades_refusals(question):
        return replace(answer, reason=None, message="", refused=True)
    if answer.reason is Reason.BAD_RESPONSE and answer.tool_calls and request.tools:
        return replace(answer, reason=None, message="")
    if target.tool_calling == "text" and question.tools:
        return replace(answer, tool_calls=read_text_calls(answer.text))
    return answer


async def rule(grade_answer: GradeAnswer, question: Question, answer: Answer) -> Ruling:
    """What the grader says of a usable answer.

    A grader that raises is a defect of ours, not the model's: the ruling says sandbox_error, and the run goes on.
    """
    try:
        if question.grader.get("kind") in _SLOW_GRADERS:
            return await asyncio.get_running_loop().run_in_executor(_GRADING, grade_answer, question, answer)
        return grade_answer(question, answer)
    except Exception:  # whatever a grader may raise, no other question must suffer for it
        return Ruling(right=False, answer_hash="", reason=Reason.SANDBOX_ERROR)


def grade_of(ask: Ask, attempt: int, answer: Answer, ruling: Ruling | None, target: Target, now: float) -> Grade:
    """The grade of one try. `ruling` is None for an answer that cannot be used."""
    reason = answer.reason if ruling is None else ruling.reason
    message = answer.message
    if ruling is not None and ruling.reason is not None:
        told = f"the grader {ask.question.grader.get('kind')} could not work on this answer"
        message = f"{told}: {ruling.message}" if ruling.message else told
    usage = answer.usage
    return Grade(
        question_key=ask.question.key,
        question_id=ask.question.id,
        suite=ask.question.suite,
        area=ask.question.area,
        sample=ask.sample,
        attempt=attempt,
        right=None if ruling is None or reason is not None else ruling.right,
        graded_at=now,
        reason=reason,
        message=message,
        input_tokens=None if usage is None else usage.input_tokens,
        output_tokens=None if usage is None else usage.output_tokens,
        identity=identity_key(answer.identity, target.identity),
        fingerprint=answer.identity.fingerprint,
        answer_hash=None if ruling is None or reason is not None else ruling.answer_hash,
        answer_line_missing=ruling is not None and ruling.answer_line_missing,
        reasoning_in_content=answer.reasoning_in_content,
        latency_seconds=answer.latency_seconds,
        host=answer.identity.facets.get("host"),
        tier=answer.identity.facets.get("tier"),
        region=answer.identity.facets.get("region"),
    )
