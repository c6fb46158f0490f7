"""Add up the reports that pytest left in a folder: `412 passed, 0 failed, 3 skipped`, the last line of .ci/run."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree


def main(folder: Path) -> None:
    """Print the line."""
    passed = failed = skipped = 0
    for report in folder.glob("*.xml"):
        for suite in ElementTree.parse(report).iter("testsuite"):  # noqa: S314 -- pytest's own file, written a moment ago
            away = int(suite.attrib["skipped"])
            bad = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
            passed += int(suite.attrib["tests"]) - bad - away
            failed += bad
            skipped += away
    sys.stdout.write(f"{passed} passed, {failed} failed, {skipped} skipped\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
