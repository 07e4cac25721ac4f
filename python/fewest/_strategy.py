"""Strategies: orders of questions, with what is known of their quality."""

from __future__ import annotations

import os
import typing
from collections.abc import Mapping

from fewest import _fewest
from fewest._display import STYLE, Picture, plain, short, table_html
from fewest._files import write
from fewest._results import Node, Result
from fewest._run import loads, number
from fewest.exceptions import TableError

if typing.TYPE_CHECKING:
    from typing_extensions import Self

    from fewest._results import Verdict
    from fewest._session import Session
    from fewest._table import Table

Format = typing.Literal["txt", "json", "csv", "md", "html", "svg", "dot", "key", "png", "pdf"]
"""Kinds of files that a strategy can be exported as."""

WIDTH = 100
LINES = 48


class Strategy:
    """An order of questions: what to ask first, and what after each answer.

    Strategies come from `Table.build` and `Strategy.load`, and never change. One that was loaded can identify, draw and
    export; `with_table` joins it with its table, so that it can also be checked and asked.

    >>> import fewest
    >>> strategy = fewest.build({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6]})
    >>> strategy
    <Strategy 1 question, proved best, 3 objects, 1 test>
    >>> print(strategy)
    legs?
    ├─ 2: hen  33 %
    ├─ 4: cat  33 %
    └─ 6: bee  33 %
    >>> strategy.cost, strategy.bound, strategy.gap
    (1.0, 1.0, 0.0)
    """

    __slots__ = ("__weakref__", "_native", "_read", "name")

    _native: _fewest.Strategy
    _read: dict[str, typing.Any] | None

    name: str
    """Name in messages and pictures: that of the table, or of the file."""

    def __init__(self) -> None:
        raise TypeError("a strategy comes from `table.build()` or `Strategy.load(path)`")

    @classmethod
    def _of(cls, native: _fewest.Strategy, name: str) -> Self:
        strategy = cls.__new__(cls)
        strategy._native, strategy.name, strategy._read = native, name, None
        return strategy

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a strategy that `save` or ``fewest build --output`` saved."""
        with open(path, "rb") as file:
            return cls._of(_fewest.Strategy.of_bytes(file.read()), os.path.basename(os.fspath(path)))

    @classmethod
    def from_json(cls, text: str | bytes, *, name: str = "strategy") -> Self:
        """The strategy that `to_json` wrote."""
        return cls._of(_fewest.Strategy.of_bytes(text.encode() if isinstance(text, str) else text), name)

    @property
    def _facts(self) -> dict[str, typing.Any]:
        if self._read is None:
            self._read = typing.cast("dict[str, typing.Any]", loads(self._native.facts))
        return self._read

    @property
    def objective(self) -> str:
        """Cost that was minimised: ``expected``, ``worst`` or ``exponential``."""
        return str(self._facts["objective"]["name"])

    @property
    def cost(self) -> float:
        """Expected cost: the mean number of questions where each costs 1."""
        return number(self._facts["cost"]["expected"])

    @property
    def worst(self) -> float:
        """Cost of the longest path."""
        return number(self._facts["cost"]["worst"])

    @property
    def exponential(self) -> float:
        """Exponential cost, in which long paths weigh more."""
        return number(self._facts["cost"]["exponential"]["value"])

    @property
    def bound(self) -> float:
        """Cost, by the objective, that no strategy can go below."""
        return number(self._facts["lower_bound"]["value"])

    @property
    def bound_by(self) -> str:
        """Name of the bound."""
        return str(self._facts["lower_bound"]["by"])

    @property
    def gap(self) -> float:
        """How far the cost may be above the best possible: 0.05 is 5 %."""
        gap = self._facts["gap"]
        return float("nan") if gap is None else number(gap)

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no strategy is better."""
        return bool(self._facts["optimal"])

    @property
    def stop(self) -> str | None:
        """Why the build ended: ``proved``, ``complete``, ``time``, ``nodes`` or ``interrupted``."""
        stop = self._facts["stop"]
        return None if stop is None else str(stop)

    @property
    def algorithm(self) -> str:
        """Algorithm that found the strategy."""
        return str(self._facts["algorithm"])

    @property
    def elapsed(self) -> float | None:
        """Seconds that the build took; none for a strategy that was loaded."""
        elapsed = self._facts.get("elapsed")
        return None if elapsed is None else float(elapsed)

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return int(self._facts["leaves"])

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Questions and leaves, parents before children, the root first."""
        return tuple(
            Node(test, question, cost, share, tuple(answers), tuple(groups), tuple(objects))
            for test, question, cost, share, answers, groups, objects in self._native.nodes
        )

    @property
    def table(self) -> Table | None:
        """The table, if it is known."""
        from fewest._table import Table

        native = self._native.table
        return None if native is None else Table._of(native)

    def with_table(self, table: Table) -> Self:
        """The same strategy joined with its table; every name, cost and weight is compared.

        Raises:
            TableError: If they do not fit each other.
        """
        return type(self)._of(self._native.with_table(table._native), self.name)

    def _joined(self, table: Table) -> _fewest.Strategy:
        """The strategy in numbers of ``table``."""
        own = self.table
        if own is not None and own == table:
            return self._native
        return self._native.with_table(table._native)

    def identify(self, answers: Mapping[str, typing.Any]) -> Result:
        """Follow answers through the tree, as far as they go.

        Args:
            answers: Answer by name of test. A test that is not there, or is ``None``, ends the walk.

        Raises:
            UnknownName: If an answer does not exist.

        >>> import fewest
        >>> strategy = fewest.build({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6]})
        >>> strategy.identify({"legs": 4}).object
        'cat'
        """
        if not isinstance(answers, Mapping):
            raise TypeError(f"answers: give a dict of answers by test, not a {type(answers).__name__}")
        texts = {str(test): None if answer is None else answer_text(answer) for test, answer in answers.items()}
        groups, objects, share, question, asked, cost = self._native.follow(texts)
        return Result(tuple(groups), tuple(objects), share, question, tuple(asked), cost)

    def session(self, **rules: typing.Any) -> Session:
        """A session that follows this strategy; see `Session`."""
        from fewest._session import Session

        return Session(self, **rules)

    def check(self, table: Table | None = None, *, tree_only: bool = False) -> Verdict:
        """Verify the strategy by an independent checker; see `Table.check`."""
        table = self.table if table is None else table
        if table is None:
            raise TableError("the strategy has no table; give it: `strategy.check(table)`")
        return table.check(self, tree_only=tree_only)

    def robustness(self) -> list[dict[str, float]]:
        """Upper bounds on the expected cost if the true prior is some distance from the assumed one."""
        shifts = loads(self._native.robustness())["robustness"]
        return [{name: number(value) for name, value in shift.items()} for shift in shifts]

    def to_json(self) -> str:
        """The strategy as JSON, like the file of ``fewest build --output``."""
        return self._native.to_json(True).decode()

    def to_dict(self) -> dict[str, typing.Any]:
        """The same as the JSON of ``fewest build --json``."""
        return typing.cast("dict[str, typing.Any]", loads(self._native.to_json(False)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the strategy as JSON, for `load`, ``fewest check`` and ``fewest ask``."""
        write(path, self._native.to_json(True))

    def export(self, kind: Format, path: str | os.PathLike[str] | None = None, *, full: bool = False) -> bytes:
        """The strategy as a file of another kind, the same as ``fewest show`` writes.

        Args:
            kind: ``"txt"`` (or ``"key"``), ``"json"``, ``"csv"`` with a row for each leaf, ``"md"``, ``"html"``,
                ``"dot"``, ``"svg"``, and ``"png"`` and ``"pdf"`` where the package was built with them.
            path: File to write; by default none.
            full: Draw all of a large tree.

        Returns:
            Contents of the file.
        """
        from fewest._command import show

        content = show(self, "txt" if kind == "key" else kind, full)
        if path is not None:
            write(path, content)
        return content

    def plot(self, *, full: bool = False) -> Picture:
        """The tree as a picture, the same as the command line draws."""
        return Picture(self.export("svg", full=full).decode())

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return _read_again, (self._native.to_json(True), self.name, self.table)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: typing.Any) -> Self:
        return self

    def __eq__(self, other: typing.Any) -> bool:
        if not isinstance(other, Strategy):
            return NotImplemented
        return self._facts["cost"] == other._facts["cost"] and self.nodes == other.nodes

    def __hash__(self) -> int:
        return hash((self.cost, self.worst, self.leaves))

    def __str__(self) -> str:
        return plain(self._native.text(WIDTH, None)).rstrip("\n")

    def __repr__(self) -> str:
        facts = self._facts
        size = facts["instance"]
        amount = {"expected": self.cost, "worst": self.worst}.get(self.objective, self.exponential)
        unit = all(node.cost in (0.0, 1.0) for node in self.nodes)
        text = f"{amount:.2f}".rstrip("0").rstrip(".")
        words = f"{text} question{'' if text == '1' else 's'}" if unit else f"cost {text}"
        words += {"worst": " at worst", "exponential": " (exponential)"}.get(self.objective, "")
        proved = "proved best" if self.optimal else f"at least {self.bound:.2f} for any"
        tests = f"{size['tests']} test{'' if size['tests'] == 1 else 's'}"
        return f"<Strategy {words}, {proved}, {size['rows']} objects, {tests}>"

    def _repr_svg_(self) -> str:
        return str(self.plot())

    def _repr_html_(self) -> str:
        rows = [
            ("cost on average", short(self.cost)),
            ("cost at worst", short(self.worst)),
            (f"no strategy below ({self.objective})", short(self.bound)),
            ("proved best", "yes" if self.optimal else "no"),
            ("found by", self.algorithm),
        ]
        return f'<div class="fewest">{STYLE}{table_html(rows)}{self.plot()}</div>'

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_(), "image/svg+xml": self._repr_svg_()}


def answer_text(answer: object) -> str:
    """An answer as tables hold it: ``True`` is ``true``, ``4.0`` is ``4``."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bool) or type(answer).__name__ in ("bool_", "bool"):
        return "true" if answer else "false"
    try:
        value = float(typing.cast("typing.SupportsFloat", answer))
    except (TypeError, ValueError):
        return str(answer)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _read_again(data: bytes, name: str, table: Table | None) -> Strategy:
    strategy = Strategy.from_json(data, name=name)
    return strategy if table is None else strategy.with_table(table)
