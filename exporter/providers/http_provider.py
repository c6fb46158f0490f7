"""A provider over HTTP: an adapter's pure functions on one side, the wire on the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from exporter.clock import Clock
from exporter.config.model import Target
from exporter.errors import ExporterError
from exporter.providers.base import Adapter, join_url
from exporter.providers.failures import broken_answer
from exporter.providers.hints import hint_key
from exporter.providers.masking import find_secrets, mask, mask_name, one_line
from exporter.providers.presets import evidence_of, find_preset, host_of
from exporter.providers.replayed import is_replayed
from exporter.providers.reply import Broken, Reply
from exporter.providers.wire import Outgoing, Wire
from exporter.records import Answer, Charge, Evidence, Identity, Reason, Request


@dataclass(frozen=True, slots=True)
class _Keyed:
    """What follows from the target and its key, and is the same for each request until the key is rotated."""

    key: str | None = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)


class HttpProvider:
    """One target's endpoint. The key is read anew for each request, so that a rotated one is taken up at once."""

    def __init__(self, adapter: Adapter, target: Target, read_key: Callable[[], str | None], clock: Clock) -> None:
        self._adapter = adapter
        self._target = target
        self._read_key = read_key
        self._base_url = target.base_url or adapter.default_base_url
        self._key_hint = hint_key(target, self._base_url, adapter.key_env)
        self._wire = Wire(clock)
        self._keyed: _Keyed | None = None
        self._looking_up = asyncio.Lock()
        self._digest: str | None = None
        self._looked_up = False

    @property
    def evidence(self) -> Evidence:
        """How far this host's word about the served model can be trusted."""
        return self._adapter.evidence or evidence_of(self._base_url)

    @property
    def host(self) -> str:
        """Host, and port where the base URL names one."""
        return host_of(self._base_url)

    async def ask(self, request: Request) -> Answer:
        """One request, one answer. Raises nothing but CancelledError."""
        try:
            key = self._read_key()
        except ExporterError as error:
            return Answer(reason=Reason.AUTH, charge=Charge.NOTHING, message=one_line(str(error)))
        if self._keyed is None or self._keyed.key != key:
            self._keyed = self._prepare(key)
        headers, secrets = self._keyed.headers, self._keyed.secrets
        outgoing = Outgoing(
            join_url(self._base_url, self._adapter.build_path(request)), headers, self._adapter.build_body(request, self._target)
        )
        reply = await self._wire.send(outgoing, request.timeout_seconds, self._adapter.is_last)
        prompts = tuple(words for words in (request.prompt, request.system) if words)
        answer = self._read(reply, request, secrets, prompts)
        if self._adapter.lookup is not None and answer.identity.served_model is not None:
            identity = await self._identify(answer.identity, headers, request, request.timeout_seconds - reply.latency_seconds)
            answer = replace(answer, identity=identity)
        return replace(
            answer,
            message=one_line(mask(answer.message, secrets)),
            identity=_mask_identity(answer.identity, secrets, prompts),
            finish_reason=mask_name(answer.finish_reason, secrets, prompts),
            latency_seconds=reply.latency_seconds,
            cached=isinstance(reply, Reply) and is_replayed(reply.headers),
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._wire.aclose()

    def build_headers(self, key: str | None) -> Mapping[str, str]:
        """What tells the host who asks; the target's own headers are laid over it."""
        bearer = key and self._adapter.bearer_elsewhere and find_preset(self._base_url) is None
        return {**({"authorization": f"Bearer {key}"} if bearer else {}), **self._adapter.build_headers(key)}

    async def _identify(self, identity: Identity, headers: Mapping[str, str], request: Request, left_seconds: float) -> Identity:
        """The identity with its digest, looked up once. Without a digest nothing is known: a tag alone names no version."""
        if not self._looked_up:
            try:
                async with asyncio.timeout(max(0.0, left_seconds)), self._looking_up:
                    if not self._looked_up:
                        self._digest = await self._look_up(headers, request.model, left_seconds)
                        self._looked_up = True
            except TimeoutError:
                return Identity()
        return replace(identity, digest=self._digest) if self._digest else Identity()

    async def _look_up(self, headers: Mapping[str, str], model: str, left_seconds: float) -> str | None:
        lookup = self._adapter.lookup
        if lookup is None:
            return None
        reply = await self._wire.send(Outgoing(join_url(self._base_url, lookup.path), headers), left_seconds, lambda event: False)
        if isinstance(reply, Broken):
            return None
        try:
            return lookup.read_digest(reply, model)
        except Exception:
            return None

    def _prepare(self, key: str | None) -> _Keyed:
        target = self._target
        return _Keyed(
            key,
            {**self.build_headers(key), **{name.lower(): value for name, value in target.headers.items()}},
            find_secrets(key, target.headers, {**target.sampling, **target.extra_body}, self._base_url),
        )

    def _read(self, reply: Reply | Broken, request: Request, secrets: tuple[str, ...], prompts: tuple[str, ...]) -> Answer:
        if isinstance(reply, Broken):
            return broken_answer(reply)
        known = replace(reply, secrets=secrets, prompts=prompts, key_hint=self._key_hint, max_tokens=request.max_tokens)
        try:
            return self._adapter.read_reply(known)
        except Exception as error:
            said = f"{self.host} sent an answer that could not be read: {type(error).__name__}"
            return Answer(reason=Reason.BAD_RESPONSE, charge=Charge.UNKNOWN, message=said)


def _mask_identity(identity: Identity, secrets: tuple[str, ...], prompts: tuple[str, ...]) -> Identity:
    """The identity as it may be stored and shown: a server may call the model by the key it was sent."""
    return Identity(
        served_model=mask_name(identity.served_model, secrets, prompts),
        digest=mask_name(identity.digest, secrets, prompts),
        fingerprint=mask_name(identity.fingerprint, secrets, prompts),
        facets={name: mask_name(value, secrets, prompts) or "" for name, value in identity.facets.items()},
    )
