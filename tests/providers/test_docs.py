from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from exporter.config.model import Target
from exporter.prices import find_price
from exporter.providers.presets import PRESETS, find_preset
from exporter.providers.registry import ADAPTERS

PAGE = (Path(__file__).parents[2] / "docs" / "providers.md").read_text(encoding="utf-8")
EXAMPLES = [
    re.sub(r"^  ", "", block, flags=re.M) if block.startswith("  ") else block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.split("name: ")[1].split("\n")[0])
def test_every_example_is_a_target_with_a_price(example: str) -> None:
    (settings,) = yaml.safe_load(example)["targets"]
    target = Target.model_validate(settings)
    assert target.api in ADAPTERS
    find_price(target)


def test_every_api_has_its_row_and_an_example() -> None:
    for api, adapter in ADAPTERS.items():
        known = f"{adapter.evidence or 'that of the host'} | {', '.join(('documented', 'mock', *adapter.real_servers))} |"
        row = f"`{adapter.default_base_url}` | `{adapter.key_env}` | {known}"
        assert re.search(rf"^\| `{api}` \| [^|]* \| {re.escape(row)}$", PAGE, re.M)
        assert any(f"api: {api}\n" in example for example in EXAMPLES)


def test_the_table_of_hosts_is_the_one_in_the_code() -> None:
    rows = [
        f"| {f'`{preset.host}`' if preset.host else 'your own'} | {preset.provider} | `{preset.base_url}` | `{preset.key_env}` "
        f"| {preset.evidence} | `{preset.max_tokens_field}` | `{preset.reasoning_in}` | {preset.verified} |"
        for preset in PRESETS
    ]
    assert f"| --- |\n{chr(10).join(rows)}\n\n" in PAGE


def test_a_preset_is_found_by_its_own_base_url() -> None:
    for preset in PRESETS:
        found = find_preset(preset.base_url)
        assert (found.provider if found else None) == (preset.provider if preset.host else None)
