"""STreeD beside fewest: the least expected number of tests, on the same tables of yes/no tests.

    python compare.py --fewest PATH --data DIR [--only TEXT] [--runs 3] [--limit 120]

For every instance the table is turned into yes/no tests once: a column with two answers is one test, a column with
k > 2 answers is k tests, one for each answer. The result is written as CSV and given to both sides. Rows that no test
tells apart get one common group, so that an error-free tree exists.

STreeD's task is cost-sensitive classification: every test costs 1, an error more than all tests of all rows together,
so that its optimum is the error-free tree with the least sum of tests. It needs a greatest depth; it gets the depth
of the tree that fewest found, which helps it: a greater one would take it longer. Its task could also bundle tests
(each test is its own bundle here) and would let a test asked twice on a path be free (never of use).

STreeD's time is that of its `fit` alone; the time of fewest is that of its whole process, reading the table included.
"""

import argparse
import csv
import itertools
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Name, what is identified, where the table comes from: a file of the data folder or words for `fewest generate`.
INSTANCES = [
    ("zoo objects", "objects", "zoo.csv"),
    ("sparse 40x20 objects", "objects", "random --objects 40 --tests 20 --density 0.15 --seed 1"),
    ("lymphography groups", "groups", "lymphography.csv"),
    ("spect groups", "groups", "spect.csv"),
]


