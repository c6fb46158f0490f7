"""Every API, one line each. Looking to add a provider? Write its file, add its line, and let tests/providers/contract.py judge."""

from __future__ import annotations

from exporter.providers import anthropic, azure_openai, cohere, gemini, mistral, ollama, openai_chat, openai_responses
from exporter.providers.base import Adapter

ADAPTERS: dict[str, Adapter] = {
    "openai_chat": openai_chat.ADAPTER,
    "openai_responses": openai_responses.ADAPTER,
    "azure_openai": azure_openai.ADAPTER,
    "anthropic": anthropic.ADAPTER,
    "gemini": gemini.ADAPTER,
    "mistral": mistral.ADAPTER,
    "cohere": cohere.ADAPTER,
    "ollama": ollama.ADAPTER,
}
