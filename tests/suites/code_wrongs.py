"""For every question of the suite code five plausible mistakes, each a small change (what stands there, what instead) of its reference."""

from __future__ import annotations

WRONGS = {
    "code-pack-runs": (
        ("length >= 3", "length > 3"),
        ("length >= 3", "length >= 2"),
        ("groupby(text)", "groupby(text.lower())"),
        ('f"{length}{character}"', 'f"{character}{length}"'),
        ("groupby(text)", "groupby(sorted(text))"),
    ),
    "code-covered-minutes": (
        ("sorted((minutes(a), minutes(b)) for a, b in slots)", "((minutes(a), minutes(b)) for a, b in slots)"),
        ("total += end - max(start, reached)", "total += end - start"),
        ("total += end - max(start, reached)", "total += end - max(start, reached) + 1"),
        ("int(hours) * 60 + int(rest)", "int(hours) % 24 * 60 + int(rest)"),
        ("if end > reached:", "if start >= reached:"),
    ),
    "code-share-out": (
        ("total * weight // whole", "int(total * (weight / whole))"),
        ("(-(total * weights[i] % whole), i)", "(-(total * weights[i] % whole), -i)"),
        ("(-(total * weights[i] % whole), i)", "(total * weights[i] % whole, i)"),
        ("(-(total * weights[i] % whole), i)", "(-weights[i], i)"),
        ('raise ValueError("nobody has a weight")', "return [0] * len(weights)"),
    ),
    "code-shift-cell": (
        (".upper()", ""),
        ("column < 1 or row < 1", "column < 0 or row < 0"),
        ("column < 1 or row < 1", "column < 1"),
        ("divmod(column - 1, 26)", "divmod(column, 26)"),
        ("name = chr(65 + rest) + name", "name = name + chr(65 + rest)"),
    ),
    "code-split-fields": (
        ('raise ValueError("something follows a closing quote")', 'at = (line + ";").find(";", at)'),
        ('raise ValueError("the closing quote is missing")', "break"),
        ('field = line[at:end].strip(" ")', "field = line[at:end]"),
        ("found.append(field)", 'found.append(field.strip(" "))'),
        ("at >= len(line):\n            return found", "at + 1 >= len(line):\n            return found"),
    ),
    "code-build-order": (
        ("min(ready)", "ready[0]"),
        ("return []\n", "return order\n"),
        ("if task not in waiting:", "if False:"),
        ("min(ready)", "max(ready)"),
        ("waiting[task] <= done", "waiting[task] < done"),
    ),
    "code-newest-version": (
        ("while parts and parts[-1] == 0:", "while False:"),
        ("(parts, 3, 0)", "(parts, -1, 0)"),
        ("int(number or 0)", "number"),
        ('["alpha", "beta", "rc"]', '["beta", "alpha", "rc"]'),
        ("[int(part) for part in numbers.split", "[part for part in numbers.split"),
    ),
    "code-evaluate": (
        ("quotient = abs(value) // abs(other)\n", "quotient = value // other\n"),
        ("value = quotient if (value < 0) == (other < 0) else -quotient", "value = value // other"),
        ("abs(value) // abs(other)", "int(abs(value) / abs(other))"),
        ('raise ValueError("something is left over")', "pass"),
        ("return -factor()", "return -product()"),
    ),
    "code-justify": (
        ("i >= gaps - wide", "i < wide"),
        ('lines[:-1]] + [" ".join(row).ljust(width) for row in lines[-1:]]', "lines]"),
        ("return row[0].ljust(width)", "return row[0]"),
        ('" ".join(row).ljust(width) for row in lines[-1:]', '" ".join(row) for row in lines[-1:]'),
        ('len(" ".join(row + [word])) > width', 'len(" ".join(row + [word])) >= width'),
    ),
    "code-one-wall": (
        ("walls <= 1", "walls <= 2"),
        ("walls <= 1", "walls <= 0"),
        (" + doors.get(field, [])", ""),
        ("((ny, nx), walls) not in seen", "(ny, nx) not in [place for place, _ in seen]"),
        ("return -1", "return 0"),
    ),
}
