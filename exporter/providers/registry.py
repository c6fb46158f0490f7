"""Every API, one line each. Looking to add a provider? Write its file, add its line, and let tests/providers/contract.py judge."""

from __future__ import annotations

from exporter.providers import anthropic, gemini, openai_chat, openai_responses
from exporter.providers.base import Adapter

ADAPTERS: dict[str, Adapter] = {
    "openai_chat": openai_chat.ADAPTER,
    "openai_responses": openai_responses.ADAPTER,
    "anthropic": anthropic.ADAPTER,
    "gemini": gemini.ADAPTER,
}

CHAT_COMPLETIONS_URLS = {
    "azure_openai": "https://<resource>.openai.azure.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "cohere": "https://api.cohere.ai/compatibility/v1",
    "ollama": "http://localhost:11434/v1",
}
"""Where an API that is not built yet can be asked in the words of openai_chat."""
