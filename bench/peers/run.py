"""fewest beside its peers: time, memory and depth of the trees, on the same tables and in the same run.

    python3 bench/peers/run.py [--only TEXT] [--runs 3] [--quick] [--limit 300] [--memory 12] [--smartcore] [--write]

Makes all it needs under the target folder of cargo: a virtual environment with the peers (requirements.txt), the Rust peer,
the tables. All sides run in turn, each in a process of its own and on one thread, round after round; of each the median
is printed, and of the ratio the least and the most of any round too. `--write` puts the tables into docs/performance.md.
`--quick` takes tables of a tenth of the objects, for a look. A peer gets `--limit` seconds of processor time and
`--memory` gigabytes; where that was not enough, the line says so and it is not asked again.
"""

import argparse
import json
import os
import platform
import resource
import signal
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = TARGET / "peers"
PAGE = ROOT / "docs" / "performance.md"
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")}

# Seconds of rest after a peer.
PAUSE = 5

# What the tables are called, and what they are.
TABLES = {
    "t2": "T2: 100,000 × 500, 100 groups",
    "t2w": "T2 with Zipf's prior",
    "t3": "T3: 1,000,000 × 200, 20 groups",
    "t4": "T4: 100,000 × 200, 20 groups, deep",
    "g2": "G2: 10,000 × 200, every object its own group",
}


class GaveUp(Exception):
    """A peer had no answer in the time or memory it got; says which."""


def set_limits():
    """In a peer's process, before it begins."""
    most = int(OPTIONS.memory * 1e9)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (OPTIONS.limit, OPTIONS.limit + 1))


def run(command, is_limited=False):
    """The JSON that a command prints; one thread, and no more than the time and memory it gets."""
    limits = {}
    if is_limited:
        limits = {"timeout": 10 * OPTIONS.limit, "preexec_fn": set_limits}
    try:
        done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True, **limits)
    except subprocess.TimeoutExpired:
        raise GaveUp(f"none in {10 * OPTIONS.limit} s by the clock") from None
    if done.returncode == -signal.SIGXCPU:
        raise GaveUp(f"none in {OPTIONS.limit} s")
    if done.returncode and is_limited and (done.returncode < 0 or "MemoryError" in done.stderr):
        raise GaveUp(f"none in {OPTIONS.memory:.0f} GB")
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def side(job, *arguments, is_limited=False):
    return run([WORK / "environment" / "bin" / "python", HERE / "side.py", job, *arguments], is_limited)


class Fewest:
    """Our side: a table, an algorithm, threads; "2,1" builds by two and by one in turn. A tree takes so little time that the
    median of some is told."""

    def __init__(self, table, algorithm="ggbs", threads="1", repeats=15):
        self.arguments = (table, algorithm, threads, str(repeats))

    def __call__(self, tables):
        table, *rest = self.arguments
        return run([TARGET / "release" / "stages", tables[table], *rest])


class Peer:
    def __init__(self, job, table):
        self.job, self.table = job, table

    def __call__(self, tables):
        return side(self.job, tables[self.table], is_limited=True)


# Everything that runs; a job that several lines need runs once a round.
JOBS = {
    "fewest t2": Fewest("t2"),
    "fewest t2 weighted": Fewest("t2w"),
    "fewest t2 lambda-ggbs": Fewest("t2", "lambda-ggbs"),
    "fewest t2 ec2": Fewest("t2", "ec2"),
    "fewest t3": Fewest("t3"),
    "fewest t3 two threads": Fewest("t3", threads="2,1", repeats=45),
    "fewest t4": Fewest("t4"),
    "fewest g2": Fewest("g2", "gbs"),
    "polars t3": Peer("polars", "t3"),
    "sklearn t2": Peer("sklearn", "t2"),
    "sklearn t3": Peer("sklearn", "t3"),
    "sklearn t4": Peer("sklearn", "t4"),
    "sklearn g2": Peer("sklearn", "g2"),
    "lightgbm t2": Peer("lightgbm", "t2"),
    "lightgbm t3": Peer("lightgbm", "t3"),
}


def build(run_):
    return run_["build"]["busy_seconds"]


def read(run_):
    return run_["read"]["busy_seconds"]


def from_file(run_):
    return sum(run_[stage]["busy_seconds"] for stage in ("read", "understand", "build"))


def fit(run_):
    return run_["busy_seconds"]


def clock(stage):
    return lambda run_: run_[stage]["seconds"]


def memory(run_):
    return run_["build"]["peak_megabytes"] if "build" in run_ else run_["peak_megabytes"]


class Line:
    """A comparison: `theirs` over `ours`, each the sum of some jobs' figures."""

    def __init__(self, name, ours, theirs, must, unit="s", same_tree=True):
        self.name, self.ours, self.theirs, self.must, self.unit, self.same_tree = name, ours, theirs, must, unit, same_tree

    def jobs(self):
        return [job for job, _ in [*self.ours, *self.theirs]]


