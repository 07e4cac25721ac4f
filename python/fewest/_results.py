"""Results: frozen dataclasses with the names of the command line's JSON."""

from __future__ import annotations

import typing
from dataclasses import dataclass, field

from fewest._display import Picture
from fewest._run import number

Document = dict[str, typing.Any]


@dataclass(frozen=True)
class Bound:
    """A cost that no strategy can go below.

    >>> import fewest
    >>> best = fewest.Table({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6]}).bounds().best
    >>> best["expected"].value
    1.0
    """

    name: str
    """Name of the bound."""
    objective: str
    """Cost that it bounds: ``expected``, ``worst`` or ``exponential``."""
    value: float
    """The cost."""
    reason: str = ""
    """Why no strategy is below it."""


@dataclass(frozen=True)
class Bounds:
    """Every bound on the strategies for a table."""

    bounds: tuple[Bound, ...]
    """All bounds."""
    best: dict[str, Bound]
    """The highest bound of each objective."""
    entropy_bits: dict[str, float]
    """Entropy of the objects and of the groups, in bits."""
    document: Document = field(repr=False)

    def to_dict(self) -> Document:
        """The same as the command line's JSON."""
        return self.document

    @classmethod
    def _of(cls, document: Document) -> Bounds:
        bounds = tuple(
            Bound(entry["name"], entry["objective"], number(entry["value"]), entry["reason"])
            for entry in document["bounds"]
        )
        reasons = {(bound.name, bound.objective): bound.reason for bound in bounds}
        best = {
            kind: Bound(entry["by"], kind, number(entry["value"]), reasons.get((entry["by"], kind), ""))
            for kind, entry in document["best"].items()
        }
        bits = {name: number(value) for name, value in document["entropy_bits"].items()}
        return cls(bounds, best, bits, document)


@dataclass(frozen=True)
class Row:
    """One algorithm of a comparison."""

    algorithm: str
    expected: float
    worst: float
    exponential: float
    leaves: int
    depth: int
    elapsed: float
    """Seconds."""


@dataclass(frozen=True)
class Comparison:
    """Every algorithm side by side.

    >>> import fewest
    >>> comparison = fewest.Table({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6]}).compare()
    >>> {row.expected for row in comparison.rows}
    {1.0}
    """

    rows: tuple[Row, ...]
    bounds: dict[str, Bound]
    document: Document = field(repr=False)
    picture: Picture = field(repr=False)

    def to_dict(self) -> Document:
        """The same as the command line's JSON."""
        return self.document

    def plot(self) -> Picture:
        """Bars of the costs, and the bound."""
        return self.picture

    def _repr_svg_(self) -> str:
        return str(self.picture)

    @classmethod
    def _of(cls, document: Document, svg: str) -> Comparison:
        rows = tuple(
            Row(
                row["algorithm"],
                number(row["cost"]["expected"]),
                number(row["cost"]["worst"]),
                number(row["cost"]["exponential"]["value"]),
                row["leaves"],
                row["depth"],
                number(row["elapsed_ms"]) / 1000,
            )
            for row in document["rows"]
        )
        bounds = {kind: Bound(entry["by"], kind, number(entry["value"])) for kind, entry in document["bounds"].items()}
        return cls(rows, bounds, document, Picture(svg))


@dataclass(frozen=True)
class Point:
    """A strategy that no other beats in both costs."""

    expected: float
    worst: float
    by: str
    """Algorithm that found it."""
    bound: float
    """Cost on average that no strategy of this worst cost can go below."""
    proved: bool
    """Whether the strategy meets that bound."""


@dataclass(frozen=True)
class Front:
    """The trade-off between expected and worst cost, by rising worst cost."""

    points: tuple[Point, ...]
    stop: str
    """Why the search stopped: ``complete``, ``proved``, ``time`` or ``interrupted``."""
    document: Document = field(repr=False)
    picture: Picture = field(repr=False)

    def to_dict(self) -> Document:
        """The same as the command line's JSON."""
        return self.document

    def plot(self) -> Picture:
        """The front as a picture, the same as the command line draws."""
        return self.picture

    def _repr_svg_(self) -> str:
        return str(self.picture)

    @classmethod
    def _of(cls, document: Document, svg: str) -> Front:
        points = tuple(
            Point(
                number(point["expected"]),
                number(point["worst"]),
                point["by"],
                number(point["bound"]),
                point["proved"],
            )
            for point in document["points"]
        )
        return cls(points, document["stop"], document, Picture(svg))


