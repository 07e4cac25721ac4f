#!/usr/bin/env python3
"""Build every table of some folders with the plain command `fewest build TABLE`, and list the results.

    python3 bench/tables.py FOLDER [--program target/release/fewest] [--time 5s] [--write]

Prints docs/tables.md, or renews it with --write. Files that are not tables of objects (costs, lists of names) are named in
SIDECARS. Fails if a table is refused, or ends in a strategy without questions although its tests can tell groups apart.
"""

import argparse
import json
import pathlib
import subprocess
import sys

SIDECARS = (".costs.csv", ".cost-bundles.csv", ".severity.csv", ".vectors.csv", ".diseases.csv", ".phenotypes.csv", "README.md")
HEAD = """# Real tables at the first command

What `fewest build TABLE` makes of real tables, without any option, and what it says about the reading. The tables are not
part of the project; most come from the UCI Machine Learning Repository and from published keys. Made by
`python3 bench/tables.py FOLDER --write`, with {time} for each table{machine}.

| table | objects, tests, groups | strategy | bound | read so |
| --- | --- | --- | --- | --- |
"""
NOTES = (
    ("cells hold no value", lambda text: "gaps: " + ("any answer" if "--missing any)" in text else "an answer of their own")),
    ("cell holds no value", lambda text: "gaps: " + ("any answer" if "--missing any)" in text else "an answer of their own")),
    ("measured numbers in", lambda text: "numbers as cuts"),
    ("list the answers", lambda text: "lists of answers"),
    ("differ only in case", lambda text: "spellings merged"),
    ("cannot tell apart all objects", lambda text: "some objects stay together"),
    ("one line for each answer", lambda text: "one line for each answer"),
    ("follows the answer `not recorded`", lambda text: "warning: much is decided by what is not recorded"),
    ("has a text of its own", lambda text: "warning: a column of names"),
    ("cannot be finished", lambda text: "not finished"),
)


def row(program, path, time):
    command = [program, "build", str(path), "--time", time, "--json", "--color", "never"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        return None, f"{path.name}: {run.stderr.strip()}"
    found = json.loads(run.stdout)
    size, cost, bound = found["instance"], found["cost"], found["lower_bound"]
    groups = size["groups"] if size["identify"] == "groups" else "–"
    expected = f"{cost['expected']:.4g} on average, {cost['worst']:.4g} at worst"
    best = "proved" if found["optimal"] else f"at least {bound['value']:.4g}"
    said = [short(text) for text in run.stderr.splitlines() for words, short in NOTES if words in text]
    notes = "; ".join(dict.fromkeys(said)) or "as it stands"
    rows = size.get("rows", size["objects"])
    fault = f"{path.name}: no questions" if cost["worst"] == 0 and size["groups"] > 1 else None
    return f"| {path.stem} | {rows}, {size['tests']}, {groups} | {expected} | {best} | {notes} |", fault


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--program", default="target/release/fewest")
    options.add_argument("--time", default="5s")
    options.add_argument("--machine", default="")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    tables = [path for path in sorted(given.folder.iterdir()) if path.is_file() and not path.name.endswith(SIDECARS)]
    lines, faults = [], []
    for path in tables:
        line, fault = row(given.program, path, given.time)
        lines += [line] if line else []
        faults += [fault] if fault else []
        print(line or fault, file=sys.stderr)
    text = HEAD.format(time=given.time, machine=f" on {given.machine}" if given.machine else "") + "\n".join(lines) + "\n"
    if given.write:
        (pathlib.Path(__file__).parent.parent / "docs" / "tables.md").write_text(text, encoding="utf-8")
    else:
        print(text)
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
