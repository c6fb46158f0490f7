from __future__ import annotations

import pytest

from exporter.config.model import Target
from exporter.providers.azure_openai import build_body, build_headers
from exporter.providers.base import join_url
from tests.providers.contract import ask_and_look, request
from tests.providers.loopback import says
from tests.providers.wordings.azure_openai import AZURE_OPENAI

TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJhaS5henVyZS5jb20ifQ.c2ln"


@pytest.mark.parametrize(
    ("key", "headers"),
    [
        ("0123456789abcdef", {"api-key": "0123456789abcdef"}),
        (TOKEN, {"Authorization": f"Bearer {TOKEN}"}),
        ("eyJ-no-token", {"api-key": "eyJ-no-token"}),
        (None, {}),
    ],
)
def test_a_token_of_entra_is_a_bearer_and_everything_else_a_key(key: str | None, headers: dict[str, str]) -> None:
    assert build_headers(key) == headers


def test_a_token_is_masked_like_a_key() -> None:
    answer, received = ask_and_look(AZURE_OPENAI, says(401, AZURE_OPENAI.error(401, "", f"bad {TOKEN}")), read_key=lambda: TOKEN)
    assert received[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert "eyJ" not in answer.message


def test_the_dated_api_is_asked_below_its_deployment() -> None:
    base_url = "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21"
    assert join_url(base_url, "/chat/completions") == (
        "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21"
    )


def test_the_token_limit_has_its_new_name_unless_the_target_says_otherwise() -> None:
    target = Target(name="bot", api="azure_openai", model="d")
    assert build_body(request(), target)["max_completion_tokens"] == 64
    assert build_body(request(), target.model_copy(update={"max_tokens_field": "max_tokens"}))["max_tokens"] == 64
