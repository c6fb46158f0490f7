"""Which setting to change: the last words of a message."""

from __future__ import annotations

import re

from exporter.config.model import Target
from exporter.config.secrets import is_secret_header
from exporter.providers.complaint import Complaint
from exporter.providers.presets import find_preset
from exporter.records import Reason

_SAMPLING = ("temperature", "top_p", "top_k", "min_p", "seed", "frequency_penalty", "presence_penalty", "logprobs", "top_logprobs")
_OTHERS = (
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "reasoning_effort",
    "effort",
    "thinking",
    "stream_options",
    "stream",
    "tools",
    "tool_choice",
)
_REFUSED_AT_SIGHT = frozenset({"temperature", "top_p", "top_k"})
_PARAMETER = re.compile(r"(?<![\w-])(?:" + "|".join(sorted((*_SAMPLING, *_OTHERS), key=len, reverse=True)) + r")(?![\w-])")
_QUOTED = re.compile(r"(?:parameter|argument|value|name)s?(?: supplied)?:? *['\"`]?([A-Za-z_][\w.]{1,40})")
_REFUSAL = re.compile(
    r"not support|unsupported|deprecated|not permitted|not allowed|unrecogni[sz]ed|unknown|cannot (?:both )?be"
    r"|only (?:the default|1|support)|may only|must be (?:set to )?true|extra inputs|removed|instead",
    re.IGNORECASE,
)
_WANTS_STREAM = re.compile(r"stream\b.{0,40}(?:must be|required|only|true)|only supports? stream|non-?stream", re.IGNORECASE)
_TOO_LARGE = re.compile(r"max_(?:completion_)?tokens(?:.{0,20} is too large|: \d+ >)")

_KNOWS_NO_TOOLS = re.compile(
    r"(?:not|n't) support (?:the use of )?(?:tools?\b|tool[ _-]?(?:use|call)|function[ _-]?call)"
    r"|(?:\btools?|tool[ _-]?(?:use|calls?|calling)|function[ _-]?call(?:ing|s)?)\b.{0,60}"
    r"(?:not (?:be )?(?:supported|enabled|available (?:for|on|with))|unsupported)"
    r"|endpoints found that support tool|tools? (?:param|choice)\S* requires -",
    re.IGNORECASE,
)
_PLACE_CHARACTERS = 80

_BY_REASON = {
    Reason.QUOTA: "add credit or raise the limit at the provider",
    Reason.MODEL_NOT_FOUND: "check model and base_url",
    Reason.RATE_LIMITED: "lower concurrency if this stays",
    Reason.TRUNCATED: "raise max_tokens_scale",
    Reason.TIMEOUT: "raise request_timeout if this stays",
}


def name_parameter(complaint: Complaint, *, refused: bool = False) -> str | None:
    """The request parameter that a complaint refuses, or None.

    Sampling parameters count as refused wherever a bad request names one; others need a word of refusal beside them.
    `refused` is True where the code has said already that a parameter is refused.
    """
    if not refused and not 400 <= complaint.status < 500:
        return None  # a server in trouble says many words; only a code makes it a refusal
    if complaint.param and (refused or _REFUSAL.search(complaint.text)):
        return complaint.param
    if _WANTS_STREAM.search(complaint.text):
        return "stream"
    found = _PARAMETER.search(complaint.text)
    if found and (refused or found[0] in _REFUSED_AT_SIGHT or _REFUSAL.search(complaint.text)):
        return found[0]
    quoted = _QUOTED.search(complaint.text)
    if quoted and (refused or _REFUSAL.search(complaint.text)):
        return quoted[1]
    return None


def refuses_tools(complaint: Complaint) -> bool:
    """Whether a server, or the model behind it, says that it knows no tools: in many words, and with many a status."""
    return _KNOWS_NO_TOOLS.search(complaint.text) is not None


def names_tools(parameter: str | None) -> bool:
    """Whether the parameter that was refused is one that only questions with tools are sent with."""
    return parameter is not None and parameter.startswith("tool")


def hint_key(target: Target, base_url: str, key_env: str) -> str:
    """What to do about a key that is refused: where this target has it from, else the variable that it is usually in.

    `key_env` is the variable of the API, for hosts that have none of their own.
    """
    if target.api_key_file is not None:
        place = target.api_key_file
        return f"check the key in api_key_file {place if len(place) <= _PLACE_CHARACTERS else '…' + place[1 - _PLACE_CHARACTERS :]}"
    if target.api_key_env is not None:
        return f"check the key in the variable {target.api_key_env[:_PLACE_CHARACTERS]} (api_key_env)"
    if any(is_secret_header(name, value) for name, value in target.headers.items()):
        return "check the key in headers"
    preset = find_preset(base_url)
    return f"no key is configured; set api_key_env: {preset.key_env if preset else key_env}, or api_key_file"


def hint_for(reason: Reason, parameter: str | None, complaint: Complaint, key_hint: str) -> str:
    """What to set, or an empty string where nothing can be set."""
    if reason is Reason.AUTH:
        return key_hint or "check api_key_file or api_key_env"
    if reason is Reason.UNSUPPORTED_PARAMETER:
        return _hint_parameter(parameter, wants_stream=_WANTS_STREAM.search(complaint.text) is not None)
    if reason is Reason.BAD_REQUEST and _TOO_LARGE.search(complaint.text):
        return "lower max_tokens_scale"
    if reason is Reason.BAD_REQUEST and complaint.status == 405:
        return "check base_url"
    return _BY_REASON.get(reason, "")


def _hint_parameter(parameter: str | None, *, wants_stream: bool) -> str:
    if parameter is None:
        return "remove it from sampling or extra_body"
    if parameter.startswith("messages"):
        return "remove system"
    if names_tools(parameter):
        return "set tool_calling: text, or leave out the questions with tools"
    last = parameter.rpartition(".")[2]
    if last == "max_tokens":
        return "set max_tokens_field: max_completion_tokens"
    if last == "max_completion_tokens":
        return "set max_tokens_field: max_tokens"
    if last in ("reasoning_effort", "effort", "thinking"):
        return "change or remove reasoning_effort"
    if last == "stream":
        return "set stream: true" if wants_stream else "set stream: false"
    if last == "stream_options":
        return "set extra_body: {stream_options: null}"
    return f"remove {parameter} from sampling" if last in _SAMPLING else f"remove {parameter} from extra_body"
