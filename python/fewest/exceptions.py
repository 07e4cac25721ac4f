"""Exceptions and warnings of fewest.

Every message is one line that says what is wrong, where, and what to do about it. What a program may want to know is
an attribute as well.
"""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from fewest._strategy import Strategy

__all__ = [
    "CheckFailed",
    "FewestError",
    "FewestWarning",
    "Interrupted",
    "ReadError",
    "SessionError",
    "TableError",
    "UnknownName",
]


class FewestError(Exception):
    """Base of all errors of fewest."""


class TableError(FewestError, ValueError):
    """A table that cannot be read as a problem, or options that do not fit it.

    >>> import fewest
    >>> try:
    ...     fewest.Table({"animal": ["cat", "cat"], "legs": [4, 4]}, verbatim=True)
    ... except fewest.TableError as error:
    ...     print(error, "--", error.row)
    table: rows 2 and 3 are both called `cat`; give each object its own name -- 3
    """

    row: int | None
    """Row, as a spreadsheet counts: 1 is the header, 2 the first object."""
    column: str | None
    """Name of the column."""
    object: str | None
    """Name of the object."""
    hint: str | None
    """The way out: what stands after the last semicolon of the message."""

    def __init__(
        self,
        message: str,
        *,
        row: int | None = None,
        column: str | None = None,
        object: str | None = None,
    ) -> None:
        super().__init__(message)
        self.row, self.column, self.object = row, column, object
        before, mark, hint = message.rpartition("; ")
        self.hint = hint if mark and before else None


class ReadError(TableError):
    """A file that cannot be read as a table."""

    path: str | None
    """The file."""

    def __init__(
        self,
        message: str,
        *,
        row: int | None = None,
        column: str | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(message, row=row, column=column)
        self.path = path


class SessionError(FewestError, ValueError):
    """Rules or answers that a session cannot take."""


class UnknownName(FewestError, KeyError):
    """A name of a test, an answer, an object, a column or an algorithm that does not exist."""

    nearest: str | None
    """The most similar name, if one is similar."""

    def __init__(self, message: str, *, nearest: str | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest

    def __str__(self) -> str:
        # A KeyError would show the message in quotes.
        return str(self.args[0])


class CheckFailed(FewestError):
    """A strategy that is not what it claims to be."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a build with ``on_interrupt="raise"``; the best so far is in ``strategy``."""

    strategy: Strategy | None
    """The best strategy found until then."""

    def __init__(self, message: str = "", *, strategy: Strategy | None = None) -> None:
        super().__init__(message)
        self.strategy = strategy


class FewestWarning(UserWarning):
    """Something about a table or a result that a user should know."""
