from __future__ import annotations

import pytest

from exporter.providers.thinking import has_answer, has_reasoning


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("ANSWER: 4", False, True),
        ("", False, False),
        (" \n", False, False),
        ("<think>4?</think>ANSWER: 4", True, True),
        ("\n<THINK>\n4?\n</THINK>\n\nANSWER: 4", True, True),
        ("<thinking>4?</thinking>ANSWER: 4", True, True),
        ("4?</think>ANSWER: 4", True, True),
        ("<think>4?</think>\n", True, False),
        ("4?</think>", True, False),
        ("<think></think>", True, False),
        ("[THINK]4?[/THINK]ANSWER: 4", True, True),
        ("[THINK]4?[/THINK]\n", True, False),
        ("[THINK]4? ANSWER: 4", True, True),
        ("<think>4? ANSWER: 4", True, True),
        ("I think 4", False, True),
        ("Use the <think> tag", False, True),
    ],
)
def test_reasoning_is_told_from_the_answer(text: str, reasoning: bool, answer: bool) -> None:
    assert (has_reasoning(text), has_answer(text)) == (reasoning, answer)