# Ours beside ours come first: they run one right after the other, and not before and after a peer that takes all memory.
LINES = [
    Line("Zipf's prior on T2, beside equal priors", [("fewest t2", build)], [("fewest t2 weighted", build)], "≤ 3", same_tree=False),
    Line("λ-GGBS on T2, beside GGBS", [("fewest t2", build)], [("fewest t2 lambda-ggbs", build)], "≤ 3", same_tree=False),
    Line("EC² on T2, beside GGBS", [("fewest t2", build)], [("fewest t2 ec2", build)], "≤ 3", same_tree=False),
    Line("two threads on T3, beside one, by the clock", [("fewest t3 two threads", clock("build"))], [("fewest t3 two threads", clock("beside"))], "≥ 1.6"),
    Line("the same for counting the bits of 16 MB each: what the machine had to give", [("fewest t3 two threads", clock("two"))], [("fewest t3 two threads", lambda r: 2 * clock("one")(r))], "", same_tree=False),
    Line("grow GGBS on T2, beside scikit-learn", [("fewest t2", build)], [("sklearn t2", fit)], "≥ 100"),
    Line("grow GGBS on T3, beside scikit-learn", [("fewest t3", build)], [("sklearn t3", fit)], "≥ 100"),
    Line("grow GGBS on T4, beside scikit-learn", [("fewest t4", build)], [("sklearn t4", fit)], "≥ 100"),
    Line("grow GBS on G2, beside scikit-learn", [("fewest g2", build)], [("sklearn g2", fit)], "≥ 1000"),
    Line("T3 from CSV to tree, beside polars + scikit-learn", [("fewest t3", from_file)], [("polars t3", fit), ("sklearn t3", fit)], "≥ 15"),
    Line("read the CSV of T3, beside polars", [("fewest t3", read)], [("polars t3", fit)], ""),
    Line("peak memory from CSV to tree on T3, beside scikit-learn without reading", [("fewest t3", memory)], [("sklearn t3", memory)], "≥ 8", "MB"),
    Line("grow GGBS on T2, beside one tree of LightGBM for one group", [("fewest t2", build)], [("lightgbm t2", fit)], "", same_tree=False),
    Line("grow GGBS on T3, beside one tree of LightGBM for one group", [("fewest t3", build)], [("lightgbm t3", fit)], "", same_tree=False),
]


def prepare(lines):
    """Installs, builds and writes what is missing; gives the paths of the tables."""
    environment = WORK / "environment"
    if not (environment / "installed").exists():
        print("installing the peers", file=sys.stderr)
        venv.create(environment, with_pip=True)
        subprocess.run([environment / "bin" / "pip", "install", "--quiet", "-r", HERE / "requirements.txt"], check=True)
        (environment / "installed").touch()
    cargo = ["cargo", "build", "--release", "--quiet"]
    subprocess.run([*cargo, "--package", "fewest-bench"], cwd=ROOT, check=True)
    if OPTIONS.smartcore:
        subprocess.run([*cargo, "--target-dir", WORK / "smartcore"], cwd=HERE / "smartcore", check=True)
    folder = WORK / ("quick" if OPTIONS.quick else "tables")
    folder.mkdir(parents=True, exist_ok=True)
    names = {JOBS[job].arguments[0] if isinstance(JOBS[job], Fewest) else JOBS[job].table for job in jobs_of(lines)}
    shrink = "10" if OPTIONS.quick else "1"
    subprocess.run([TARGET / "release" / "tables", folder, shrink, *sorted(names)], check=True, stdout=sys.stderr)
    tables = {name: str(folder / f"{name}.csv") for name in names}
    for path in tables.values():
        if not Path(path.replace(".csv", ".answers.npy")).exists():
            side("prepare", path)
    return tables


def jobs_of(lines):
    return list(dict.fromkeys(job for line in lines for job in line.jobs()))


def rounds(lines, tables):
    """For every job its runs, one a round; or why it gave up, and then it is not asked again."""
    runs = {job: [] for job in jobs_of(lines)}
    for number in range(OPTIONS.runs):
        for job, done in runs.items():
            if done and isinstance(done[-1], str):
                continue
            start = time.monotonic()
            try:
                done.append(JOBS[job](tables))
            except GaveUp as reason:
                done.append(str(reason))
            print(f"round {number + 1}: {job}, {time.monotonic() - start:.1f} s", file=sys.stderr)
            if isinstance(JOBS[job], Peer):
                # The system takes gigabytes back for a while, on a processor that the next job would like to have.
                time.sleep(PAUSE)
    return runs


def figures(line, runs):
    """The two figures and their ratio, round by round."""
    total = lambda parts, number: sum(take(runs[job][number]) for job, take in parts)
    count = min(len(runs[job]) for job in line.jobs())
    return [(total(line.ours, number), total(line.theirs, number)) for number in range(count)]


