"""An answer to a question becomes a ruling; references are held to the same rules."""

from __future__ import annotations

from exporter.records import Answer, Extract, Question, Reason, Ruling
from exporter.suites.extraction import extract
from exporter.suites.graders import GRADERS, read_grader
from exporter.suites.graders.python import Python
from exporter.suites.program import Fault, RunProgram
from exporter.suites.sandbox import GUARD_SECONDS, run_program
from exporter.suites.sandbox_gaps import find_gap
from exporter.suites.text import answer_hash
from exporter.suites.text_tools import read_text_calls

UNTRIED = {
    Fault.BROKEN: "the sandbox itself failed",
    Fault.STARVED: f"the sandbox got too little processor time: not done after {GUARD_SECONDS:.0f} seconds",
}
"""What is said where nothing was found out about an answer: another time it may be."""
_OTHERWISE = "write it otherwise: docs/suites.md says what the sandbox understands"


def grade(question: Question, answer: Answer, run: RunProgram = run_program) -> Ruling:
    """What the question's grader says of a usable answer. Never raises, whatever the text.

    Pure, but for graders that have an answer run: that takes up to two seconds of processor time, in a sandbox (`run`).
    """
    grader = read_grader(question.grader)
    if answer.refused:
        return Ruling(right=grader.accepts_refusal(), answer_hash=answer_hash(answer.text))
    if isinstance(grader, Python):
        return _rule_on_program(grader, extract(question.extract, answer, grader.function).text, run)
    extracted = extract(question.extract, answer)
    right = not extracted.answer_line_missing and grader.accepts(extracted.text)
    return Ruling(right=right, answer_hash=answer_hash(extracted.text), answer_line_missing=extracted.answer_line_missing)


def _rule_on_program(grader: Python, source: str, run: RunProgram) -> Ruling:
    """Wrong is what fails by its own fault. What fails for want of something in the sandbox says nothing about the model."""
    hashed = answer_hash(source)
    report = run(grader.write_program(source))
    if report.fault in UNTRIED:
        return Ruling(right=False, answer_hash=hashed, reason=Reason.SANDBOX_ERROR, message=UNTRIED[report.fault])
    if grader.accepts_report(report):
        return Ruling(right=True, answer_hash=hashed)
    gap = find_gap(source, grader.failures(report))
    if gap:
        return Ruling(right=False, answer_hash=hashed, reason=Reason.SANDBOX_ERROR, message=f"the sandbox lacks {gap}")
    return Ruling(right=False, answer_hash=hashed)


def grades_refusals(question: Question) -> bool:
    """Whether a refusal that a provider tells of in a field of its own is an answer to this question, and not unusable."""
    grader = GRADERS.get(str(question.grader.get("kind")))
    return grader is not None and grader.grades_refusals


def answer_of(question: Question, reference: str) -> Answer:
    """The answer that a reference stands for. Tool calls are written as they are for servers without tools."""
    calls = read_text_calls(reference) if question.extract is Extract.TOOL_CALL else ()
    return Answer(text=reference, tool_calls=calls)


def find_reference_faults(question: Question) -> list[tuple[str, str, str]]:
    """The key at fault, what is wrong and how to mend it, for one question.

    A sandbox that fails says nothing about a reference: a busy machine must not keep a sound suite from being used.
    """
    faults = []
    expected = answer_of(question, question.reference)
    ruling = grade(question, expected)
    if question.extract is Extract.TOOL_CALL and not expected.tool_calls:
        faults.append(("reference", "holds no call", 'write one as {"name": "…", "arguments": {…}}, several in a list'))
    elif ruling.message in UNTRIED.values():
        return []
    elif ruling.reason is not None:
        faults.append(("reference", f"cannot be run: {ruling.message}", _OTHERWISE))
    elif ruling.answer_line_missing:
        faults.append(("reference", "has no ANSWER line", "end it with a line ANSWER: and the answer, or set extract: full"))
    elif not ruling.right:
        faults.append(("reference", "fails its own grader", "correct the reference or the grader"))
    if question.wrong_reference is not None:
        ruling = grade(question, answer_of(question, question.wrong_reference))
        if ruling.reason is not None and ruling.message not in UNTRIED.values():
            faults.append(("wrong_reference", f"cannot be run: {ruling.message}", _OTHERWISE))
        elif ruling.right:
            faults.append(("wrong_reference", "passes the grader", "make the grader stricter, or the wrong reference wrong"))
    return faults
