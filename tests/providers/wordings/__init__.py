"""One file for each API that is built, and their list."""

from __future__ import annotations

from tests.providers.contract import Wording
from tests.providers.wordings.anthropic import ANTHROPIC
from tests.providers.wordings.azure_openai import AZURE_OPENAI
from tests.providers.wordings.cohere import COHERE
from tests.providers.wordings.gemini import GEMINI
from tests.providers.wordings.mistral import MISTRAL
from tests.providers.wordings.ollama import OLLAMA
from tests.providers.wordings.openai_chat import OPENAI_CHAT
from tests.providers.wordings.openai_responses import OPENAI_RESPONSES

WORDINGS: list[Wording] = [OPENAI_CHAT, OPENAI_RESPONSES, AZURE_OPENAI, ANTHROPIC, GEMINI, MISTRAL, COHERE, OLLAMA]
