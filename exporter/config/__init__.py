"""The config file: what can be set, read with all its errors at once. Secrets are read here and shown nowhere.

Nothing below this room knows that a file exists; everything above is handed a Config. A room above that finds a setting
wrong says where it stands with `target.locate("price")`: `config.yml:14: targets[1].price`. Looking to add a key? Add a
field with its description to `model` and a row to docs/configuration.md; the example, the schema and messages follow.
"""

from exporter.config.build import config_from
from exporter.config.durations import format_duration, parse_duration
from exporter.config.example import example_config
from exporter.config.load import dump_yaml, load_config, parse_config
from exporter.config.model import (
    FEWEST_GENERATED,
    MOST_GENERATED,
    Api,
    Budget,
    Config,
    Decision,
    Generated,
    GeneratedLevel,
    Price,
    RetryFailedCheck,
    Schedule,
    Target,
    TotalBudget,
)
from exporter.config.scalars import require_postgres_url
from exporter.config.schema import json_schema
from exporter.config.secrets import is_open_to_all, read_api_key, read_password_file, read_seed, read_seed_file, read_storage_password
from exporter.config.shown import shown_config, shown_target
from exporter.config.web_file import WebConfig, WebConfigReader, load_web_config

__all__ = [
    "FEWEST_GENERATED",
    "MOST_GENERATED",
    "Api",
    "Budget",
    "Config",
    "Decision",
    "Generated",
    "GeneratedLevel",
    "Price",
    "RetryFailedCheck",
    "Schedule",
    "Target",
    "TotalBudget",
    "WebConfig",
    "WebConfigReader",
    "config_from",
    "dump_yaml",
    "example_config",
    "format_duration",
    "is_open_to_all",
    "json_schema",
    "load_config",
    "load_web_config",
    "parse_config",
    "parse_duration",
    "read_api_key",
    "read_password_file",
    "read_seed",
    "read_seed_file",
    "read_storage_password",
    "require_postgres_url",
    "shown_config",
    "shown_target",
]