class Table:
    """Rows of 0 and 1, a group for each."""

    def __init__(self, names, rows, groups):
        self.names, self.rows = names, rows
        sets = {}
        for row, group in zip(rows, groups):
            sets.setdefault(row, set()).add(group)
        texts = ["+".join(sorted(sets[row])) for row in rows]
        numbers = {text: number for number, text in enumerate(sorted(set(texts)))}
        self.groups = [numbers[text] for text in texts]

    def write(self, path):
        with open(path, "w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["object", *self.names, "group"])
            for number, (row, group) in enumerate(zip(self.rows, self.groups)):
                writer.writerow([f"o{number}", *row, f"g{group}"])


def yes_no_table(path, identify):
    """The table of `path` with a test for each answer, or one test where there are two answers."""
    with open(path, newline="") as lines:
        header, *rows = csv.reader(lines)
    columns = list(zip(*rows))
    names, tests = [], []
    for name, cells in zip(header[1:], columns[1:]):
        answers = sorted(set(cells))
        if name in ("group", "prior") or len(answers) < 2:
            continue
        for answer in answers[1:] if len(answers) == 2 else answers:
            names.append(f"{name}={answer}")
            tests.append([int(cell == answer) for cell in cells])
    rows = [tuple(row) for row in zip(*tests)]
    if identify == "objects":
        # Rows that nothing tells apart are one object.
        return Table(names, rows, ["".join(map(str, row)) for row in rows])
    return Table(names, rows, columns[header.index("group")])


def streed_fit(table, depth, limit):
    """STreeD's tree for a table: seconds by the clock and of the processor, sum of tests, whether it is proved."""
    import numpy
    from pystreed import STreeDCostSensitiveClassifier
    from pystreed.data import CostSpecifier, FeatureCostSpecifier

    tests = len(table.names)
    kinds = max(table.groups) + 1
    error = float(len(table.rows) * depth + 1)
    matrix = [[0.0 if truth == said else error for said in range(kinds)] for truth in range(kinds)]
    costs = [FeatureCostSpecifier(1.0, 1.0, f"test{test}", test, test) for test in range(tests)]
    solver = STreeDCostSensitiveClassifier(max_depth=depth, time_limit=limit)
    rows, groups = numpy.array(table.rows, dtype=numpy.intc), numpy.array(table.groups, dtype=numpy.intc)
    start, busy = time.perf_counter(), time.process_time()
    solver.fit(rows, groups, CostSpecifier(matrix, costs))
    took = {"seconds": time.perf_counter() - start, "busy": time.process_time() - busy}
    if not solver.is_fitted():
        return {**took, "total": None, "proved": False}
    tree, total, errors = solver.get_tree(), 0, 0
    for row, group in zip(table.rows, table.groups):
        node = tree
        while not node.is_leaf_node():
            total += 1
            node = node.right_child if row[node.feature] else node.left_child
        errors += node.label != group
    proved = solver.fit_result.is_optimal()
    return {**took, "total": None if errors else total, "proved": proved}


def in_own_process(table, depth, limit):
    """`streed_fit` in a process that is stopped when it overruns; `None` if it was."""
    job = json.dumps({"names": table.names, "rows": table.rows, "groups": table.groups, "depth": depth, "limit": limit})
    try:
        command = [sys.executable, __file__, "--job"]
        done = subprocess.run(command, input=job, capture_output=True, text=True, timeout=limit + 15)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        sys.exit(f"STreeD failed: {done.stderr.strip()}")
    return json.loads(done.stdout.splitlines()[-1])


def job():
    """What the process of `in_own_process` does."""
    asked = json.load(sys.stdin)
    table = Table(asked["names"], [tuple(row) for row in asked["rows"]], map(str, asked["groups"]))
    print(json.dumps(streed_fit(table, asked["depth"], asked["limit"])))


def fewest_build(fewest, path, algorithm, limit):
    """The strategy of fewest with the seconds of its process, by the clock and of the processor."""
    command = [fewest, "build", path, "--identify", "groups", "--algorithm", algorithm, "--json", "--quiet"]
    start, busy = time.perf_counter(), busy_of_children()
    done = subprocess.run([*command, "--time", f"{limit}s"], capture_output=True, text=True)
    took = {"seconds": time.perf_counter() - start, "busy": busy_of_children() - busy}
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[0]
    return {**took, **json.loads(done.stdout)}, None


def busy_of_children():
    """Processor time of the processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def brute_force(table):
    """The least sum of tests over all trees, for a tiny table."""
    known = {}

    def least(rows):
        if len({table.groups[row] for row in rows}) <= 1:
            return 0
        if rows not in known:
            splits = []
            for test in range(len(table.names)):
                parts = [tuple(row for row in rows if table.rows[row][test] == answer) for answer in (0, 1)]
                if all(parts):
                    splits.append(sum(map(least, parts)))
            known[rows] = len(rows) + min(splits)
        return known[rows]

    return least(tuple(range(len(table.rows))))


def verify():
    """STreeD's optimum is ours: equal to brute force on tiny tables, for objects and for groups."""
    draw = random.Random(1)
    for groups in (None, 2, 3):
        for _ in range(5):
            every = list(itertools.product((0, 1), repeat=6))
            rows = draw.sample(every, 10)
            labels = [str(number if groups is None else draw.randrange(groups)) for number in range(10)]
            table = Table([f"t{test}" for test in range(6)], rows, labels)
            found = streed_fit(table, 6, 60)
            wanted = brute_force(table)
            if found["total"] != wanted or not found["proved"]:
                sys.exit(f"STreeD found {found}, brute force {wanted}: the tasks differ")
    print("STreeD and brute force agree on 15 tiny tables (objects, 2 and 3 groups).")


def median(runs, what):
    """The median of one number of some runs."""
    return statistics.median(run[what] for run in runs)


def spread(runs):
    """The median by the clock, with the least and the most, and the median of the processor time."""
    seconds = [run["seconds"] for run in runs]
    clock = f"{median(runs, 'seconds'):.3f} s ({min(seconds):.3f} to {max(seconds):.3f})"
    return f"{clock}, processor {median(runs, 'busy'):.3f} s"


def compare(arguments, name, identify, source, folder):
    """Prints the lines of one instance."""
    if source.endswith(".csv"):
        path = Path(arguments.data) / source
    else:
        path = Path(folder) / "generated.csv"
        made = subprocess.run([arguments.fewest, "generate", *source.split()], capture_output=True, check=True)
        path.write_bytes(made.stdout)
    table = yes_no_table(path, identify)
    binary = Path(folder) / "binary.csv"
    table.write(binary)
    kinds = len(set(table.groups))
    print(f"\n{name}: {len(table.rows)} rows, {len(table.names)} yes/no tests, {kinds} to tell apart")

    ours = []
    for _ in range(arguments.runs):
        built, complaint = fewest_build(arguments.fewest, binary, arguments.algorithm, arguments.limit)
        if complaint:
            print(f"  fewest  {complaint}")
            break
        ours.append(built)
    depth = arguments.depth
    if ours:
        total = ours[0]["cost"]["expected"] * len(table.rows)
        bound = ours[0]["lower_bound"]["value"] * len(table.rows)
        proof = "proved" if ours[0]["optimal"] else f"not proved, bound {bound:.1f}"
        reached = int(ours[0]["cost"]["worst"])
        depth = depth or reached
        print(f"  fewest  total {total:.0f}, depth {reached}, {proof}, {spread(ours)}")
    if not depth:
        print("  STreeD  needs a depth: give --depth")
        return

    theirs = []
    for _ in range(arguments.runs):
        fitted = in_own_process(table, depth, arguments.limit)
        if fitted is None or not fitted["proved"]:
            so_far = "stopped" if fitted is None else f"processor {fitted['busy']:.0f} s, no tree without errors so far"
            if fitted and fitted["total"] is not None:
                so_far = f"processor {fitted['busy']:.0f} s, total {fitted['total']} so far"
            print(f"  STreeD  depth at most {depth}, > {arguments.limit} s; {so_far}")
            if theirs:
                print(f"          {len(theirs)} earlier: total {theirs[0]['total']}, proved, {spread(theirs)}")
            elif ours and ours[0]["optimal"]:
                print(f"  ratio   > {arguments.limit / median(ours, 'seconds'):.0f}")
            return
        theirs.append(fitted)
    found = theirs[0]["total"]
    result = "no tree without errors" if found is None else f"total {found}"
    print(f"  STreeD  {result}, depth at most {depth}, proved, {spread(theirs)}")
    if ours and ours[0]["optimal"]:
        if found != round(total):
            print("  The two optima differ: either the depth is too small or one side is wrong.")
        print(f"  ratio   {median(theirs, 'seconds') / median(ours, 'seconds'):.1f} (STreeD's time / ours)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fewest", required=True, help="the release binary")
    parser.add_argument("--data", required=True, help="the folder with zoo.csv, lymphography.csv and spect.csv")
    parser.add_argument("--only", default="", help="only instances whose name has this text")
    parser.add_argument("--runs", type=int, default=3, help="how often each side runs")
    parser.add_argument("--limit", type=int, default=120, help="seconds for one run")
    parser.add_argument("--algorithm", default="optimal", help="the algorithm of fewest")
    parser.add_argument("--depth", type=int, help="STreeD's greatest depth, instead of that of fewest's tree")
    arguments = parser.parse_args()
    verify()
    with tempfile.TemporaryDirectory() as folder:
        for name, identify, source in INSTANCES:
            if arguments.only in name:
                compare(arguments, name, identify, source, folder)


if __name__ == "__main__":
    if sys.argv[1:] == ["--job"]:
        job()
    else:
        main()
