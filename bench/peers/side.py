"""One job of a peer in a process of its own; `run.py` starts it and reads the JSON it prints.

    python side.py sklearn|lightgbm|polars TABLE.csv
    python side.py prepare TABLE.csv
    python side.py bandwidth

`prepare` writes the answers and groups as arrays beside the table, so that the peers need not read the CSV: scikit-learn
and LightGBM get them in memory, in the type and order that suits them best, and only their fitting is timed.
"""

import json
import resource
import sys
import time

import numpy as np

# Kilobytes of Linux, megabytes of a thousand thousand bytes.
MEGABYTES = 1024 / 1e6


def timed(job):
    """What `job` gives, with its wall and processor time and the most memory that the process has held by then."""
    wall, busy = time.perf_counter(), time.process_time()
    done = job()
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MEGABYTES
    return done, {"seconds": wall, "busy_seconds": busy, "peak_megabytes": peak}


def read_csv(path):
    import polars

    return polars.read_csv(path)


def prepare(path):
    frame = read_csv(path)
    tests = [name for name in frame.columns if name not in ("object", "group", "prior")]
    groups = frame["group" if "group" in frame.columns else "object"].to_numpy()
    np.save(path.replace(".csv", ".groups.npy"), np.unique(groups, return_inverse=True)[1].astype(np.int32))
    np.save(path.replace(".csv", ".answers.npy"), np.ascontiguousarray(frame.select(tests).to_numpy().astype(np.uint8)))
    return {}


def arrays(path):
    return np.load(path.replace(".csv", ".answers.npy")), np.load(path.replace(".csv", ".groups.npy"))


def sklearn(path):
    from sklearn.tree import DecisionTreeClassifier

    answers, groups = arrays(path)
    # What it would turn the answers into; they are then taken as they are.
    answers = np.ascontiguousarray(answers, dtype=np.float32)
    tree, run = timed(lambda: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(answers, groups))
    return run | {"expected": expected_depth(tree.tree_), "leaves": int(tree.tree_.n_leaves)}


def expected_depth(tree):
    """Questions on average, when all objects are equally likely: every object is asked one at every node it passes."""
    asked = tree.children_left >= 0
    return float(tree.n_node_samples[asked].sum() / tree.n_node_samples[0])


def lightgbm(path):
    """One tree for the first group against the others, of at most 4,096 leaves: it has no tree for all groups at once, and
    sets memory aside for every leaf that there may be."""
    import lightgbm

    answers, groups = arrays(path)
    options = {
        "objective": "binary",
        "num_leaves": 4096,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0,
        "num_threads": 1,
        "verbose": -1,
    }
    target = groups == 0
    fit = lambda: lightgbm.train(options, lightgbm.Dataset(answers, target, free_raw_data=False), num_boost_round=1)
    model, run = timed(fit)
    return run | {"leaves": int(model.dump_model()["tree_info"][0]["num_leaves"])}


def polars(path):
    return timed(lambda: read_csv(path))[1]


def bandwidth():
    """Bytes that one thread reads from memory in a second of processor time, at best."""
    words = np.ones(1 << 25, dtype=np.uint64)
    return {"bytes_per_second": max(words.nbytes / timed(words.sum)[1]["busy_seconds"] for _ in range(7))}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
