"""A small, honest classifier for scikit-learn: a tree whose questions are kept only where they tell more than chance.

Needs scikit-learn 1.6 or newer: ``pip install fewest[sklearn]``.

>>> from fewest.sklearn import FewestClassifier, export_text
>>> classifier = FewestClassifier().fit([[0], [1]] * 20, ["no", "yes"] * 20)
>>> classifier.predict([[1], [0]]).tolist()
['yes', 'no']
>>> print(export_text(classifier))
x0 > 0.5?  40 rows, 50 % no, p = 2.5e-10
├─ no: no  20 rows, 100 %
└─ yes: yes  20 rows, 100 %
"""

from __future__ import annotations

import json
import numbers
import typing

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from fewest import _fewest
from fewest._display import Picture, plain

__all__ = ["FewestClassifier", "export_text", "plot_tree"]

Array = typing.Any


class FewestClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc, unused-ignore]
    """Tree of questions, chosen by information and pruned by their significance.

    Numbers are asked by cuts; words, categories and truth values by their values. Cells may be missing. Sample weights
    count cases: a weight of 2 is the same as a row that comes twice.

    Parameters
    ----------
    alpha : float, default=0.05
        Questions whose p-value is above this are cut. Smaller trees for smaller values.
    pruning : {"chi2", "none"}, default="chi2"
        Whether questions that may be chance are cut.
    categories : {"auto", "many", "one", "subsets"}, default="auto"
        How columns of words are asked: one answer for each word, `is it x?`, or `is it one of these?`.
    missing : {"answer", "likelier"}, default="answer"
        A missing cell is an answer of its own, or follows the answer of most rows.
    max_depth : int or None, default=None
        Largest number of questions on a path.
    min_samples_leaf : float, default=1
        Least weight of the rows behind an answer; with a weight of 1 for each row, their number.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the weight of all rows behind an answer.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    costs : array-like of shape (n_features,), dict or None, default=None
        Cost of asking for each column; scores are divided by it.
    smoothing : {"none", "laplace"} or float, default="none"
        How counts become probabilities; a number is the weight of a prior of the classes' shares.
    bins : "auto", "exact" or int, default="auto"
        How cuts of numbers are searched: every cut, or by ranges.
    random_state : int, RandomState instance or None, default=None
        Seed of random tables for p-values where counts are small. None is always the same seed.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, where they are texts.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the information of the tree.
    tree_ : dict
        The tree as JSON, as ``fewest learn`` writes it.
    """

    classes_: Array
    n_features_in_: int

    def __init__(
        self,
        alpha: float = 0.05,
        *,
        pruning: str = "chi2",
        categories: str = "auto",
        missing: str = "answer",
        max_depth: int | None = None,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        class_weight: typing.Any = None,
        costs: typing.Any = None,
        smoothing: typing.Any = "none",
        bins: typing.Any = "auto",
        random_state: typing.Any = None,
    ) -> None:
        self.alpha = alpha
        self.pruning = pruning
        self.categories = categories
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.class_weight = class_weight
        self.costs = costs
        self.smoothing = smoothing
        self.bins = bins
        self.random_state = random_state

    def __sklearn_tags__(self) -> typing.Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def fit(self, X: Array, y: Array, sample_weight: Array = None) -> FewestClassifier:
        """Learn the tree from rows ``X`` with classes ``y``."""
        options = self._options()
        checked, y = validate_data(self, _plain(X), y, dtype=None, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        self.classes_, target = np.unique(y, return_inverse=True)
        weights = self._weights(checked, y, sample_weight)
        kept = slice(None) if weights is None else np.flatnonzero(weights > 0)
        columns = [_take(column, kept) for column in _columns(X, checked)]
        self._is_number = np.array([isinstance(column, np.ndarray) for column in columns], dtype=bool)
        names = self._names()
        costs = self._costs(names)
        total = float(len(y) if weights is None else weights.sum())
        options["min_leaf"] = max(float(self.min_samples_leaf), self.min_weight_fraction_leaf * total)
        self._model = _fewest.fit(
            [_field(name, column) for name, column in zip(names, columns)],
            [str(name) for name in self.classes_.tolist()]
            if _are_distinct(self.classes_)
            else _numbered(self.classes_),
            target[kept].astype(np.uint32).tobytes(),
            None if weights is None else weights[kept].astype(np.float64).tobytes(),
            costs,
            options,
        )
        self._node_costs = costs if costs is not None else [1.0] * len(names)
        self._shares = np.array(self._model.probabilities, dtype=np.float64)
        return self

    def _options(self) -> dict[str, typing.Any]:
        for name, value, known in (
            ("pruning", self.pruning, ("chi2", "none")),
            ("missing", self.missing, ("answer", "likelier")),
        ):
            if value not in known:
                raise ValueError(f"{name}: there is no {value!r}; choose {' or '.join(map(repr, known))}")
        if not (isinstance(self.alpha, numbers.Real) and 0 <= self.alpha <= 1):
            raise ValueError(f"alpha: {self.alpha!r} is no probability from 0 to 1")
        depth = self.max_depth
        if depth is not None and not (isinstance(depth, numbers.Integral) and depth >= 0):
            raise ValueError(f"max_depth: {depth!r} is no whole number from 0 on, nor None")
        if not (isinstance(self.min_samples_leaf, numbers.Real) and self.min_samples_leaf > 0):
            raise ValueError(f"min_samples_leaf: {self.min_samples_leaf!r} is no number above 0")
        if not (isinstance(self.min_weight_fraction_leaf, numbers.Real) and 0 <= self.min_weight_fraction_leaf <= 0.5):
            raise ValueError(f"min_weight_fraction_leaf: {self.min_weight_fraction_leaf!r} is no share from 0 to 0.5")
        rows = self.smoothing
        if rows not in ("none", "laplace") and not (isinstance(rows, numbers.Real) and float(rows) > 0):
            raise ValueError(f"smoothing: {rows!r} is not 'none', 'laplace' or a number above 0")
        ranges = {"auto": None, "exact": 0}.get(self.bins, self.bins) if isinstance(self.bins, str) else self.bins
        if not (ranges is None or ranges == 0 or (isinstance(ranges, numbers.Integral) and 2 <= int(ranges) <= 255)):
            raise ValueError(f"bins: {self.bins!r} is not 'auto', 'exact' or a whole number from 2 to 255")
        return {
            "alpha": None if self.pruning == "none" else float(self.alpha),
            "categories": self.categories,
            "likelier": self.missing == "likelier",
            "max_depth": None if depth is None else int(depth),
            "min_leaf": 1.0,
            "smoothing": None if isinstance(rows, str) else float(rows),
            "laplace": rows == "laplace",
            "bins": None if ranges is None else int(ranges),
            "seed": self._seed(),
        }

    def _seed(self) -> int:
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, numbers.Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _weights(self, X: Array, y: Array, sample_weight: Array) -> Array:
        if sample_weight is None and self.class_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, y)
        if not np.any(weights > 0):
            raise ValueError("all sample weights are zero; give at least one row a weight above 0")
        return weights

    def _names(self) -> list[str]:
        own = getattr(self, "feature_names_in_", None)
        if own is not None and len(set(own)) == len(own):
            return [str(name) for name in own]
        return [f"x{number}" for number in range(self.n_features_in_)]

    def _costs(self, names: list[str]) -> list[float] | None:
        if self.costs is None:
            return None
        if isinstance(self.costs, dict):
            unknown = [name for name in self.costs if name not in names]
            if unknown:
                raise ValueError(f"costs: there is no column {unknown[0]!r}")
            costs = [float(self.costs.get(name, 1.0)) for name in names]
        else:
            costs = [float(cost) for cost in np.asarray(self.costs, dtype=np.float64).ravel()]
        if len(costs) != len(names) or not all(np.isfinite(cost) and cost > 0 for cost in costs):
            raise ValueError(f"costs: give a number above 0 for each of the {len(names)} columns")
        return costs

    def _end(self, X: Array) -> tuple[Array, Array]:
        """Node at which each row ends, and what asking costs."""
        check_is_fitted(self)
        checked = typing.cast(
            "Array", validate_data(self, _plain(X), dtype=None, ensure_all_finite="allow-nan", reset=False)
        )
        columns = _columns(X, checked, self._is_number)
        fields = [_field(name, column) for name, column in zip(self._names(), columns)]
        nodes, costs = self._model.apply(fields, checked.shape[0], self._node_costs)
        return np.frombuffer(nodes, dtype=np.int64).copy(), np.frombuffer(costs, dtype=np.float64).copy()

    def predict_proba(self, X: Array) -> Array:
        """Probability of each class, in the order of ``classes_``."""
        nodes, _ = self._end(X)
        return self._shares[nodes]

    def predict_log_proba(self, X: Array) -> Array:
        """Logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Array) -> Array:
        """The likeliest class of each row."""
        shares = self.predict_proba(X)
        return self.classes_[np.argmax(shares, axis=1)]

    def apply(self, X: Array) -> Array:
        """Number of the node at which each row ends."""
        return self._end(X)[0]

    def cost_of(self, X: Array) -> Array:
        """What asking for the columns on the way of each row costs."""
        return self._end(X)[1]

    def decision_path(self, X: Array) -> Array:
        """Nodes on the way of each row, as a sparse matrix of ones."""
        from scipy.sparse import csr_matrix

        nodes = self.apply(X)
        parents = self._parents()
        ways = []
        for node in nodes:
            way = [int(node)]
            while (parent := parents[way[-1]]) >= 0:
                way.append(parent)
            ways.append(way[::-1])
        ends = np.cumsum([0, *map(len, ways)])
        columns = np.array([node for way in ways for node in way], dtype=np.int64)
        return csr_matrix((np.ones(len(columns), dtype=np.int8), columns, ends), shape=(len(nodes), len(parents)))

    def _parents(self) -> list[int]:
        nodes = self._model.nodes
        parents = [-1] * len(nodes)
        for at, (_, _, answers, _) in enumerate(nodes):
            for _, child in answers:
                parents[child] = at
        return parents

    def get_depth(self) -> int:
        """Largest number of questions on a path."""
        check_is_fitted(self)
        depth: list[int] = []
        for parent in self._parents():
            depth.append(0 if parent < 0 else depth[parent] + 1)
        return max(depth)

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return sum(field is None for field, *_ in self._model.nodes)

    @property
    def tree_(self) -> dict[str, typing.Any]:
        """The tree as JSON, as ``fewest learn`` writes it."""
        check_is_fitted(self)
        return typing.cast("dict[str, typing.Any]", json.loads(self._model.to_json()))

    @property
    def feature_importances_(self) -> Array:
        """Share of each column in the information of the tree; zeros for a single leaf."""
        check_is_fitted(self)
        nodes = self._model.nodes
        worth = [_bits(np.array(classes)) for *_, classes in nodes]
        importances = np.zeros(self.n_features_in_)
        for at, (field, _, answers, _) in enumerate(nodes):
            if field is not None:
                importances[field] += worth[at] - sum(worth[child] for _, child in answers)
        importances = np.maximum(importances, 0.0)
        total = importances.sum()
        return importances / total if total > 0 else importances

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")


def export_text(classifier: FewestClassifier) -> str:
    """The tree as lines of text, with the names of columns and classes and the significance of each question."""
    check_is_fitted(classifier)
    return plain(classifier._model.text(100, None, classifier._seed())).rstrip("\n")


def plot_tree(
    classifier: FewestClassifier, ax: typing.Any = None, *, title: str = "tree", full: bool = False
) -> typing.Any:
    """The tree as a picture in SVG; with ``ax``, the tree drawn on these axes of matplotlib."""
    check_is_fitted(classifier)
    if ax is None:
        return Picture(classifier._model.svg(title, full))
    return _on_axes(classifier, ax)


def _on_axes(classifier: FewestClassifier, ax: typing.Any) -> typing.Any:
    """Boxes joined by lines: leaves beside each other, each question above the middle of its answers."""
    nodes = classifier._model.nodes
    parents = classifier._parents()
    depth: list[int] = []
    for parent in parents:
        depth.append(0 if parent < 0 else depth[parent] + 1)
    place: dict[int, float] = {}
    leaves = 0
    waiting = [(0, False)]
    while waiting:
        at, is_done = waiting.pop()
        children = [child for _, child in nodes[at][2]]
        if not children:
            place[at], leaves = leaves, leaves + 1
        elif is_done:
            place[at] = sum(place[child] for child in children) / len(children)
        else:
            waiting.append((at, True))
            waiting.extend((child, False) for child in reversed(children))
    names = classifier._model.classes
    for at, (_, question, answers, classes) in enumerate(nodes):
        words = question or names[int(np.argmax(classes))]
        ax.text(place[at], -depth[at], words, ha="center", va="center", bbox={"boxstyle": "round", "fc": "white"})
        for answer, child in answers:
            ax.plot([place[at], place[child]], [-depth[at], -depth[child]], color="gray", zorder=0)
            middle = ((place[at] + place[child]) / 2, -(depth[at] + depth[child]) / 2)
            ax.text(*middle, answer, ha="center", va="center", fontsize="small", color="gray")
    ax.set_xlim(-0.5, max(leaves - 0.5, 0.5))
    ax.set_ylim(-max(depth) - 0.5, 0.5)
    ax.axis("off")
    return ax


def _plain(X: Array) -> Array:
    """Frames of pandas with types of its own, which the validation would turn into numbers, as frames of objects."""
    kinds = getattr(X, "dtypes", None)
    if kinds is None or not hasattr(X, "iloc") or all(isinstance(kind, np.dtype) for kind in kinds):
        return X
    return X.astype(object)


def _bits(classes: Array) -> float:
    """Weight times entropy in bits."""
    total = classes.sum()
    seen = classes[classes > 0]
    return float(total * np.log2(total) - (seen * np.log2(seen)).sum()) if total > 0 else 0.0


def _columns(X: Array, checked: Array, is_number: Array = None) -> list[typing.Any]:
    """Columns of numbers as arrays, those of words as lists of texts."""
    if hasattr(X, "columns") and hasattr(X, "__getitem__") and len(X.columns) == checked.shape[1]:
        columns = [_of_series(X.iloc[:, at] if hasattr(X, "iloc") else X[name]) for at, name in enumerate(X.columns)]
    elif checked.dtype.kind in "biuf":
        columns = [np.ascontiguousarray(checked[:, at], dtype=np.float64) for at in range(checked.shape[1])]
    else:
        columns = [_of_objects(checked[:, at].tolist()) for at in range(checked.shape[1])]
    if is_number is None:
        return columns
    return [
        _texts(column) if not wanted and isinstance(column, np.ndarray) else column
        for column, wanted in zip(columns, is_number)
    ]


def _of_series(series: typing.Any) -> typing.Any:
    kind = getattr(series.dtype, "kind", None)
    if kind in ("i", "u", "f"):
        if hasattr(series, "isna"):
            return series.astype("float64").to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(series, dtype=np.float64)
    if kind is None and getattr(series.dtype, "is_numeric", lambda: False)():
        return series.cast(float).to_numpy().astype(np.float64)
    listed = series.to_list() if hasattr(series, "to_list") else list(series)
    if kind == "b" or str(series.dtype) in ("category", "Categorical", "Enum", "Boolean", "boolean"):
        return [_word(cell) for cell in listed]
    return _of_objects(listed)


def _of_objects(cells: list[typing.Any]) -> typing.Any:
    """Numbers if all cells that hold a value are numbers, else words."""
    if all(_is_missing(cell) or (isinstance(cell, numbers.Real) and not isinstance(cell, bool)) for cell in cells):
        return np.array([np.nan if _is_missing(cell) else float(cell) for cell in cells], dtype=np.float64)
    return [_word(cell) for cell in cells]


def _texts(column: Array) -> list[str | None]:
    return [_word(cell) for cell in column.tolist()]


def _is_missing(cell: object) -> bool:
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or (isinstance(cell, float) and cell != cell)


def _word(cell: typing.Any) -> str | None:
    if _is_missing(cell):
        return None
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def _take(column: typing.Any, kept: typing.Any) -> typing.Any:
    if isinstance(kept, slice):
        return column
    return column[kept] if isinstance(column, np.ndarray) else [column[at] for at in kept]


def _field(name: str, column: typing.Any) -> tuple[str, str, bytes, list[str] | None]:
    if isinstance(column, np.ndarray):
        return (name, "f8", np.ascontiguousarray(column, dtype=np.float64).tobytes(), None)
    # In order of the words, so that the order of the rows does not matter.
    words = sorted({word for word in column if word is not None})
    number = {word: at for at, word in enumerate(words)}
    codes = np.fromiter((-1 if word is None else number[word] for word in column), dtype=np.int32, count=len(column))
    return (name, "codes", codes.tobytes(), words)


def _are_distinct(classes: Array) -> bool:
    names = [str(name) for name in classes.tolist()]
    return len(set(names)) == len(names)


def _numbered(classes: Array) -> list[str]:
    return [f"{name} ({number})" for number, name in enumerate(classes.tolist())]
