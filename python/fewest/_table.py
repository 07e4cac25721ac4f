"""Tables of objects and what each test would say of them."""

from __future__ import annotations

import logging
import os
import typing
import warnings
from collections.abc import Iterable, Mapping

from fewest import _fewest, _frame
from fewest._display import STYLE, short, table_html
from fewest._options import Bundles, Costs, cost_options, goal_options, size_words, tolerances
from fewest._results import Bounds, Comparison, Front, Inspection, Simulation, Verdict
from fewest._run import Observer, OnInterrupt, check_on_interrupt, finish, loads, logger, run_options
from fewest._strategy import Strategy
from fewest.exceptions import FewestError, FewestWarning

if typing.TYPE_CHECKING:
    from typing_extensions import Self

Objective = typing.Literal["expected", "worst", "exponential"]
"""Cost that is minimised."""


class Table:
    """A table: one row for each object, one column for each test.

    The first column, or the index of a pandas frame, names the objects; a column ``group`` says what is to be
    identified, a column ``prior`` how likely each object is. Tables are read by the same rules as on the command line,
    so the same data lead to the same strategy. A table never changes.

    Args:
        data: A path, bytes or an open file; a data frame of pandas, polars, pyarrow or DuckDB; a dict of columns, a
            list of dicts, a list of rows of which the first is the header, or a matrix of numpy.
        object: Column that names the objects; by default the first.
        group: Column of groups; by default ``group`` if there is one. ``"none"``: no column.
        prior: Column of weights; by default ``prior`` if there is one. ``"none"``: no column.
        costs: Cost of each test, or of each of its answers; others cost 1.
        bundles: Tests that share a set-up, which is paid once on a path.
        questions: Text of the question for each test.
        ignore: Columns to leave out.
        tests: The only columns to use as tests; for a matrix, the names of its columns.
        identify: ``"groups"`` or ``"objects"``; by default groups if there are any.
        missing: What an empty cell means: ``"auto"``, ``"error"``, ``"answer"`` or ``"any"``.
        na: Words for a missing cell; by default ``NA``, ``n/a``, ``nan``, ``null`` and ``unknown``.
        several: Mark between several answers in a cell, such as ``"|"``.
        numeric: How columns of measured numbers are asked: ``"auto"``, ``"exact"``, ``"thresholds"``, ``"measure"`` or
            ``"bins:4"``.
        tolerance: Distance within which measured values may be confused: ``0.2``, ``"5%"`` or one for each column.
        inseparable: ``"join"`` keeps objects that no test tells apart together, ``"refuse"`` is an error.
        confirm: As in games, an object is identified only once the test with its name was asked.
        transpose: The data have one row for each test.
        verbatim: Take every text as it stands.
        objects: Names of the objects, if no column has them.
        groups: Group of each object, if no column has them.
        priors: Weight of each object, if no column has them.
        name: Name of the table in messages and pictures.

    Raises:
        TableError: If the data are no table, with the row and the column.
        UnknownName: If an option names something that does not exist.

    >>> import fewest
    >>> table = fewest.Table({
    ...     "animal": ["bear", "cat", "hen", "carp"],
    ...     "milk": ["yes", "yes", "no", "no"],
    ...     "legs": [4, 4, 2, 0],
    ...     "group": ["mammal", "mammal", "bird", "fish"],
    ... })
    >>> table
    <Table 4 objects (3 different), 2 tests, 3 groups>
    >>> table.tests
    ('milk', 'legs')
    >>> table.build()
    <Strategy 1 question, proved best, 4 objects, 2 tests>
    """

    __slots__ = ("__weakref__", "_native", "_notes", "_warnings")

    _native: _fewest.Table
    _notes: tuple[str, ...]
    _warnings: tuple[str, ...]

    def __init__(
        self,
        data: object,
        *,
        object: str | None = None,
        group: str | None = None,
        prior: str | None = None,
        costs: Costs | None = None,
        bundles: Bundles | None = None,
        questions: Mapping[str, str] | None = None,
        ignore: str | Iterable[str] = (),
        tests: Iterable[str] | None = None,
        identify: typing.Literal["groups", "objects"] | None = None,
        missing: typing.Literal["auto", "error", "answer", "any"] = "auto",
        na: Iterable[str] | None = None,
        several: str | None = None,
        numeric: str = "auto",
        tolerance: float | str | Mapping[str, float | str] | None = None,
        inseparable: typing.Literal["join", "refuse"] = "join",
        confirm: bool = False,
        transpose: bool = False,
        verbatim: bool = False,
        objects: Iterable[typing.Any] | None = None,
        groups: Iterable[typing.Any] | None = None,
        priors: Iterable[typing.Any] | None = None,
        name: str | None = None,
    ) -> None:
        tests = None if tests is None else [tests] if isinstance(tests, str) else [*tests]
        matrix = _frame.is_array(data) and not typing.cast("typing.Any", data).dtype.names
        options: dict[str, typing.Any] = {
            "object": object,
            "transpose": bool(transpose),
            "group": group,
            "prior": prior,
            "ignore": [ignore] if isinstance(ignore, str) else [*ignore],
            "tests": None if matrix else tests,
            "questions": [] if questions is None else [(str(test), str(text)) for test, text in questions.items()],
            "identify": identify,
            "missing": missing,
            "na": None if na is None else [na] if isinstance(na, str) else [*na],
            "verbatim": bool(verbatim),
            "tolerance": tolerances(tolerance),
            "several": several,
            "numeric": numeric,
            "inseparable": inseparable,
            "confirm": bool(confirm),
            **cost_options(costs, bundles),
        }
        source = _frame.source(data, objects=objects, groups=groups, priors=priors, names=tests if matrix else None)
        readers: dict[str, typing.Callable[[typing.Any, str, typing.Any], _fewest.Table]] = {
            "path": _fewest.Table.of_path,
            "bytes": _fewest.Table.of_bytes,
            "arrow": _fewest.Table.of_arrow,
            "columns": _fewest.Table.of_columns,
        }
        self._take(readers[source.form](source.data, source.name if name is None else name, options))
        for text in self._warnings:
            warnings.warn(text, FewestWarning, stacklevel=2)
        for text in self._notes:
            logger.info("%s", text)

    def _take(self, native: _fewest.Table) -> None:
        self._native = native
        found = native.warnings
        self._warnings = tuple(text for is_note, text in found if not is_note)
        self._notes = tuple(text for is_note, text in found if is_note)

    @classmethod
    def _of(cls, native: _fewest.Table) -> Self:
        table = cls.__new__(cls)
        table._take(native)
        return table

    @classmethod
    def read(cls, source: str | os.PathLike[str] | bytes | typing.IO[typing.Any], **options: typing.Any) -> Self:
        """Read a file of CSV, TSV or Parquet, with the options of `Table`.

        >>> import fewest
        >>> fewest.Table.read(b"animal,legs\\nbear,4\\nhen,2\\n").objects
        ('bear', 'hen')
        """
        return cls(source, **options)

    @classmethod
    def from_frame(cls, frame: object, **options: typing.Any) -> Self:
        """Make a table of a data frame, with the options of `Table`."""
        return cls(frame, **options)

    @property
    def name(self) -> str:
        """Name of the table in messages and pictures."""
        return self._native.name

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a user should know; each was also warned about once."""
        return self._warnings

    @property
    def notes(self) -> tuple[str, ...]:
        """How the table was read, where it was not as plain as could be."""
        return self._notes

    @property
    def objects(self) -> tuple[str, ...]:
        """Names of the objects."""
        return tuple(self._native.objects)

    @property
    def tests(self) -> tuple[str, ...]:
        """Names of the tests; a measured column may have become several."""
        return tuple(self._native.tests)

    @property
    def groups(self) -> dict[str, float]:
        """Probability of each group; ``"a or b"`` where no test tells two of them apart."""
        return {" or ".join(names): prior for names, prior in self._native.groups}

    @property
    def priors(self) -> dict[str, float]:
        """Probability of each object; ``"a or b"`` where no test tells two of them apart."""
        return {" or ".join(names): prior for names, prior in self._native.priors}

    @property
    def costs(self) -> dict[str, float]:
        """Cost of each test where it is asked first."""
        return dict(zip(self._native.tests, self._native.costs))

    @property
    def answers(self) -> dict[str, tuple[str, ...]]:
        """Answers to each test."""
        return {test: tuple(answers) for test, _, answers in self._native.answers}

    @property
    def questions(self) -> dict[str, str]:
        """Text of the question for each test."""
        return {test: text or f"{test}?" for test, text, _ in self._native.answers}

    @property
    def identify(self) -> str:
        """What is identified: ``groups`` or ``objects``."""
        return str(self._size["identify"])

    @property
    def _size(self) -> dict[str, typing.Any]:
        return typing.cast("dict[str, typing.Any]", loads(self._native.size))

    def build(
        self,
        objective: Objective = "expected",
        *,
        lam: float = 2.0,
        algorithm: str | None = None,
        time: float | None = 5.0,
        memory: int | None = None,
        threads: int | None = None,
        cap: float | typing.Literal["best"] | None = None,
        cost_blind: bool = False,
        proof: bool = False,
        progress: Observer = None,
        on_interrupt: OnInterrupt = "return",
        canceller: _fewest.Canceller | None = None,
    ) -> Strategy:
        """Build the best strategy that can be found in the time, with a bound on every better one.

        Args:
            objective: Cost to minimise: ``"expected"``, ``"worst"`` or ``"exponential"``.
            lam: How strongly exponential cost punishes long paths, from 1 (expected) to infinity (worst).
            algorithm: Name of one algorithm of `fewest.algorithms`; by default all are tried, then the best is sought.
            time: Seconds for the search; ``None``: until the best strategy is proved, which may take for ever.
            memory: Bytes for the search.
            threads: Number of threads; by default one for each processor.
            cap: Only strategies whose worst cost is at most this; ``"best"``: as low as it can be.
            cost_blind: Do not divide scores by costs.
            proof: Record a proof of the bound, which ``strategy.save`` writes and `Table.check` verifies.
            progress: ``True`` for a line of progress, or a callable that takes a `Progress`.
            on_interrupt: What Ctrl-C does: ``"return"`` the best so far with a warning, or ``"raise"`` `Interrupted`.
            canceller: A `Canceller` by which another thread can end the search.

        >>> import fewest
        >>> table = fewest.Table({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6], "fur": [1, 0, 0]})
        >>> strategy = table.build("worst")
        >>> strategy.worst, strategy.optimal
        (1.0, True)
        """
        check_on_interrupt(on_interrupt)
        goal = goal_options(objective, lam, algorithm, cost_blind, cap, proof, time, memory)
        options = run_options(threads=threads, progress=progress, canceller=canceller)
        native, stopped_by = _fewest.build(self._native, goal, options)
        strategy = Strategy._of(native, self.name)
        if logger.isEnabledFor(logging.INFO):
            logger.info("built %r from %s in %.3f s", strategy, self.name, strategy.elapsed or 0.0)
        if not strategy._facts["is_within_cap"] and stopped_by is None:
            none = "there is no strategy" if strategy.stop == "proved" else "no strategy was found"
            least = short(strategy.worst)
            raise FewestError(f"{none} whose worst cost is at most {cap}; the least found is {least}; try a higher cap")
        return finish(strategy, stopped_by, on_interrupt, "the build")

    def bounds(self, lam: float = 2.0, *, threads: int | None = None) -> Bounds:
        """Every cost that no strategy can go below, by name, with the reason why it holds.

        >>> import fewest
        >>> fewest.Table({"animal": ["cat", "hen"], "legs": [4, 2]}).bounds().best["worst"].value
        1.0
        """
        text, stopped_by = self._native.bounds(lam, run_options(threads=threads))
        return finish(Bounds._of(loads(text)), stopped_by, "return", "the bounds")

    def compare(
        self,
        objective: Objective = "expected",
        *,
        lam: float = 2.0,
        time: float | None = 5.0,
        memory: int | None = None,
        threads: int | None = None,
        cost_blind: bool = False,
        progress: Observer = None,
        on_interrupt: OnInterrupt = "return",
        canceller: _fewest.Canceller | None = None,
    ) -> Comparison:
        """Every algorithm side by side, and the best that the search found from them."""
        check_on_interrupt(on_interrupt)
        goal = goal_options(objective, lam, None, cost_blind, None, False, time, memory)
        options = run_options(threads=threads, progress=progress, canceller=canceller)
        (text, picture), stopped_by = self._native.compare(goal, options)
        return finish(Comparison._of(loads(text), picture), stopped_by, on_interrupt, "the comparison")

    def front(
        self,
        *,
        time: float | None = 5.0,
        threads: int | None = None,
        on_interrupt: OnInterrupt = "return",
        canceller: _fewest.Canceller | None = None,
    ) -> Front:
        """The trade-off between expected and worst cost.

        >>> import fewest
        >>> front = fewest.Table({"animal": ["cat", "hen"], "legs": [4, 2]}).front()
        >>> [(point.expected, point.worst) for point in front.points]
        [(1.0, 1.0)]
        """
        check_on_interrupt(on_interrupt)
        options = run_options(threads=threads, canceller=canceller)
        (text, picture), stopped_by = self._native.front(time, options)
        return finish(Front._of(loads(text), picture), stopped_by, on_interrupt, "the front")

    def inspect(self) -> Inspection:
        """The information of each test, useless and redundant tests, and objects that cannot be told apart."""
        text, picture = self._native.inspect()
        return Inspection._of(loads(text), picture)

    def simulate(
        self,
        strategy: Strategy | None = None,
        *,
        runs: int | None = None,
        seed: int = 0,
        error: float = 0.0,
        unknown: float = 0.0,
        votes: int = 1,
        unaware: bool = False,
        threads: int | None = None,
        **rules: typing.Any,
    ) -> Simulation:
        """Play sessions in which objects of the table answer.

        Args:
            strategy: Strategy to follow; by default the one that `build` finds, or, where answers may be wrong, a rule
                that chooses question by question.
            runs: Number of sessions; by default every object once if nothing is left to chance, else 1000.
            seed: Seed of chance.
            error: Probability that an answer is wrong.
            unknown: Probability that a question is not answered.
            votes: How often each question is asked; the most frequent answer counts.
            unaware: Sessions trust every answer nevertheless.
            threads: Number of threads.
            rules: Further rules of a `Session`, such as ``certainty=0.9``.

        >>> import fewest
        >>> fewest.Table({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6]}).simulate().cost
        1.0
        """
        from fewest._session import rule_options

        if error:
            rules["noise"] = error
        native_rules = rule_options(**rules)
        if strategy is None and not error and rules.get("errors") is None and rules.get("rule") is None:
            strategy = self.build(threads=threads)
        play = {"runs": runs, "seed": seed, "unknown": unknown, "votes": votes, "unaware": unaware}
        native = None if strategy is None else strategy._joined(self)
        text, stopped_by = _fewest.simulate(self._native, native, native_rules, play, run_options(threads=threads))
        return finish(Simulation._of(loads(text)), stopped_by, "return", "the simulation")

    def check(self, strategy: Strategy | str | os.PathLike[str], *, tree_only: bool = False) -> Verdict:
        """Verify a strategy against this table by an independent checker, its bound by the proof that it holds.

        Args:
            strategy: The strategy, or the path of a saved one.
            tree_only: Verify tree and costs only, not the bound.

        Raises:
            CheckFailed: If the strategy is not what it claims to be.

        >>> import fewest
        >>> table = fewest.Table({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6]})
        >>> table.check(table.build(proof=True)).to_dict()["verified"]
        True
        """
        from fewest._command import check

        if not isinstance(strategy, Strategy):
            strategy = Strategy.load(strategy)
        return check(self, strategy, tree_only)

    def to_csv(self) -> bytes:
        """The table as CSV, as it was read.

        >>> import fewest
        >>> fewest.Table([["animal", "legs"], ["bear", 4]]).to_csv()
        b'animal,legs\\nbear,4\\n'
        """
        return self._native.to_csv()

    def __len__(self) -> int:
        return int(self._size["rows"])

    def __eq__(self, other: typing.Any) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._native.digest == other._native.digest

    def __hash__(self) -> int:
        return hash(self._native.digest)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: typing.Any) -> Self:
        return self

    def __sizeof__(self) -> int:
        return super().__sizeof__() + self._native.size_in_bytes

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return _read_again, (self.to_csv(), self.name, self._again())

    def _again(self) -> dict[str, typing.Any]:
        """Options with which `to_csv` reads as this table."""
        reading = loads(self._native.reading)
        return {
            "object": self._native.object_column,
            "group": reading.get("group"),
            "prior": reading.get("prior"),
            "ignore": reading.get("ignore", ()),
            "tests": reading.get("tests"),
            "identify": reading.get("identify"),
            "missing": reading.get("missing", "auto"),
            "na": reading.get("na"),
            "several": reading.get("several"),
            "numeric": reading.get("numeric", "auto"),
            "tolerance": reading.get("tolerance") or None,
            "confirm": reading.get("confirm", False),
            "verbatim": reading.get("verbatim", False),
            "costs": _saved_costs(reading),
            "bundles": {
                name: (float(bundle["setup"]), bundle["tests"]) for name, bundle in reading.get("bundles", {}).items()
            },
        }

    def _repr_html_(self) -> str:
        size = self._size
        rows = [("objects", str(size["rows"])), ("tests", str(size["tests"]))]
        if size["identify"] == "groups":
            rows.append(("groups", str(size["groups"])))
        rows.append(("entropy", f"{short(float(size['entropy_bits']))} bits"))
        return f'<div class="fewest">{STYLE}{table_html(rows)}</div>'

    def __repr__(self) -> str:
        return f"<Table {size_words(self._size)}>"


def _saved_costs(reading: dict[str, typing.Any]) -> dict[str, typing.Any]:
    costs: dict[str, typing.Any] = {test: float(cost) for test, cost in (reading.get("costs") or {}).items()}
    for test, by_answer in reading.get("answer_costs", {}).items():
        costs[test] = {answer: float(cost) for answer, cost in by_answer.items()}
    return costs


def _read_again(data: bytes, name: str, options: dict[str, typing.Any]) -> Table:
    """A table from the bytes of its `to_csv`, without warning again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewestWarning)
        return Table(data, name=name, **options)
