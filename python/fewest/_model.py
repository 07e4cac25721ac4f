"""Learned trees: questions about the columns of labelled rows, which predict a class."""

from __future__ import annotations

import json
import os
import typing

from fewest import _fewest
from fewest._command import data_file, flags, run
from fewest._display import STYLE, Picture, plain, short, table_html
from fewest._files import folder, write
from fewest._run import number

if typing.TYPE_CHECKING:
    from typing_extensions import Self

ROW = "number of the row"


class Prediction(typing.NamedTuple):
    """What a model predicts for a row."""

    value: str
    """The likeliest class."""
    probabilities: dict[str, float]
    """Probability of each class."""


class Model:
    """A tree that predicts a column, with its statistics; `learn` makes one.

    >>> import fewest
    >>> weather = {"wind": ["weak", "strong"] * 20, "heat": [20, 25, 30, 35] * 10, "play": ["yes", "no"] * 20}
    >>> model = fewest.learn(weather, "play")
    >>> model
    <Model of play: 2 leaves, 40 rows>
    >>> [prediction.value for prediction in model.predict({"wind": ["weak", "strong"]})]
    ['yes', 'no']
    """

    __slots__ = ("__weakref__", "_document", "_native", "name")

    _native: _fewest.Model
    _document: dict[str, typing.Any]

    name: str
    """Name in pictures: that of the data, or of the file."""

    def __init__(self) -> None:
        raise TypeError("a model comes from `fewest.learn(data, target)` or `Model.load(path)`")

    @classmethod
    def _of(cls, native: _fewest.Model, name: str) -> Self:
        model = cls.__new__(cls)
        model._native, model.name = native, name
        model._document = typing.cast("dict[str, typing.Any]", json.loads(native.to_json()))
        return model

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a model that `save` or ``fewest learn --output`` saved."""
        with open(path, "rb") as file:
            return cls._of(_fewest.Model.of_bytes(file.read()), os.path.basename(os.fspath(path)))

    @property
    def target(self) -> str:
        """What is predicted."""
        return str(self._document["target"])

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""
        return tuple(self._native.classes)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that may be asked for."""
        return tuple(name for name, _ in self._native.fields)

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return sum(field is None for field, *_ in self._native.nodes)

    def predict(self, data: object) -> list[Prediction]:
        """Predict every row of ``data``, which may be anything that `learn` takes.

        Raises:
            TableError: If none of the columns that the tree asks for is there.
        """
        with folder() as path:
            model, rows = path("model.json"), path("predictions.json")
            with open(model, "wb") as file:
                file.write(self._native.to_json())
            source, _ = data_file(data, path, ROW)
            run(["predict", model, source, "--json", "--output", rows], [model, source, rows])
            with open(rows, "rb") as file:
                found = json.load(file)
        return [_prediction(row) for row in found["rows"]]

    def export_text(self) -> str:
        """The tree as lines of text, with the significance of each question."""
        return plain(self._native.text(100, None, 0)).rstrip("\n")

    def plot(self, *, full: bool = False) -> Picture:
        """The tree as a picture, with its classes as bars."""
        return Picture(self._native.svg(f"{self.name}: {self.target}", full))

    def to_dict(self) -> dict[str, typing.Any]:
        """The same as the JSON of ``fewest learn --json``, with all statistics."""
        return self._document

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the model as JSON, for `load` and ``fewest predict``."""
        write(path, self._native.to_json())

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return _read_again, (self._native.to_json(), self.name)

    def __str__(self) -> str:
        return self.export_text()

    def __repr__(self) -> str:
        leaves = f"{self.leaves} lea{'f' if self.leaves == 1 else 'ves'}"
        return f"<Model of {self.target}: {leaves}, {self._document['instance']['rows']} rows>"

    def _repr_svg_(self) -> str:
        return str(self.plot())

    def _repr_html_(self) -> str:
        rows = [("target", self.target), ("leaves", str(self.leaves))]
        found = self._document.get("cross_validation")
        if found:
            rows.append(("accuracy by cross-validation", short(number(found["accuracy"]))))
        return f'<div class="fewest">{STYLE}{table_html(rows)}{self.plot()}</div>'


def _prediction(row: dict[str, typing.Any]) -> Prediction:
    shares = {name: number(share) for name, share in row["probabilities"].items()}
    return Prediction(row["class"], shares)


def _read_again(data: bytes, name: str) -> Model:
    return Model._of(_fewest.Model.of_bytes(data), name)


def learn(data: object, target: str | None = None, *, seed: int = 0, **options: typing.Any) -> Model:
    """Learn a small tree that predicts a column, and judge it by cross-validation.

    Args:
        data: Rows with a class: anything that `Table` takes, a row for each example.
        target: Column to predict, or a question such as ``"mpg > 19"``; by default ``group``.
        seed: Seed of chance.
        options: Options of ``fewest learn``, such as ``max_depth=3``, ``prune="cost-complexity"``, ``alpha="cv"``,
            ``class_weights="balanced"``, ``folds=5``, ``holdout=0.3`` or ``ignore=["name"]``.

    Raises:
        TableError: If there is nothing to learn.

    >>> import fewest
    >>> model = fewest.learn({"x": list(range(40, 0, -1)), "y": ["a"] * 20 + ["b"] * 20}, "y")
    >>> model.classes
    ('a', 'b')
    """
    several = ("ignore",)
    words: list[str] = []
    for name in several:
        found = options.pop(name, None)
        listed = [] if found is None else [found] if isinstance(found, str) else [*found]
        words += [f"--{name}={entry}" for entry in listed]
    costs = options.pop("costs", None)
    with folder() as path:
        source, is_numbered = data_file(data, path, ROW)
        model = path("model.json")
        if isinstance(costs, dict):
            listing = path("costs.csv")
            with open(listing, "w", encoding="utf-8") as file:
                file.write("test,cost\n")
                quoted = ((str(test).replace('"', '""'), float(cost)) for test, cost in costs.items())
                file.writelines(f'"{test}",{cost!r}\n' for test, cost in quoted)
            words.append(f"--costs={listing}")
        elif costs is not None:
            words.append(f"--costs={os.fspath(costs)}")
        if is_numbered:
            own = options.pop("object", None)
            words += [f"--object={ROW}"]
            words += [f"--ignore={own}"] if own is not None else []
        if target is not None:
            words.append(f"--target={target}")
        run(["learn", source, "--seed", str(seed), "--output", model, *words, *flags(options)], [source, model])
        with open(model, "rb") as file:
            name = os.path.basename(source) if not is_numbered else "data"
            return Model._of(_fewest.Model.of_bytes(file.read()), name)
