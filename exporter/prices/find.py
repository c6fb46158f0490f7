"""A target's price: the config's, else the offline table's, else a config error."""

from __future__ import annotations

from urllib.parse import urlsplit

from exporter.clock import SystemClock
from exporter.config.model import Price, Target
from exporter.errors import ConfigError, Problem
from exporter.prices.table import look_up

_FIX = "add price: {input_usd_per_mtok: …, output_usd_per_mtok: …}, or set price: unknown (then only token caps hold)"


def find_price(target: Target, *, where: str | None = None, now: float | None = None) -> Price | None:
    """The price that holds at `now` (Unix seconds, default the present), or None where the target says `price: unknown`.

    Raises ConfigError at `where` (default: where the target's `price` stands) where none is set and the table knows none.
    """
    if target.price == "unknown":
        return None
    if target.price is not None:
        return target.price
    price = look_up(target, SystemClock().now() if now is None else now)
    if price is None:
        host = urlsplit(target.base_url).hostname if target.base_url else target.api
        what = f"missing, and the price table knows no {target.model!r} at {host}"
        raise ConfigError(Problem(where or target.locate("price"), what, _FIX))
    return price
