"""What may be a table: files, data frames, columns, rows and matrices."""

from __future__ import annotations

import os
import sys
import typing
from collections.abc import Iterable, Mapping, Sequence

Column = tuple[str, str, typing.Any, typing.Any]
"""Name, kind, data, and the categories or the number of rows where the kind has such."""

ACCEPTED = (
    "a path, bytes or an open file; a data frame (pandas, polars, pyarrow, DuckDB or anything with "
    "`__arrow_c_stream__`); a dict of columns; a list of dicts; a list of rows of which the first is the header; or a "
    "matrix of numpy"
)


class Source(typing.NamedTuple):
    """Data in one of the forms that the library reads: ``path``, ``bytes``, ``arrow`` or ``columns``."""

    form: str
    data: typing.Any
    name: str


def source(
    data: object,
    *,
    objects: Iterable[object] | None = None,
    groups: Iterable[object] | None = None,
    priors: Iterable[object] | None = None,
    names: Sequence[str] | None = None,
) -> Source:
    """Find out what ``data`` is, and add columns for objects, groups and priors that are given beside it."""
    beside = [("object", objects), ("group", groups), ("prior", priors)]
    given = [(name, values) for name, values in beside if values is not None]
    found = _plain_source(data)
    if found is not None and not given:
        return found
    if found is not None:
        if found.form != "arrow":
            raise TypeError(f"{given[0][0]}s= is for data frames, columns and matrices; put a column into the file")
        columns = _columns_of_arrow(data)
    else:
        columns = columns_of(data, names=names, has_objects=objects is not None)
    before = [column(name, values) for name, values in given if name == "object"]
    after = [column(name, values) for name, values in given if name != "object"]
    return Source("columns", before + columns + after, "table")


def _plain_source(data: object) -> Source | None:
    if isinstance(data, (str, os.PathLike)):
        path = os.fspath(data)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        return Source("path", path, os.path.basename(path) or path)
    if isinstance(data, (bytes, bytearray, memoryview)):
        return Source("bytes", bytes(data), "table")
    if _is_a("polars", "LazyFrame", data):
        raise TypeError("a LazyFrame of polars has no data yet; give `frame.collect()`")
    if _is_pandas(data):
        return None
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        _refuse_nul(data)
        return Source("arrow", data, "table")
    read = getattr(data, "read", None)
    if callable(read):
        content = read()
        name = getattr(data, "name", "table")
        text = content.encode() if isinstance(content, str) else bytes(typing.cast("bytes", content))
        return Source("bytes", text, os.path.basename(name) if isinstance(name, str) else "table")
    return None


def _refuse_nul(data: object) -> None:
    """Refuse a name with a NUL byte, at which polars ends the whole process when it hands out a frame."""
    names = getattr(data, "columns", None)
    for name in names if isinstance(names, (list, tuple)) else ():
        if isinstance(name, str) and "\0" in name:
            from fewest.exceptions import TableError

            raise TableError(f"column {name!r}: its name holds a NUL byte, which no text holds; rename it", column=name)


def _is_a(module: str, name: str, data: object) -> bool:
    found = sys.modules.get(module)
    kind = getattr(found, name, None)
    return isinstance(kind, type) and isinstance(data, kind)


def _is_pandas(data: object) -> bool:
    return _is_a("pandas", "DataFrame", data)


def is_array(data: object) -> bool:
    return _is_a("numpy", "ndarray", data)


def columns_of(data: object, *, names: Sequence[str] | None = None, has_objects: bool = False) -> list[Column]:
    """Columns of anything that is neither a file nor has the Arrow interface."""
    if _is_pandas(data):
        return _columns_of_pandas(data, has_objects)
    if is_array(data):
        return _columns_of_array(data, names, has_objects)
    if isinstance(data, Mapping):
        return [column(str(name), values) for name, values in data.items()]
    if isinstance(data, Sequence) and not isinstance(data, str):
        return _columns_of_rows(data)
    raise TypeError(f"a {type(data).__name__} is no table; give {ACCEPTED}")


def _columns_of_rows(rows: Sequence[typing.Any]) -> list[Column]:
    if not rows:
        raise TypeError("an empty list is no table; give rows, of which the first is the header, or dicts")
    if all(isinstance(row, Mapping) for row in rows):
        # A dict keeps the order of the first appearance of each name.
        header: dict[object, None] = {}
        for row in rows:
            header.update(dict.fromkeys(row))
        return [column(str(name), [row.get(name) for row in rows]) for name in header]
    if any(isinstance(row, (str, bytes, Mapping)) or not isinstance(row, Iterable) for row in rows):
        raise TypeError("rows are all dicts, or all lists of cells of which the first is the header")
    first, *body = ([*row] for row in rows)
    for number, row in enumerate(body, start=2):
        if len(row) != len(first):
            from fewest.exceptions import TableError

            raise TableError(f"row {number} has {len(row)} cells where the header has {len(first)}", row=number)
    return [column(_header(name), [row[at] for row in body]) for at, name in enumerate(first)]


