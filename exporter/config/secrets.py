"""The only reader of the environment, and of key files. What is a secret is decided here; nothing here shows one."""

from __future__ import annotations

import math
import os
import re
import stat
from pathlib import Path

from exporter.config.model import Config, Target
from exporter.errors import ConfigError, Problem, split_told

HIDDEN = "<secret>"
"""What stands where a secret would."""

_LARGEST_FILE_BYTES = 64 << 10
_LARGEST_PEM_BYTES = 1 << 20
_SEED_BITS = 128
_FEWEST_DIFFERENT_BYTES = 8
_ALPHABETS = (
    (re.compile(rb"[0-9]*"), 10),
    (re.compile(rb"[0-9a-f]*|[0-9A-F]*"), 16),
    (re.compile(rb"[A-Za-z0-9+/=_-]*"), 64),
    (re.compile(rb"[ -~]*"), 95),
)
"""What a seed may be written in, and how many characters there are of it. Anything else counts as bytes."""

_SECRET_ENDINGS = (
    "key",
    "keys",
    "token",
    "jwt",
    "secret",
    "secrets",
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "auth",
    "authorization",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "bearer",
    "signature",
    "sig",
)
_NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_LOOKS = re.compile(
    r"\b(?:Bearer|Basic)\s+[\w~+/.=*-]{6,}"  # an Authorization header echoed back
    r"|\b(?:sk|pk|rk|gsk|xai)-[\w*.-]{6,}"  # keys by their prefix, also where the provider starred the middle
    r"|\b(?:AIza|hf_|gsk_|r8_)[\w*-]{6,}"
    r"|\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?",  # a JSON web token
    re.IGNORECASE,
)
_SCHEME_VALUE = re.compile(r"(?i)(bearer|basic|apikey|token)\s+\S")


def read_api_key(target: Target) -> str | None:
    """The target's API key, read anew at each call; None where the target names none.

    Raises ConfigError where the file or variable that it names holds no usable key.
    """
    try:
        if target.api_key_file is not None:
            return read_key_file(Path(target.api_key_file))
        return None if target.api_key_env is None else read_key_env(target.api_key_env)
    except ValueError as error:
        key = "api_key_env" if target.api_key_file is None else "api_key_file"
        raise ConfigError(Problem(target.locate(key), *split_told(error))) from None


def read_key_file(path: Path) -> str:
    """The key in a file, less one newline at its end. Raises ValueError("what; how to mend it"), without key or path."""
    return _usable(_read_secret(path, "key").decode("latin-1").removesuffix("\n").removesuffix("\r"), "the file")


def read_storage_password(config: Config) -> str | None:
    """The password of the database, read anew at each call; None where the config names none. Raises ConfigError."""
    if config.storage_password_file is None:
        return None
    try:
        return read_password_file(Path(config.storage_password_file))
    except ValueError as error:
        raise ConfigError(Problem(config.locate("storage_password_file"), *split_told(error))) from None


def read_password_file(path: Path) -> str:
    """The password in a file, less one newline at its end. Raises ValueError("what; how to mend it"), without password or path."""
    try:
        password = _read_secret(path, "password").decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise ValueError("the file is not UTF-8 text; leave only the password in it") from None
    if not password:
        raise ValueError("the file is empty; write the password into it")
    if not password.isprintable():
        raise ValueError("the file holds more than one line, or a control character; leave only the password in it")
    return password


def read_seed(config: Config) -> bytes | None:
    """The seed of the generated suite; None where the config names none. Raises ConfigError where the file holds no usable one."""
    if config.generated.seed_file is None:
        return None
    try:
        return read_seed_file(Path(config.generated.seed_file))
    except ValueError as error:
        raise ConfigError(Problem(config.locate("generated", "seed_file"), *split_told(error))) from None


