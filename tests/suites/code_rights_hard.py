"""The other right answers to the later, harder questions of the suite code."""

from __future__ import annotations

HARD = {
    "code-newest-version": (
        """
def newest(versions):
    best = versions[0]
    for version in versions[1:]:
        if older(best, version):
            best = version
    return best

def older(a, b):
    (numbers_a, rest_a), (numbers_b, rest_b) = parse(a), parse(b)
    size = max(len(numbers_a), len(numbers_b))
    numbers_a += [0] * (size - len(numbers_a))
    numbers_b += [0] * (size - len(numbers_b))
    return (numbers_a, rest_a) < (numbers_b, rest_b)

def parse(version):
    if "-" not in version:
        return [int(n) for n in version.split(".")], (9, 0)
    numbers, release = version.split("-")
    name = release.rstrip("0123456789")
    digits = release[len(name):]
    rank = {"alpha": 0, "beta": 1, "rc": 2}[name]
    return [int(n) for n in numbers.split(".")], (rank, int(digits) if digits else 0)
""",
        """
import re
from itertools import zip_longest

RANKS = {"alpha": 1, "beta": 2, "rc": 3, None: 4}

def newest(versions: list[str]) -> str:
    width = max(v.count(".") for v in versions) + 1
    keyed = []
    for position, version in enumerate(versions):
        match = re.fullmatch(r"([0-9.]+)(?:-(alpha|beta|rc)([0-9]*))?", version)
        numbers = [int(n) for n in match.group(1).split(".")]
        padded = tuple(n for n, _ in zip_longest(numbers, range(width), fillvalue=0))
        keyed.append((padded, RANKS[match.group(2)], int(match.group(3) or 0), -position))
    return versions[-max(keyed)[3]]
""",
    ),
    "code-evaluate": (
        """
def evaluate(text):
    tokens = []
    i = 0
    while i < len(text):
        c = text[i]
        if c == " ":
            i += 1
        elif c in "0123456789":
            j = i
            while j < len(text) and text[j] in "0123456789":
                j += 1
            tokens.append(int(text[i:j]))
            i = j
        elif c in "+-*/()":
            tokens.append(c)
            i += 1
        else:
            raise ValueError("unknown character " + c)
    rank = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3}
    values = []
    operators = []

    def apply():
        op = operators.pop()
        if op == "neg":
            values.append(-values.pop())
            return
        b = values.pop()
        a = values.pop()
        if op == "+":
            values.append(a + b)
        elif op == "-":
            values.append(a - b)
        elif op == "*":
            values.append(a * b)
        else:
            if b == 0:
                raise ZeroDivisionError("division by zero")
            q = abs(a) // abs(b)
            values.append(q if a * b >= 0 else -q)

    wants_value = True
    for token in tokens:
        if wants_value:
            if isinstance(token, int):
                values.append(token)
                wants_value = False
            elif token == "-":
                operators.append("neg")
            elif token == "(":
                operators.append("(")
            else:
                raise ValueError("a value is missing")
        elif token == ")":
            while operators and operators[-1] != "(":
                apply()
            if not operators:
                raise ValueError("too many brackets")
            operators.pop()
        elif isinstance(token, str) and token in "+-*/":
            while operators and operators[-1] != "(" and rank[operators[-1]] >= rank[token]:
                apply()
            operators.append(token)
            wants_value = True
        else:
            raise ValueError("an operator is missing")
    if wants_value:
        raise ValueError("a value is missing")
    while operators:
        if operators[-1] == "(":
            raise ValueError("a bracket is open")
        apply()
    return values[0]
""",
        """
import re

def evaluate(text: str) -> int:
    if re.search(r"[^0-9+\\-*/() ]", text):
        raise ValueError("not an expression")
    tokens = re.findall(r"[0-9]+|[-+*/()]", text)

    def parse_sum(pos):
        value, pos = parse_product(pos)
        while pos < len(tokens) and tokens[pos] in "+-":
            sign = 1 if tokens[pos] == "+" else -1
            other, pos = parse_product(pos + 1)
            value += sign * other
        return value, pos

    def parse_product(pos):
        value, pos = parse_unary(pos)
        while pos < len(tokens) and tokens[pos] in "*/":
            op = tokens[pos]
            other, pos = parse_unary(pos + 1)
            if op == "*":
                value = value * other
            else:
                whole, rest = divmod(value, other)
                value = whole + 1 if whole < 0 and rest != 0 else whole
        return value, pos

    def parse_unary(pos):
        if pos >= len(tokens):
            raise ValueError("unexpected end")
        if tokens[pos] == "-":
            value, pos = parse_unary(pos + 1)
            return -value, pos
        if tokens[pos] == "(":
            value, pos = parse_sum(pos + 1)
            if pos >= len(tokens) or tokens[pos] != ")":
                raise ValueError("missing )")
            return value, pos + 1
        return int(tokens[pos]), pos + 1

    result, end = parse_sum(0)
    if end != len(tokens):
        raise ValueError("trailing input")
    return result
""",
    ),
    "code-justify": (
        """
def justify(words, width):
    if any(len(w) > width for w in words):
        raise ValueError("word too long")
    lines = []
    i = 0
    while i < len(words):
        j = i + 1
        length = len(words[i])
        while j < len(words) and length + 1 + len(words[j]) <= width:
            length += 1 + len(words[j])
            j += 1
        row = words[i:j]
        if j == len(words) or len(row) == 1:
            line = " ".join(row)
            line += " " * (width - len(line))
        else:
            gaps = [1] * (len(row) - 1)
            extra = width - length
            k = len(gaps) - 1
            while extra > 0:
                gaps[k] += 1
                extra -= 1
                k = k - 1 if k > 0 else len(gaps) - 1
            line = row[0]
            for gap, word in zip(gaps, row[1:]):
                line += " " * gap + word
        lines.append(line)
        i = j
    return lines
""",
        """
def justify(words, width):
    rows = [[]]
    for word in words:
        if len(word) > width:
            raise ValueError(word)
        if sum(map(len, rows[-1])) + len(rows[-1]) + len(word) > width:
            rows.append([])
        rows[-1].append(word)
    if rows == [[]]:
        return []
    result = []
    for row in rows[:-1]:
        spaces = width - sum(map(len, row))
        line = row[0]
        for left in range(len(row) - 1, 0, -1):
            gap = spaces // left
            spaces -= gap
            line += " " * gap + row[len(row) - left]
        result.append(line.ljust(width))
    result.append(" ".join(rows[-1]).ljust(width))
    return result
""",
    ),
    "code-one-wall": (
        """
def steps(grid):
    height, width = len(grid), len(grid[0])
    fields = [(y, x) for y in range(height) for x in range(width)]
    start = next(iter([p for p in fields if grid[p[0]][p[1]] == "S"]))
    front = {(start[0], start[1], 1)}
    seen = set(front)
    length = 0
    while front:
        if any(grid[y][x] == "E" for y, x, _ in front):
            return length
        new = set()
        for y, x, left in front:
            near = [(y + dy, x + dx) for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))]
            near = [(a, b) for a, b in near if 0 <= a < height and 0 <= b < width]
            if grid[y][x] in "0123456789":
                near += [(a, b) for a, b in fields if grid[a][b] == grid[y][x]]
            for a, b in near:
                rest = left - (grid[a][b] == "#")
                if rest >= 0 and (a, b, rest) not in seen:
                    new.add((a, b, rest))
                    seen.add((a, b, rest))
        front = new
        length += 1
    return -1
""",
        """
from collections import defaultdict, deque

def steps(grid):
    where = defaultdict(list)
    for r, line in enumerate(grid):
        for c, mark in enumerate(line):
            where[mark].append((r, c))
    (sr, sc), goal = where["S"][0], where["E"][0]
    best = {(sr, sc, 0): 0}
    queue = deque([(sr, sc, 0)])
    while queue:
        r, c, used = queue.popleft()
        distance = best[(r, c, used)]
        if (r, c) == goal:
            return distance
        options = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        if grid[r][c].isdigit():
            options.extend(where[grid[r][c]])
        for nr, nc in options:
            if nr < 0 or nc < 0 or nr >= len(grid) or nc >= len(grid[nr]):
                continue
            now = used + 1 if grid[nr][nc] == "#" else used
            if now > 1 or (nr, nc, now) in best:
                continue
            best[(nr, nc, now)] = distance + 1
            queue.append((nr, nc, now))
    return -1
""",
    ),
}
