"""For every question of the suite code two answers that are right and written otherwise than its reference."""

from __future__ import annotations

from tests.suites.code_rights_hard import HARD

RIGHTS = {
    "code-pack-runs": (
        """
def pack(text: str) -> str:
    if not text:
        return ""
    result = ""
    current, count = text[0], 0
    for ch in text + "\\0":
        if ch == current:
            count += 1
            continue
        result += f"{count}{current}" if count > 2 else current * count
        current, count = ch, 1
    return result
""",
        """
import re

def pack(text):
    runs = [m.group(0) for m in re.finditer(r"(.)\\1*", text)]
    return "".join(str(len(run)) + run[0] if len(run) >= 3 else run for run in runs)
""",
    ),
    "code-covered-minutes": (
        """
def covered(slots):
    taken = set()
    for start, end in slots:
        h1, m1 = map(int, start.split(":"))
        h2, m2 = map(int, end.split(":"))
        taken.update(range(h1 * 60 + m1, h2 * 60 + m2))
    return len(taken)
""",
        """
from typing import List

def to_min(t: str) -> int:
    return int(t[:2]) * 60 + int(t[3:])

def covered(slots: List[List[str]]) -> int:
    merged: List[List[int]] = []
    for a, b in sorted(slots, key=lambda slot: slot[0]):
        start, end = to_min(a), to_min(b)
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return sum(end - start for start, end in merged)

if __name__ == "__main__":
    print(covered([["09:00", "10:00"]]))
""",
    ),
    "code-share-out": (
        """
def share_out(total, weights):
    s = sum(weights)
    if not weights or s == 0:
        raise ValueError("weights must not all be zero")
    pairs = [divmod(total * w, s) for w in weights]
    result = [q for q, _ in pairs]
    remaining = total - sum(result)
    ranked = sorted(enumerate(pairs), key=lambda item: item[1][1], reverse=True)
    for index, _ in ranked[:remaining]:
        result[index] += 1
    return result
""",
        """
def share_out(total, weights):
    whole = sum(weights)
    if whole <= 0:
        raise ValueError
    shares = []
    rests = []
    for w in weights:
        shares.append(total * w // whole)
        rests.append(total * w - shares[-1] * whole)
    while sum(shares) < total:
        best = rests.index(max(rests))
        shares[best] += 1
        rests[best] = -1
    return shares
""",
    ),
    "code-shift-cell": (
        """
import re

def shift(cell, right, down):
    match = re.fullmatch(r"([A-Z]+)([0-9]+)", cell.upper())
    letters, digits = match.groups()
    column = 0
    for letter in letters:
        column = column * 26 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter) + 1
    column, row = column + right, int(digits) + down
    if min(column, row) < 1:
        raise ValueError(f"{cell} cannot be moved so far")

    def name(number):
        return "" if number == 0 else name((number - 1) // 26) + chr(ord("A") + (number - 1) % 26)

    return f"{name(column)}{row}"
""",
        """
from functools import reduce

def shift(cell: str, right: int, down: int) -> str:
    split = 0
    while cell[split].isalpha():
        split += 1
    col = reduce(lambda total, c: total * 26 + ord(c) - ord("A") + 1, cell[:split].upper(), 0) + right
    row = int(cell[split:]) + down
    if col <= 0 or row <= 0:
        raise ValueError("result is off the sheet")
    letters = []
    while col:
        col -= 1
        letters.append(chr(ord("A") + col % 26))
        col //= 26
    return "".join(reversed(letters)) + str(row)
""",
    ),
    "code-split-fields": (
        """
import re

def fields(line):
    quoted = re.compile(r' *"((?:[^"]|"")*)" *(;|$)')
    plain = re.compile(r'([^;]*)(;|$)')
    result = []
    rest = line
    while True:
        if rest.lstrip(" ").startswith('"'):
            found = quoted.match(rest)
            if found is None:
                raise ValueError("bad quoting")
            result.append(found.group(1).replace('""', '"'))
        else:
            found = plain.match(rest)
            result.append(found.group(1).strip(" "))
        rest = rest[found.end():]
        if found.group(2) == "":
            return result
""",
        """
def fields(line: str) -> list[str]:
    out: list[str] = []
    state = "start"
    buf: list[str] = []
    i, n = 0, len(line)
    while i < n:
        ch = line[i]
        if state == "start":
            if ch == " ":
                pass
            elif ch == '"':
                state = "quoted"
            elif ch == ";":
                out.append("")
            else:
                buf.append(ch)
                state = "plain"
        elif state == "plain":
            if ch == ";":
                out.append("".join(buf).rstrip(" "))
                buf, state = [], "start"
            else:
                buf.append(ch)
        elif state == "quoted":
            if ch != '"':
                buf.append(ch)
            elif i + 1 < n and line[i + 1] == '"':
                buf.append('"')
                i += 1
            else:
                state = "closed"
        else:
            if ch == ";":
                out.append("".join(buf))
                buf, state = [], "start"
            elif ch != " ":
                raise ValueError(f"unexpected {ch!r} after a closing quote")
        i += 1
    if state == "quoted":
        raise ValueError("unterminated quote")
    text = "".join(buf)
    out.append(text if state == "closed" else text.rstrip(" "))
    return out
""",
    ),
    "code-build-order": (
        """
from collections import defaultdict

def build_order(needs):
    followers = defaultdict(set)
    missing = defaultdict(int)
    tasks = set(needs)
    for task, before in needs.items():
        for other in set(before):
            tasks.add(other)
            followers[other].add(task)
            missing[task] += 1
    ready = sorted(task for task in tasks if missing[task] == 0)
    order = []
    while ready:
        task = ready.pop(0)
        order.append(task)
        for follower in followers[task]:
            missing[follower] -= 1
            if missing[follower] == 0:
                ready.append(follower)
        ready.sort()
    return order if len(order) == len(tasks) else []
""",
        """
from bisect import insort

def build_order(needs: dict[str, list[str]]) -> list[str]:
    todo = {name: set(deps) for name, deps in needs.items()}
    for deps in list(needs.values()):
        for dep in deps:
            todo.setdefault(dep, set())
    free = sorted(name for name, deps in todo.items() if not deps)
    result = []
    while free:
        name = free.pop(0)
        result.append(name)
        for other, deps in todo.items():
            if name in deps:
                deps.remove(name)
                if not deps:
                    insort(free, other)
    if len(result) != len(todo):
        return []
    return result
""",
    ),
    **HARD,
}