@dataclass(frozen=True)
class TestReport:
    """What a test says."""

    name: str
    answers: int
    """Number of answers that occur."""
    gaps: int
    """Objects without an answer."""
    cost: float
    entropy_bits: float
    information_bits: float
    """Information about the group or object to identify, in bits."""
    p_value: float | None
    """Probability that chance alone relates answers and groups as much; none where objects are identified."""

    # Not a test of pytest, whatever its name.
    __test__ = False


@dataclass(frozen=True)
class Inspection:
    """What each test says, and which objects cannot be told apart."""

    tests: tuple[TestReport, ...]
    inseparable: tuple[tuple[str, ...], ...]
    """Sets of objects that no test tells apart although they differ in what is identified."""
    useless: tuple[str, ...]
    """Tests with one answer only."""
    redundant: tuple[tuple[str, ...], ...]
    """Sets of tests that split the objects in the same way."""
    entropy_bits: dict[str, float]
    document: Document = field(repr=False)
    picture: Picture = field(repr=False)

    def to_dict(self) -> Document:
        """The same as the command line's JSON."""
        return self.document

    def plot(self) -> Picture:
        """Bars of the information in each test."""
        return self.picture

    def _repr_svg_(self) -> str:
        return str(self.picture)

    @classmethod
    def _of(cls, document: Document, svg: str) -> Inspection:
        tests = tuple(
            TestReport(
                test["name"],
                test["answers"],
                test.get("gaps", 0),
                number(test["cost"]),
                number(test["entropy_bits"]),
                number(test["information_bits"]),
                None if test["p_value"] is None else number(test["p_value"]),
            )
            for test in document["tests"]
        )
        return cls(
            tests,
            tuple(tuple(names) for names in document["inseparable"]),
            tuple(document["useless"]),
            tuple(tuple(names) for names in document["redundant"]),
            {name: number(value) for name, value in document["entropy_bits"].items()},
            document,
            Picture(svg),
        )


@dataclass(frozen=True)
class Simulation:
    """Sessions in which objects of the table answered."""

    runs: int
    exact: bool
    """Whether every object answered once and nothing was left to chance."""
    accuracy: float
    """Share of the sessions that found the right object or group."""
    questions: float
    """Mean number of questions."""
    cost: float
    """Mean cost."""
    quantiles: dict[str, float]
    """Costs that 50 %, 90 %, 99 % and all of the sessions do not exceed."""
    document: Document = field(repr=False)

    def to_dict(self) -> Document:
        """The same as the command line's JSON."""
        return self.document

    @classmethod
    def _of(cls, document: Document) -> Simulation:
        cost = document["cost"]
        return cls(
            document["runs"],
            document["exact"],
            number(document["accuracy"]),
            number(document["questions"]),
            number(cost["mean"]),
            {name: number(cost[name]) for name in ("p50", "p90", "p99", "max")},
            document,
        )


@dataclass(frozen=True)
class Result:
    """Where answers lead in a strategy.

    >>> import fewest
    >>> strategy = fewest.build({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6]})
    >>> strategy.identify({"legs": 6}).object
    'bee'
    >>> strategy.identify({}).question
    'legs'
    """

    groups: tuple[str, ...]
    """Groups that are possible."""
    objects: tuple[str, ...]
    """Objects that are possible."""
    probability: float
    """Probability of coming here."""
    question: str | None
    """Test that has no answer yet; none at the end."""
    asked: tuple[tuple[str, str], ...]
    """Tests on the way, with their answers."""
    cost: float
    """Cost of these tests."""

    @property
    def group(self) -> str | None:
        """The group, if only one is possible."""
        return self.groups[0] if len(self.groups) == 1 else None

    @property
    def object(self) -> str | None:
        """The object, if only one is possible."""
        return self.objects[0] if len(self.objects) == 1 else None


@dataclass(frozen=True)
class Node:
    """A question or a leaf of a strategy."""

    test: str | None
    """Test that is asked; none at a leaf."""
    question: str | None
    """Its text, if the table has one."""
    cost: float
    probability: float
    answers: tuple[tuple[str, int], ...]
    """Answers, each with the position of its node."""
    groups: tuple[str, ...]
    objects: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What a check has verified, field by field; see ``docs/verified.md``."""

    document: Document

    def to_dict(self) -> Document:
        """The same as the command line's JSON."""
        return self.document


@dataclass(frozen=True)
class Code:
    """A prefix code of the weights of a distribution."""

    document: Document = field(repr=False)

    def to_dict(self) -> Document:
        """The same as the command line's JSON."""
        return self.document
