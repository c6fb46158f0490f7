"""What a page's buttons send: their fields, and the proof that a page of this server was there to be clicked on.

The token of a form is an HMAC, under a secret of this process, of what the form does and to which target. A page of another
site can make a browser send a form here, with the user's password, but cannot read ours and so has no token. No cookie is
needed, as the token is bound to the action and not to a visitor: whoever can read a page may use its buttons. It lasts as
long as the process does. The Origin header is looked at as well (security.py).
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from secrets import token_bytes
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

MAX_BODY_BYTES = 4096
_MAX_FIELDS = 8
_FORM = "application/x-www-form-urlencoded"


class Seals:
    """Marks words so that this process knows them again as its own. Give a `secret` only to have the same in two processes."""

    def __init__(self, secret: bytes | None = None) -> None:
        self._secret = token_bytes(32) if secret is None else secret

    def seal(self, *words: str) -> str:
        """64 hexadecimal digits for these words in this order."""
        return hmac.new(self._secret, json.dumps(words).encode("ascii"), sha256).hexdigest()

    def holds(self, seal: str | None, *words: str) -> bool:
        """Whether `seal` was made here for these very words."""
        return seal is not None and hmac.compare_digest(seal.encode("utf-8", "replace"), self.seal(*words).encode("ascii"))


async def read_form(request: Request) -> Mapping[str, str]:
    """The fields of a posted form, the first of each name. Raises HTTPException: 415 for no form, 413 for too much, 400 for neither."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(415, f"only forms are read here: send {_FORM}")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY_BYTES:
                raise HTTPException(413, f"a form of this page has less than {MAX_BODY_BYTES} bytes")
        fields = parse_qs(body.decode("ascii"), max_num_fields=_MAX_FIELDS, errors="replace")
    except (ClientDisconnect, ValueError):
        raise HTTPException(400, "the form cannot be read; load the page again") from None
    return {name: values[0] for name, values in fields.items()}
