"""Prices: what a token costs. The target's own price first, then a table that is shipped with a library.

Done here: finding a price, and multiplying. Never done here: asking the network for a newer table, guessing a price that nobody
stated, or keeping books.
"""

from exporter.prices.costs import cost_usd, estimate_usd
from exporter.prices.find import find_price

__all__ = ["cost_usd", "estimate_usd", "find_price"]
