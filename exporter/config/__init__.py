"""The config file: what can be set, read with all its errors at once. Secrets are read here and shown nowhere.

Nothing below this room knows that a file exists; everything above is handed a Config. A room above that finds a setting
wrong says where it stands with `target.locate("price")`: `config.yml:14: targets[1].price`. Looking to add a key? Add a
field with its description to `model` and a row to docs/configuration.md; the example, the schema and messages follow.
"""

from exporter.config.build import config_from
from exporter.config.durations import format_duration, parse_duration
from exporter.config.example import example_config
from exporter.config.load import load_config, parse_config
from exporter.config.model import Api, Budget, Config, Decision, Price, RetryFailedCheck, Schedule, Target, TotalBudget
from exporter.config.schema import json_schema
from exporter.config.secrets import read_api_key
from exporter.config.shown import shown_config

__all__ = [
    "Api",
    "Budget",
    "Config",
    "Decision",
    "Price",
    "RetryFailedCheck",
    "Schedule",
    "Target",
    "TotalBudget",
    "config_from",
    "example_config",
    "format_duration",
    "json_schema",
    "load_config",
    "parse_config",
    "parse_duration",
    "read_api_key",
    "shown_config",
]
