"""fewest learn beside scikit-learn and LightGBM: the same splits, the accuracy, the speed.

    python3 bench/learn/compare.py splits   --fewest PATH --data DIR
    python3 bench/learn/compare.py accuracy --fewest PATH --data DIR [--only TEXT]
    python3 bench/learn/compare.py speed    --fewest PATH [--rows 1000000] [--keep DIR]

The peers are installed into a virtual environment of their own (`--venv DIR`, by default `fewest-learn-venv` in the
folder for temporary files) when it is not there yet; nothing else is touched.

splits    Grows unpruned trees by entropy on tables of numbers and walks both trees side by side. A node is `same` if
          column and cut agree, `tie` if the two questions differ but gain the same on the rows of the node (scikit-learn
          then picks by its random seed, fewest the first column and the lowest cut), and `other` if neither.
accuracy  Ten folds, the same for both sides; every fold is written to two files. scikit-learn gets words as one-hot
          columns and numbers with NaN for missing (criterion="entropy", else its defaults); fewest asks alike (`--categories
          one --missing likelier`) and prunes by cross-validation (`--prune cost-complexity --price best`), unless
          --options says otherwise.
speed     A table of 20 columns of numbers and 10 of words (up to 500 different), with 2 % of the cells missing in
          five, made from a seed; the class follows a hidden tree with 8 % of noise. Each side runs in a process of its
          own, with one thread, from CSV to model, depth 12; processor time and peak memory are those of the process.
          The accuracy is that on 200,000 other rows.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
SPLITS = ["iris", "wine", "glass"]
TABLES = [
    "iris", "wine", "glass", "heart-cleveland", "pima-diabetes",
    "hypothyroid", "house-votes", "dermatology", "car", "tic-tac-toe",
]

LIKE_SCIKIT_LEARN = "--categories one --missing likelier --prune cost-complexity --price best"


def in_own_environment(folder):
    """Runs this program again where its peers are installed, installing them first if need be."""
    python = folder / "bin" / "python"
    if Path(sys.prefix).resolve() == folder.resolve():
        return
    if not (folder / "ready").exists():
        print(f"installing the peers into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        (folder / "ready").touch()
    os.execv(python, [str(python), *sys.argv])


def read(path):
    """Columns of numbers as numbers, all others as texts; the column `object` is left out."""
    import pandas

    table = pandas.read_csv(path, dtype=str, keep_default_na=False, na_values=["", "?"])
    table = table.drop(columns=["object"], errors="ignore")
    target = table.pop("group")
    for name in table.columns:
        numbers = pandas.to_numeric(table[name], errors="coerce")
        if numbers.notna().equals(table[name].notna()) and numbers.nunique() > 2:
            table[name] = numbers
    return table, target


def fewest(args, *words):
    done = subprocess.run([args.fewest, *map(str, words), "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


# --- splits -----------------------------------------------------------------------------------------------------------


def entropy(classes):
    import numpy

    counts = numpy.unique(classes, return_counts=True)[1] / max(len(classes), 1)
    return float(-(counts * numpy.log2(counts)).sum())


def gain(values, classes, cut):
    above = values > cut
    share = above.mean()
    return entropy(classes) - share * entropy(classes[above]) - (1 - share) * entropy(classes[~above])


def walk(node, peer, at, rows, table, classes, counts):
    """Compares two trees node by node; below a tie the walk goes on where both questions divide the rows alike."""
    is_leaf = peer.children_left[at] < 0
    if "ask" not in node or is_leaf:
        counts["same" if ("ask" not in node) == is_leaf else "other"] += 1
        return
    name, cut = node["column"], node["cut"]
    peer_name, peer_cut = table.columns[peer.feature[at]], float(peer.threshold[at])
    mine = table[name].to_numpy()[rows]
    scale = max(abs(cut), 1e-9)
    if name == peer_name and abs(cut - peer_cut) <= 1e-5 * scale:
        counts["same"] += 1
        above = mine > cut
        walk(node["answers"]["no"], peer, peer.children_left[at], rows[~above], table, classes, counts)
        walk(node["answers"]["yes"], peer, peer.children_right[at], rows[above], table, classes, counts)
        return
    theirs = table[peer_name].to_numpy()[rows]
    ours, other = gain(mine, classes[rows], cut), gain(theirs, classes[rows], peer_cut)
    kind = "tie" if abs(ours - other) <= 1e-9 else "other"
    counts[kind] += 1
    above = mine > cut
    if kind == "tie" and (above == (theirs > peer_cut)).all():
        walk(node["answers"]["no"], peer, peer.children_left[at], rows[~above], table, classes, counts)
        walk(node["answers"]["yes"], peer, peer.children_right[at], rows[above], table, classes, counts)
    if kind == "other":
        print(f"    {name} > {cut} gains {ours:.12f}, {peer_name} > {peer_cut} gains {other:.12f}")


def splits(args):
    import numpy
    from sklearn.tree import DecisionTreeClassifier

    print("table   nodes walked   same   tie   other   leaves: fewest, scikit-learn")
    for name in SPLITS:
        path = Path(args.data) / f"{name}.csv"
        table, target = read(path)
        classes = target.to_numpy()
        peer = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(table, classes)
        ours = fewest(args, "learn", path, "--target", "group", "--prune", "none", "--bins", "exact", "--folds", 0)
        counts = {"same": 0, "tie": 0, "other": 0}
        walk(ours["tree"], peer.tree_, 0, numpy.arange(len(table)), table, classes, counts)
        print(f"{name:7} {sum(counts.values()):12} {counts['same']:6} {counts['tie']:5} {counts['other']:7}   "
              f"{ours['leaves']}, {peer.get_n_leaves()}")


# --- accuracy ---------------------------------------------------------------------------------------------------------


def encoded(table):
    """Numbers as they are, words one-hot, a missing word being a word."""
    import pandas

    words = [name for name in table.columns if table[name].dtype == object or str(table[name].dtype).startswith("str")]
    return pandas.get_dummies(table, columns=words, dummy_na=True, dtype=float)


def accuracy(args):
    import pandas
    from sklearn.model_selection import StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    print("table             fewest   ± s.e.   leaves   scikit-learn   ± s.e.   leaves   within one s.e. or better")
    kept = 0
    names = [name for name in TABLES if args.only in name]
    for name in names:
        table, target = read(Path(args.data) / f"{name}.csv")
        columns = encoded(table)
        ours, theirs, leaves, their_leaves = [], [], [], []
        with tempfile.TemporaryDirectory() as folder:
            train_file, test_file = Path(folder) / "train.csv", Path(folder) / "test.csv"
            folds = StratifiedKFold(10, shuffle=True, random_state=0).split(columns, target)
            for train, test in folds:
                whole = pandas.concat([table, target], axis=1)
                whole.iloc[train].to_csv(train_file, index=False)
                whole.iloc[test].to_csv(test_file, index=False)
                found = fewest(args, "learn", train_file, "--target", "group", "--holdout", test_file, *args.options)
                ours.append(found["held_out"]["accuracy"])
                leaves.append(found["leaves"])
                peer = DecisionTreeClassifier(criterion="entropy", random_state=0)
                peer.fit(columns.iloc[train], target.iloc[train])
                theirs.append(float(peer.score(columns.iloc[test], target.iloc[test])))
                their_leaves.append(peer.get_n_leaves())
        error = lambda values: statistics.stdev(values) / len(values) ** 0.5
        mean, their_mean = statistics.mean(ours), statistics.mean(theirs)
        is_kept = mean >= their_mean - error(theirs)
        kept += is_kept
        print(f"{name:16} {mean:8.4f} {error(ours):8.4f} {statistics.mean(leaves):8.1f} {their_mean:14.4f} "
              f"{error(theirs):8.4f} {statistics.mean(their_leaves):8.1f}   {'yes' if is_kept else 'no'}")
    print(f"{kept} of {len(names)} within one standard error of scikit-learn, or better")


# --- speed ------------------------------------------------------------------------------------------------------------

NUMBERS, WORDS = 20, 10
LEVELS = [3, 5, 8, 12, 20, 40, 80, 150, 300, 500]


def make(path, rows, seed):
    """Writes a table whose class follows a hidden tree, from the same tree for every seed."""
    import numpy
    import pandas

    random = numpy.random.default_rng(seed)
    hidden = numpy.random.default_rng(12345)
    numbers = [random.normal(size=rows) * (1 + at % 3) for at in range(NUMBERS)]
    words = [random.integers(0, levels, size=rows) for levels in LEVELS]
    # Words that speak for the class, a set of them for each column.
    speak = [hidden.random(levels) < 0.5 for levels in LEVELS]

    def grow(rows_here, depth):
        """The class of each row: questions down to depth 8, then a coin."""
        if depth == 8:
            result[rows_here] = hidden.integers(0, 2)
            return
        if hidden.random() < 0.6:
            at = hidden.integers(0, NUMBERS)
            above = numbers[at][rows_here] > hidden.normal() * 0.7 * (1 + at % 3)
        else:
            at = hidden.integers(0, WORDS)
            above = speak[at][words[at][rows_here]]
        grow(rows_here[above], depth + 1)
        grow(rows_here[~above], depth + 1)

    result = numpy.zeros(rows, dtype=int)
    grow(numpy.arange(rows), 0)
    result ^= random.random(rows) < 0.08
    columns = {}
    for at, values in enumerate(numbers):
        values = numpy.round(values, 4)
        if at < 3:
            values[random.random(rows) < 0.02] = numpy.nan
        columns[f"x{at}"] = values
    for at, values in enumerate(words):
        texts = numpy.array([f"w{value}" for value in range(LEVELS[at])], dtype=object)[values]
        if at < 2:
            texts[random.random(rows) < 0.02] = ""
        columns[f"c{at}"] = texts
    columns["y"] = numpy.where(result == 1, "yes", "no")
    pandas.DataFrame(columns).to_csv(path, index=False)


def measured(words):
    """Runs a program and gives its output, wall seconds, processor seconds and peak megabytes."""
    before = time.monotonic()
    process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words[0]} failed")
    return out, time.monotonic() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def speed(args):
    folder = Path(args.keep or tempfile.mkdtemp())
    train, test = folder / f"train-{args.rows}.csv", folder / "test.csv"
    for path, rows, seed in [(train, args.rows, 1), (test, 200_000, 2)]:
        if not path.exists():
            # In a process of its own: what it takes is nobody's peak memory.
            subprocess.run([sys.executable, __file__, "make", "--venv", args.venv, "--rows", str(rows), "--seed", str(seed), "--keep", str(path)], check=True)
    print(f"{args.rows} rows, {train.stat().st_size / 1e6:.0f} MB of CSV")
    print("program        wall s    cpu s   peak MB   leaves   accuracy")

    def line(name, wall, cpu, memory, leaves, right):
        print(f"{name:12} {wall:8.2f} {cpu:8.2f} {memory:9.0f} {leaves:8} {right:10.4f}", flush=True)

    for name, options in [("fewest", []), ("fewest α 1e-6", ["--alpha", "1e-6"])]:
        model = folder / "model.json"
        words = [args.fewest, "learn", train, "--target", "y", "--max-depth", 12, "--folds", 0, "--threads", 1,
                 "--quiet", "--output", model, *options]
        _, wall, cpu, memory = measured(words)
        saved = json.loads(model.read_text())
        predicted = subprocess.run([args.fewest, "predict", model, test], capture_output=True, text=True)
        right = float(predicted.stderr.split(" of ")[0].split()[-1]) / 200_000
        line(name, wall, cpu, memory, saved["leaves"], right)
    for peer in ["lightgbm", "sklearn"]:
        if peer not in args.peers:
            continue
        out, wall, cpu, memory = measured([sys.executable, __file__, peer, "--venv", args.venv, "--keep", folder, "--rows", args.rows])
        found = json.loads(out.splitlines()[-1])
        # What predicting the other rows took is not the model's.
        line(peer, wall - found["wall"], cpu - found["cpu"], memory, found["leaves"], found["accuracy"])


def peer(args):
    """One tree by a peer, in this process; what it took to predict is told apart."""
    import pandas

    folder = Path(args.keep)
    train = pandas.read_csv(folder / f"train-{args.rows}.csv")
    target = train.pop("y") == "yes"
    words = [name for name in train.columns if name.startswith("c")]
    kinds = {}
    for name in words:
        train[name] = train[name].astype("category")
        kinds[name] = train[name].cat.categories
    if args.what == "lightgbm":
        import lightgbm

        data = lightgbm.Dataset(train, target.astype(int))
        model = lightgbm.train({"objective": "binary", "max_depth": 12, "num_leaves": 4096, "learning_rate": 1.0,
                                "min_data_in_leaf": 1, "num_threads": 1, "verbose": -1}, data, num_boost_round=1)
        leaves = model.dump_model()["tree_info"][0]["num_leaves"]
        predict = lambda table: model.predict(table) > 0.5
    else:
        from sklearn.tree import DecisionTreeClassifier

        codes = lambda table: table.assign(**{name: table[name].cat.codes for name in words})
        model = DecisionTreeClassifier(criterion="entropy", max_depth=12, random_state=0)
        model.fit(codes(train), target)
        leaves = int(model.get_n_leaves())
        predict = lambda table: model.predict(codes(table))
    del train
    before = time.monotonic(), time.process_time()
    test = pandas.read_csv(folder / "test.csv")
    truth = test.pop("y") == "yes"
    for name in words:
        test[name] = pandas.Categorical(test[name], categories=kinds[name])
    right = float((predict(test) == truth).mean())
    wall, cpu = time.monotonic() - before[0], time.process_time() - before[1]
    print(json.dumps({"leaves": leaves, "accuracy": right, "wall": wall, "cpu": cpu}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["splits", "accuracy", "speed", "make", "lightgbm", "sklearn"])
    parser.add_argument("--fewest", default="target/release/fewest")
    parser.add_argument("--data", default="examples")
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the tables of `speed`, to use them again")
    parser.add_argument("--peers", default="lightgbm,sklearn", help="peers of `speed`: lightgbm,sklearn")
    parser.add_argument("--options", default=LIKE_SCIKIT_LEARN.split(), type=str.split, help="options of `fewest learn`")
    parser.add_argument("--venv", default=str(Path(tempfile.gettempdir()) / "fewest-learn-venv"))
    args = parser.parse_args()
    in_own_environment(Path(args.venv))
    if args.what == "make":
        make(args.keep, args.rows, args.seed)
    elif args.what in ("lightgbm", "sklearn"):
        peer(args)
    else:
        {"splits": splits, "accuracy": accuracy, "speed": speed}[args.what](args)


if __name__ == "__main__":
    main()
