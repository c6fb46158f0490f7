"""The words added to a question that is answered on an ANSWER line."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """The language of the instruction that is added to a prompt."""

    EN = "en"
    JA = "ja"


INSTRUCTION_VERSION = 1
"""Part of the protocol hash: raise it whenever a wording below changes."""

INSTRUCTIONS = {
    Language.EN: (
        "You may reason first. Finish your reply with a line of its own that gives only your answer, in exactly this form:\n"
        "ANSWER: <your answer>"
    ),
    Language.JA: "途中の考えを書いてもかまいません。返答の最後の行には、次の形式で答えだけを書いてください。\nANSWER: <答え>",
}
"""Both ask for the same marker, so that an answer is found in the same way whatever its language."""


def add_instruction(prompt: str, language: Language) -> str:
    """The prompt as it is sent: the question, an empty line, the instruction."""
    return f"{prompt.rstrip()}\n\n{INSTRUCTIONS[language]}"


def drop_instruction(prompt: str) -> str:
    """The question alone, of a prompt as it is sent."""
    for instruction in INSTRUCTIONS.values():
        prompt = prompt.removesuffix(f"\n\n{instruction}")
    return prompt
