"""Ask the fewest, cheapest questions.

Given a table of objects and what each test would say of them, fewest finds the order of questions that identifies an
unknown object with the fewest, cheapest questions, proves how good that order is, and asks the questions.

>>> import fewest
>>> strategy = fewest.build({
...     "animal": ["bear", "cat", "hen", "carp"],
...     "milk": ["yes", "yes", "no", "no"],
...     "legs": [4, 4, 2, 0],
...     "group": ["mammal", "mammal", "bird", "fish"],
... })
>>> print(strategy)
legs?
├─ 0: fish  1 object, 25 %
├─ 2: bird  1 object, 25 %
└─ 4: mammal  2 objects, 50 %
"""

from __future__ import annotations

import typing

from fewest import _fewest, exceptions
from fewest._command import codes, generate
from fewest._display import Picture
from fewest._fewest import Canceller, __version__
from fewest._model import Model, Prediction, learn
from fewest._results import (
    Bound,
    Bounds,
    Code,
    Comparison,
    Front,
    Inspection,
    Node,
    Point,
    Result,
    Simulation,
    TestReport,
    Verdict,
)
from fewest._run import Progress
from fewest._session import Candidate, Given, GroupShare, Question, Session
from fewest._strategy import Strategy
from fewest._table import Table
from fewest.exceptions import (
    CheckFailed,
    FewestError,
    FewestWarning,
    Interrupted,
    ReadError,
    SessionError,
    TableError,
    UnknownName,
)

if typing.TYPE_CHECKING:
    import os

__all__ = [
    "Bound",
    "Bounds",
    "Canceller",
    "Candidate",
    "CheckFailed",
    "Code",
    "Comparison",
    "FewestError",
    "FewestWarning",
    "Front",
    "Given",
    "GroupShare",
    "Inspection",
    "Interrupted",
    "Model",
    "Node",
    "Picture",
    "Point",
    "Prediction",
    "Progress",
    "Question",
    "ReadError",
    "Result",
    "Session",
    "SessionError",
    "Simulation",
    "Strategy",
    "Table",
    "TableError",
    "TestReport",
    "UnknownName",
    "Verdict",
    "__version__",
    "algorithms",
    "bounds",
    "build",
    "check",
    "codes",
    "compare",
    "exceptions",
    "front",
    "generate",
    "inspect",
    "learn",
    "simulate",
]

_BUILD = (
    "objective",
    "lam",
    "algorithm",
    "time",
    "memory",
    "threads",
    "cap",
    "cost_blind",
    "proof",
    "progress",
    "on_interrupt",
    "canceller",
)
_SIMULATE = (
    "runs",
    "seed",
    "error",
    "unknown",
    "votes",
    "unaware",
    "errors",
    "noise",
    "until",
    "certainty",
    "left",
    "max_cost",
    "without",
    "first",
    "again",
    "rule",
    "lam",
    "cost_blind",
)


def _table(data: object, options: dict[str, typing.Any], own: tuple[str, ...]) -> tuple[Table, dict[str, typing.Any]]:
    """The table of ``data``, read with the options that are not a call's ``own``."""
    call = {name: options.pop(name) for name in own if name in options}
    if isinstance(data, Table):
        if options:
            raise TypeError(f"`{next(iter(options))}` is an option of reading; give it to `Table`")
        return data, call
    return Table(data, **options), call


def build(data: object, objective: str = "expected", **options: typing.Any) -> Strategy:
    """Build the best strategy for a table, or for data that `Table` takes.

    Options are those of `Table` and of `Table.build`.

    >>> build({"animal": ["cat", "hen"], "legs": [4, 2]}, time=1).cost
    1.0
    """
    table, call = _table(data, options, _BUILD)
    return table.build(typing.cast("typing.Any", objective), **call)


def bounds(data: object, lam: float = 2.0, **options: typing.Any) -> Bounds:
    """Every cost that no strategy can go below; see `Table.bounds`."""
    table, call = _table(data, options, ("threads",))
    return table.bounds(lam, **call)


def compare(data: object, objective: str = "expected", **options: typing.Any) -> Comparison:
    """Every algorithm side by side; see `Table.compare`."""
    table, call = _table(data, options, _BUILD)
    return table.compare(typing.cast("typing.Any", objective), **call)


def front(data: object, **options: typing.Any) -> Front:
    """The trade-off between expected and worst cost; see `Table.front`."""
    table, call = _table(data, options, ("time", "threads", "on_interrupt", "canceller"))
    return table.front(**call)


def inspect(data: object, **options: typing.Any) -> Inspection:
    """The information of each test, and problems of the table; see `Table.inspect`."""
    table, _ = _table(data, options, ())
    return table.inspect()


def simulate(data: object, strategy: Strategy | None = None, **options: typing.Any) -> Simulation:
    """Sessions in which objects of the table answer; see `Table.simulate`."""
    table, call = _table(data, options, _SIMULATE)
    return table.simulate(strategy, **call)


def check(
    data: object, strategy: Strategy | str | os.PathLike[str], *, tree_only: bool = False, **options: typing.Any
) -> Verdict:
    """Verify a strategy by an independent checker; see `Table.check`."""
    table, _ = _table(data, options, ())
    return table.check(strategy, tree_only=tree_only)


def algorithms() -> dict[str, str]:
    """Names of the algorithms, with a line about each.

    >>> algorithms()["optimal"]
    'search all trees, from the best of the other algorithms, until nothing better is left'
    """
    return dict(_fewest.algorithms())