def row(line, runs):
    """A line of the table in Markdown."""
    show = lambda value: f"{value:.3g} s" if line.unit == "s" else f"{value:,.0f} MB"
    reasons = [f"{job}: {done}" for job, _ in line.theirs for done in runs[job] if isinstance(done, str)]
    if reasons:
        ours = sum(statistics.median(map(take, runs[job])) for job, take in line.ours)
        return [line.name, show(ours), "; ".join(reasons), "", line.must, ""]
    pairs = figures(line, runs)
    ours, theirs = (statistics.median(pair[which] for pair in pairs) for which in (0, 1))
    ratios = [theirs / ours for ours, theirs in pairs]
    spread = f"**{theirs / ours:.3g}** ({min(ratios):.3g}–{max(ratios):.3g})"
    return [line.name, show(ours), show(theirs), spread, line.must, depths(line, runs)]


def depths(line, runs):
    """The expected depth of our tree, and how far it is from the peer's."""
    ours = runs[line.ours[0][0]][0]["expected"]
    theirs = runs[line.theirs[-1][0]][0].get("expected")
    if not line.same_tree or theirs is None:
        return f"{ours:.4f}"
    return f"{ours:.4f} ({(ours / theirs - 1) * 100:+.3f} %)"


def stages(runs):
    """Where the time and memory of our own runs go, and the floor: what no program can do without."""
    bandwidth = side("bandwidth")["bytes_per_second"]
    lines = []
    for job, done in runs.items():
        if not job.startswith("fewest"):
            continue
        first = done[0]
        median = lambda stage, what: statistics.median(run_[stage][what] for run_ in done)
        # Every answer of every object is looked at once in every level of the tree, one bit each.
        touched = first["objects"] * first["tests"] / 8 * first["expected"]
        floor = touched / bandwidth
        busy = [median(stage, "busy_seconds") for stage in ("read", "understand", "build")]
        peaks = [median(stage, "peak_megabytes") for stage in ("read", "understand", "build")]
        lines.append([
            job.removeprefix("fewest "),
            *(f"{seconds:.3f}" for seconds in busy),
            f"{median('build', 'seconds'):.3f}",
            f"{floor:.4f}",
            f"{busy[2] / floor:.1f}",
            " / ".join(f"{peak:.0f}" for peak in peaks),
        ])
    return bandwidth, lines


def smartcore(tables):
    """The Rust peer, once: it takes long."""
    lines = []
    for name, path in sorted(tables.items()):
        if name in ("t2w", "t4"):
            continue
        try:
            seconds = run([WORK / "smartcore" / "release" / "smartcore-peer", path], is_limited=True)["busy_seconds"]
            said = f"{seconds:.3g} s"
        except GaveUp as reason:
            said = str(reason)
        print(f"smartcore {name}: {said}", file=sys.stderr)
        lines.append([TABLES[name], said])
    return lines


def markdown(header, lines):
    rule = ["---"] * len(header)
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines]) + "\n"


def processor():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(names)} cores in sight"


def versions():
    return ", ".join(line.replace("==", " ") for line in (HERE / "requirements.txt").read_text().split())


def report(lines, runs, tables):
    bandwidth, ours = stages(runs)
    head = f"Measured by `python3 bench/peers/run.py --runs {OPTIONS.runs}`, {processor()}; load {os.getloadavg()[0]:.1f} at the end{', tables of a tenth of the objects' if OPTIONS.quick else ''}"
    parts = [
        f"{head}.\nPeers: {versions()}, smartcore 0.7.0; Python {platform.python_version()}. Median of {OPTIONS.runs} rounds, processor time of one thread.\n",
        markdown(["", "fewest", "the other side", "ratio (least–most)", "wanted", "expected depth (against the other's)"], [row(line, runs) for line in lines]),
        "Where the time of fewest goes, processor seconds; the floor is the bytes that must be touched (every answer one bit, once in "
        f"every level) over the {bandwidth / 1e9:.1f} GB/s that one thread reads from memory in the same run. Memory is the peak of the process "
        "after each stage.\n",
        markdown(["", "read", "understand", "build", "build by the clock", "floor of build", "build ÷ floor", "peak MB after each"], ours),
    ]
    if OPTIONS.smartcore:
        parts += [f"smartcore, entropy, fitted to answers in memory, once, processor time:\n", markdown(["table", "seconds"], smartcore(tables))]
    return "\n".join(parts)


def put(mark, text):
    """Puts `text` between the marks of docs/performance.md."""
    page = PAGE.read_text()
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    PAGE.write_text(before + begin + text + end + after)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="keep the lines whose name has this text")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a tenth of the objects")
    parser.add_argument("--limit", type=int, default=300, help="seconds of processor time that a peer gets")
    parser.add_argument("--memory", type=float, default=12, help="gigabytes that a peer gets")
    parser.add_argument("--smartcore", action="store_true", help="run the Rust peer as well")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    chosen = parser.parse_args()
    if chosen.write and (chosen.only or chosen.quick):
        parser.error("--write wants all lines and whole tables")
    return chosen


if __name__ == "__main__":
    OPTIONS = options()
    wanted = [line for line in LINES if OPTIONS.only.lower() in line.name.lower()]
    paths = prepare(wanted)
    text = report(wanted, rounds(wanted, paths), paths)
    print(text)
    if OPTIONS.write:
        put("peers", text)