def read_seed_file(path: Path) -> bytes:
    """The seed in a file: its bytes, less white space at the end of a text. Raises ValueError("what; how to mend it").

    A seed must be able to hold 128 bits: 16 bytes, 32 hex digits, 22 letters and digits; whoever could guess it would know the
    questions.
    """
    data = _read_secret(path, "seed")
    text = data.rstrip()
    alphabet = next((size for pattern, size in _ALPHABETS if pattern.fullmatch(text)), None)
    seed = data if alphabet is None else text
    if len(seed) * math.log2(alphabet or 256) < _SEED_BITS or len(set(seed)) < _FEWEST_DIFFERENT_BYTES:
        raise ValueError(
            "the file holds a seed that could be guessed; 16 random bytes are needed, such as model-drift-exporter suite generate "
            "--new-seed FILE writes"
        )
    return seed


def is_open_to_all(path: Path) -> bool:
    """Whether everybody on this machine may read a file; False where that cannot be told."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False


def is_pipe(path: Path) -> bool:
    """Whether a path names a pipe; False where that cannot be told."""
    try:
        return path.is_fifo()
    except OSError:
        return False


def read_pem_file(path: Path, noun: str) -> bytes:
    """What a file of certificates or a key holds. Raises ValueError("what; how to mend it")."""
    return _read_secret(path, noun, _LARGEST_PEM_BYTES)


def _read_secret(path: Path, noun: str, largest_bytes: int = _LARGEST_FILE_BYTES) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise ValueError(f"what it names is not a file; name a file that holds the {noun}")
        with path.open("rb") as file:
            data = file.read(largest_bytes + 1)
    except FileNotFoundError:
        raise ValueError("no such file; a relative path starts at the folder of the config file") from None
    except OSError as error:
        raise ValueError(f"the file cannot be read ({error.strerror}); check its permissions") from None
    if len(data) > largest_bytes:
        raise ValueError(f"the file is larger than {largest_bytes >> 10} KiB; name a file that holds the {noun} and nothing else")
    return data


def read_key_env(name: str) -> str:
    """The key in an environment variable. Raises ValueError("what; how to mend it"), without key or name."""
    key = os.environ.get(name)
    if key is None:
        raise ValueError("the environment variable that it names is not set; set it where the exporter runs")
    return _usable(key.removesuffix("\n").removesuffix("\r"), "the environment variable that it names")


def read_certificate_places() -> tuple[str | None, str | None]:
    """The file and the folder of the certificates to trust, from SSL_CERT_FILE and SSL_CERT_DIR; None where not set."""
    return os.environ.get("SSL_CERT_FILE") or None, os.environ.get("SSL_CERT_DIR") or None


def _usable(key: str, holder: str) -> str:
    if not key.strip():
        raise ValueError(f"{holder} is empty; write the key into it")
    if not (key.isascii() and key.isprintable()) or key != key.strip():
        raise ValueError(
            f"{holder} holds more than a key (a line break, a space around it, or a character outside ASCII); leave only the key in it"
        )
    return key


def hide_lookalikes(text: str) -> str:
    """The text with whatever looks like a key replaced by `<secret>`, whoever's it is."""
    return _LOOKS.sub(HIDDEN, text)


def is_secret_name(name: str) -> bool:
    """Whether a header, parameter or field of this name probably holds a secret: X-Api-Key does, max_tokens does not."""
    return any(part.lower().endswith(_SECRET_ENDINGS) for part in _NAME_PARTS.findall(name))


def is_secret_header(name: str, value: str) -> bool:
    """Whether a header holds a secret, by its name or by the scheme that its value starts with."""
    return is_secret_name(name) or _SCHEME_VALUE.match(value) is not None


def mask_url(url: str) -> str:
    """The URL with user, password and secret-looking parameters replaced by `<secret>`."""
    url = re.sub(r"(?<=://)[^/?#]*@", f"{HIDDEN}@", url)
    return re.sub(
        r"([?&])([^=&#]+)=([^&#]+)", lambda found: found[0] if not is_secret_name(found[2]) else f"{found[1]}{found[2]}={HIDDEN}", url
    )