def _header(name: object) -> str:
    return "" if name is None else str(name)


def _columns_of_arrow(data: typing.Any) -> list[Column]:
    """Columns of a frame to which others are added, by the frame's own lists."""
    to_dict = getattr(data, "to_dict", None) or getattr(data, "to_pydict", None)
    if getattr(data, "to_pydict", None) is not None:
        return [column(str(name), values) for name, values in data.to_pydict().items()]
    if callable(to_dict):
        return [column(str(name), values.to_list()) for name, values in data.to_dict(as_series=True).items()]
    raise TypeError("objects=, groups= and priors= are for columns and matrices; put such a column into this frame")


def _columns_of_pandas(frame: typing.Any, has_objects: bool) -> list[Column]:
    import pandas

    columns: list[Column] = []
    index = frame.index
    if not has_objects and not isinstance(index, pandas.RangeIndex):
        if isinstance(index, pandas.MultiIndex):
            names = [", ".join(map(str, entry)) for entry in index]
        else:
            names = index.tolist()
        columns.append(column(str(index.name) if index.name is not None else "object", names))
    for at, name in enumerate(frame.columns):
        label = ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        columns.append(column(label, frame.iloc[:, at]))
    return columns


def _columns_of_array(array: typing.Any, names: Sequence[str] | None, has_objects: bool) -> list[Column]:
    if array.dtype.names:
        return [column(name, array[name]) for name in array.dtype.names]
    if array.ndim != 2:
        raise TypeError(f"an array of {array.ndim} dimensions is no table; give a matrix with a row for each object")
    width = array.shape[1]
    if names is None:
        names = [f"t{number}" for number in range(1, width + 1)]
    if len(names) != width:
        raise ValueError(f"tests: {len(names)} names for {width} columns; name each column of the matrix")
    objects = [] if has_objects else [column("object", [str(row) for row in range(1, array.shape[0] + 1)])]
    return objects + [column(str(name), array[:, at]) for at, name in enumerate(names)]


def column(name: str, values: typing.Any) -> Column:
    """A column in the form that the library takes."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        kind = type(values).__name__
        raise TypeError(f"column `{name}` is a {kind}; a column is a list with a value for each object")
    if _is_a("pandas", "Series", values):
        return _column_of_series(name, values)
    if _is_a("pandas", "Categorical", values):
        return _column_of_categories(name, values)
    if is_array(values):
        return _column_of_array(name, values)
    for method in ("to_list", "to_pylist", "tolist"):
        listed = getattr(values, method, None)
        if callable(listed):
            return (name, "list", listed(), None)
    return (name, "list", list(values), None)


def _column_of_series(name: str, series: typing.Any) -> Column:
    if hasattr(series, "cat"):
        return _column_of_categories(name, series.array)
    if _is_a("numpy", "dtype", series.dtype):
        return _column_of_array(name, series.to_numpy())
    # Types of pandas itself, which may hold cells without a value.
    return (name, "list", series.astype(object).tolist(), None)


def _column_of_categories(name: str, values: typing.Any) -> Column:
    codes = values.codes.astype("int32")
    return (name, "codes", codes.tobytes(), values.categories.tolist())


def _column_of_array(name: str, array: typing.Any) -> Column:
    if array.ndim != 1:
        raise TypeError(f"column `{name}` has {array.ndim} dimensions; a column has one")
    masked = getattr(array, "mask", None)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if masked is not None or kind not in "biuf":
        return (name, "list", _listed(array), None)
    if kind == "b":
        return (name, "bool", array.tobytes(), None)
    if kind == "f" and size not in (4, 8):
        array = array.astype("float32" if size == 2 else "float64")
        size = array.dtype.itemsize
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return (name, f"{kind}{size}", array.tobytes(), None)


def _listed(array: typing.Any) -> list[typing.Any]:
    """Cells as values of Python; dates as their texts."""
    if array.dtype.kind in "mM":
        return [None if text == "NaT" else text for text in array.astype(str).tolist()]
    listed: list[typing.Any] = array.tolist()
    return [cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell for cell in listed]
