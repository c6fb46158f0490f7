"""Config texts that tests start from."""

from __future__ import annotations

from pathlib import Path

from exporter.config import parse_config
from exporter.errors import ConfigError

TARGET = """\
targets:
- name: bot
  api: openai_chat
  model: m
"""
"""The smallest config that loads. What is appended starts on line 5, at the top level or, indented by 2, in the target."""


def complaints(text: str, folder: Path = Path()) -> list[str]:
    """Every line of the error that the text ends in; none where it loads."""
    try:
        parse_config(text, "config.yml", folder)
    except ConfigError as error:
        return str(error).split("\n")
    return []
