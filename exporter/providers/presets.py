"""What is known of the hosts people use: how far their word about the served model goes, and how they want to be asked.

Strong: the id names one fixed version (a dated snapshot, or an id that its owner pins). Weak: the host picks the id itself, but
the same id may stand for another version tomorrow. None, for every host not listed: the server may only echo what was asked for.
Pages read 2026-11: developers.openai.com/api/docs/models, platform.claude.com/docs/en/about-claude/models/model-ids-and-versions,
openrouter.ai/docs/guides/routing/provider-selection, learn.microsoft.com/azure/ai-services/openai/reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from exporter.records import Evidence


@dataclass(frozen=True, slots=True)
class Preset:
    """One host, with all names below it. `provider` is its label; `max_tokens_field` is what its chat completions API wants."""

    host: str
    provider: str
    evidence: Evidence = Evidence.WEAK
    max_tokens_field: str = "max_tokens"


PRESETS = (
    Preset("api.openai.com", "openai", Evidence.STRONG, "max_completion_tokens"),
    Preset("api.anthropic.com", "anthropic", Evidence.STRONG),
    Preset("openai.azure.com", "azure_openai", max_tokens_field="max_completion_tokens"),
    Preset("services.ai.azure.com", "azure_openai", max_tokens_field="max_completion_tokens"),
    Preset("openrouter.ai", "openrouter"),
    Preset("api.groq.com", "groq", max_tokens_field="max_completion_tokens"),
    Preset("api.together.xyz", "together"),
    Preset("api.deepseek.com", "deepseek"),
    Preset("api.x.ai", "xai", max_tokens_field="max_completion_tokens"),
    Preset("api.fireworks.ai", "fireworks"),
    Preset("api.mistral.ai", "mistral"),
    Preset("generativelanguage.googleapis.com", "gemini"),
)


def find_preset(base_url: str) -> Preset | None:
    """What is known of the host of a URL."""
    name = (urlsplit(base_url).hostname or "").lower()
    return next((preset for preset in PRESETS if name == preset.host or name.endswith(f".{preset.host}")), None)


def host_of(base_url: str) -> str:
    """Host and, where the URL names one, port."""
    parts = urlsplit(base_url)
    name = (parts.hostname or "").lower()
    return f"{name}:{parts.port}" if parts.port else name


def evidence_of(base_url: str) -> Evidence:
    """How far this host's word about the served model can be trusted."""
    preset = find_preset(base_url)
    return preset.evidence if preset else Evidence.NONE
