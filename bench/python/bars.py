"""Measure the Python package: ``python bench/python/bars.py [WHEEL]`` prints each figure beside its bar.

Needs the package as it is released, and polars, numpy and scikit-learn. The last line says how busy the machine was.
"""

import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time

ROWS, TESTS, GROUPS = 1_000_000, 200, 10
FRAME = f"""
import numpy as np, polars as pl
random = np.random.default_rng(1)
group = random.integers(0, {GROUPS}, {ROWS})
shares = random.random(({GROUPS}, {TESTS}))
columns = {{"object": np.arange({ROWS}).astype(str)}}
for test in range({TESTS}):
    columns[f"t{{test}}"] = (random.random({ROWS}) < shares[group, test]).astype(np.int8)
columns["group"] = group.astype(str)
frame = pl.DataFrame(columns)
del columns
"""


def own_process(code, *, threads=None):
    """Run ``code`` in an interpreter of its own; its last line is JSON."""
    environment = dict(os.environ) | ({} if threads is None else {"RAYON_NUM_THREADS": str(threads)})
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def line(what, found, bar, holds):
    print(f"{'ok  ' if holds else 'MISS'} {what:58} {found:>28}   bar {bar}", flush=True)


def importing():
    code = "import time, sys, json; start = time.perf_counter(); import fewest\n"
    code += "print(json.dumps([time.perf_counter() - start, 'numpy' in sys.modules]))"
    runs = [own_process(code) for _ in range(7)]
    first, least, has_numpy = runs[0][0] * 1e3, min(run[0] for run in runs) * 1e3, any(run[1] for run in runs)
    line("import", f"{least:.1f} ms (first {first:.1f} ms)", "< 150 ms, without numpy", least < 150 and not has_numpy)


def wheel(path):
    size = os.path.getsize(path) / 1e6
    line("wheel", f"{size:.2f} MB", "<= 10 MB", size <= 10)


def session():
    import fewest

    strategy = fewest.Table(os.path.join(os.path.dirname(__file__), "../../examples/zoo.csv")).build()
    for name, source in (("following a strategy", strategy), ("by rule", strategy.table)):
        best = float("inf")
        for _ in range(30):
            one = fewest.Session(source)
            question, asked, start = one.question, 0, time.perf_counter()
            while question is not None:
                one.answer(question.answers[0])
                question, asked = one.question, asked + 1
            best = min(best, (time.perf_counter() - start) / asked)
        line(f"zoo: answer and next question, {name}", f"{best * 1e6:.1f} µs", "< 50 µs", best < 50e-6)


def large():
    code = (
        FRAME
        + """
import fewest, time, json, resource, tempfile
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before, runs = peak(), []
for _ in range(3):
    start = time.perf_counter()
    table = fewest.Table(frame)
    read = time.perf_counter() - start
    strategy = table.build(algorithm="ggbs", time=None)
    runs.append((time.perf_counter() - start, read, strategy.elapsed))
    del table, strategy
after = peak()
with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
    frame.write_parquet(file.name)
    start = time.perf_counter()
    fewest.Table(file.name).build(algorithm="ggbs", time=None)
    by_file = time.perf_counter() - start
print(json.dumps([min(runs), before, after, by_file]))
"""
    )
    (total, read, own), before, after, by_file = own_process(code)
    found = f"{total:.2f} s = {total / by_file:.2f} x {by_file:.2f} s"
    what = f"polars {ROWS} x {TESTS} to a GGBS tree, against its Parquet file"
    line(what, found, "<= 1.3 x", total <= 1.3 * by_file)
    print(f"     of which reading the frame {read:.2f} s, the greedy tree alone {own:.2f} s ({total / own:.1f} x)")
    line("peak memory of that, beyond the frame", f"{after - before:.0f} MB", "<= 150 MB", after - before <= 150)
    code = (
        FRAME
        + """
import time, json
from sklearn.tree import DecisionTreeClassifier
X, y = frame.drop("object", "group").to_numpy(), frame["group"].to_numpy()
start = time.perf_counter()
DecisionTreeClassifier(criterion="entropy").fit(X, y)
print(json.dumps(time.perf_counter() - start))
"""
    )
    fit = own_process(code)
    line("scikit-learn's fit of the same", f"{fit:.1f} s = {fit / total:.0f} x", ">= 100 x", fit >= 100 * total)


HARD = "import fewest, time, json\ntable = fewest.generate('random', objects=400, tests=120, density=0.1, seed=7)\n"


def interrupt():
    code = HARD + "import os, signal, threading, warnings\nwarnings.simplefilter('ignore')\n" + (
        "sent = []\ndef interrupt():\n    sent.append(time.perf_counter())\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Timer(1.0, interrupt).start()\nstrategy = table.build(time=60)\nnow = time.perf_counter()\n"
        "holds = strategy.bound <= strategy.cost and table.check(strategy, tree_only=True) is not None\n"
        "print(json.dumps([now - sent[0], strategy.stop, bool(holds)]))"
    )  # fmt: skip
    runs = [own_process(code) for _ in range(5)]
    delay = statistics.median(run[0] for run in runs)
    holds = all(run[1] == "interrupted" and run[2] for run in runs)
    found = f"{delay * 1e3:.0f} ms"
    line("Ctrl-C after 1 s to the best so far", found, "< 300 ms, its bound holds", holds and delay < 0.3)


def other_threads():
    """Speed of a thread of Python beside a build in its own process, and beside the same in another process."""
    import fewest

    table = fewest.generate("random", objects=400, tests=120, density=0.1, seed=7)

    def speed(seconds):
        steps, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            steps += 1
        return steps / seconds

    inside, outside, alone = [], [], []
    for _ in range(5):
        alone.append(speed(1.0))
        thread = threading.Thread(target=lambda: table.build(time=3, threads=1))
        thread.start()
        time.sleep(0.5)
        inside.append(speed(1.5))
        thread.join()
        other = subprocess.Popen([sys.executable, "-c", HARD + "table.build(time=3, threads=1)"])
        time.sleep(1.0)
        outside.append(speed(1.5))
        other.wait()
    ratio = statistics.median(inside) / statistics.median(outside)
    solo = statistics.median(inside) / statistics.median(alone)
    found = f"{ratio:.0%} (of solo {solo:.0%})"
    line("speed of another thread, against a build elsewhere", found, ">= 90 %", ratio >= 0.9)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    importing()
    for path in sys.argv[1:]:
        wheel(path)
    session()
    interrupt()
    other_threads()
    large()
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"load average {', '.join(f'{load:.1f}' for load in os.getloadavg())}; {os.cpu_count()} processors; "
          f"{own.ru_utime + own.ru_stime:.0f} s of processor time")  # fmt: skip
