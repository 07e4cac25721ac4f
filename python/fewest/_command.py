"""What the commands of the command line do, through files in a folder of our own."""

from __future__ import annotations

import json
import re
import typing
from collections.abc import Mapping, Sequence

from fewest import _fewest, _frame
from fewest._files import folder, safe_name
from fewest._results import Code, Verdict
from fewest._run import finish, loads, run_options
from fewest.exceptions import CheckFailed, FewestError, ReadError, TableError

if typing.TYPE_CHECKING:
    from fewest._strategy import Strategy
    from fewest._table import Table


def run(arguments: Sequence[str], paths: Sequence[str] = ()) -> None:
    """Run a command; its mistakes become exceptions, in the words of Python."""
    try:
        done, stopped_by = _fewest.command(["fewest", *arguments], run_options())
    except (FewestError, TypeError) as error:
        message = _in_python(str(error), paths)
        raise type(error)(message) from None
    finish(done, stopped_by, "raise", f"`{arguments[0]}`")


def _in_python(message: str, paths: Sequence[str]) -> str:
    """A message of the command line without its files, and with options as Python spells them."""
    for path in paths:
        message = message.replace(f"{path}: ", "").replace(path, "the data")
    message = re.sub(r"^error: ", "", message.strip())
    message = message.split("\n\nUsage:")[0].split("\n\nFor more information")[0]
    return re.sub(r"--([a-z][a-z-]*)", lambda found: found[1].replace("-", "_"), message)


def flags(options: Mapping[str, typing.Any]) -> list[str]:
    """Options as the command line takes them: ``max_depth=3`` is ``--max-depth 3``."""
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.rstrip('_').replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping):
            words.append(f"{flag}={','.join(f'{key}={entry}' for key, entry in value.items())}")
        elif isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
            listed: typing.Any = value if isinstance(value, (list, tuple)) else value.tolist()
            words.append(f"{flag}={','.join(str(entry) for entry in listed)}")
        else:
            words.append(f"{flag}={value}")
    return words


def show(strategy: Strategy, kind: str, full: bool) -> bytes:
    """The file of ``fewest show``."""
    known = ("txt", "json", "csv", "md", "html", "svg", "dot", "png", "pdf")
    if kind not in known:
        raise ValueError(f"there is no kind `{kind}`; choose {', '.join(known)}")
    with folder() as path:
        saved, shown = path(safe_name(strategy.name)), path(f"-shown.{kind}")
        with open(saved, "wb") as file:
            file.write(strategy._native.to_json(True))
        run(["show", saved, "--output", shown, *(["--full"] if full else [])], [saved, shown])
        with open(shown, "rb") as file:
            return file.read()


def check(table: Table, strategy: Strategy, tree_only: bool) -> Verdict:
    """The verdict of ``fewest check``."""
    with folder() as path:
        data, saved, verdict = path("table.csv"), path("strategy.json"), path("verdict.json")
        with open(data, "wb") as file:
            file.write(table.to_csv())
        with open(saved, "wb") as file:
            file.write(strategy._native.to_json(True))
        reading = loads(table._native.reading)
        words = ["check", data, saved, "--json", "--output", verdict]
        if strategy.table is not None and reading.get("costs") and not _depends_on_path(reading):
            costs = path("costs.csv")
            with open(costs, "w", encoding="utf-8") as file:
                file.write("test,cost\n")
                file.writelines(f"{_quoted(test)},{float(cost)!r}\n" for test, cost in reading["costs"].items())
            words += ["--costs", costs]
        if table._native.object_column:
            words += ["--object", table._native.object_column]
        try:
            run([*words, *(["--tree-only"] if tree_only else [])], [data, saved, verdict])
        except CheckFailed as error:
            raise CheckFailed(str(error)) from None
        with open(verdict, "rb") as file:
            return Verdict(json.load(file))


def _depends_on_path(reading: Mapping[str, typing.Any]) -> bool:
    return bool(reading.get("bundles") or reading.get("answer_costs"))


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def generate(kind: str, *, seed: int = 0, **options: typing.Any) -> Table:
    """Make a table of a known kind.

    Args:
        kind: ``beta``, ``random``, ``thresholds``, ``set-cover``, ``dyadic``, ``subsets``, ``singletons``, ``sorting``,
            ``mastermind`` or ``coins``.
        seed: Seed of chance.
        options: Options of ``fewest generate`` for this kind, such as ``objects=50``.

    >>> import fewest
    >>> fewest.generate("thresholds", objects=8)
    <Table 8 objects, 7 tests>
    """
    from fewest._table import Table

    with folder() as path:
        made = path("table.csv")
        run(["generate", kind, "--seed", str(seed), "--output", made, *flags(options)], [made])
        with open(made, "rb") as file:
            return Table(file.read(), name=f"{kind}.csv")


def codes(probabilities: Sequence[float] | Table, **options: typing.Any) -> Code:
    """Prefix codes of a distribution: Shannon's, Fano's, Huffman's and others side by side.

    Args:
        probabilities: Weights of the symbols, or a table whose prior is coded.
        options: Options of ``fewest code``, such as ``radix=3``.

    >>> import fewest
    >>> code = fewest.codes([0.5, 0.25, 0.25])
    >>> code.to_dict()["entropy_bits"]
    1.5
    """
    from fewest._table import Table

    with folder() as path:
        result = path("code.json")
        if isinstance(probabilities, Table):
            data = path("table.csv")
            with open(data, "wb") as file:
                file.write(probabilities.to_csv())
            words = ["code", data]
        else:
            words = ["code", f"--probs={','.join(repr(float(weight)) for weight in probabilities)}"]
        run([*words, "--json", "--output", result, *flags(options)], [result])
        with open(result, "rb") as file:
            return Code(json.load(file))


def data_file(data: object, path: typing.Callable[[str], str], number: str) -> tuple[str, bool]:
    """A file of ``data``, and whether it has a first column ``number`` that counts the rows."""
    source = _frame.source(data)
    if source.form == "path":
        with open(source.data, "rb"):
            return source.data, False
    name = path("data.csv")
    if source.form == "bytes":
        content = source.data
    elif source.form == "arrow":
        content = _fewest.csv_of_arrow(source.data, number)
    else:
        content = _fewest.csv_of_columns(source.data, number)
    with open(name, "wb") as file:
        file.write(content)
    return name, source.form != "bytes"


__all__ = ["ReadError", "TableError", "check", "codes", "generate", "run", "show"]
