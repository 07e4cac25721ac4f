"""Long calls: their progress, and what Ctrl-C does to them."""

from __future__ import annotations

import json
import logging
import sys
import typing
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from fewest import _fewest
from fewest.exceptions import FewestWarning, Interrupted

T = typing.TypeVar("T")

logger = logging.getLogger("fewest")

OnInterrupt = typing.Literal["return", "raise"]
"""What Ctrl-C does: return the best so far with a warning, or raise `Interrupted`, which holds it."""


@dataclass(frozen=True)
class Progress:
    """How far a build is.

    A callable that is given as ``progress=`` gets one of these at most ten times a second. If it returns ``False``, the
    build ends with the best strategy so far.
    """

    algorithm: str
    """Algorithm that is tried, or ``search``."""
    number: int
    """Its number, from 1."""
    of: int
    """Number of algorithms to try."""
    best: float | None
    """Cost of the best strategy so far."""
    bound: float
    """Cost that no strategy can go below."""
    states: int
    """Sets of objects that the search looked at."""
    elapsed: float
    """Seconds since the call."""

    @property
    def gap(self) -> float | None:
        """How far the best so far is above the bound: 0.05 is 5 %."""
        if self.best is None or self.bound <= 0:
            return None
        return max(0.0, self.best / self.bound - 1.0)


Observer = typing.Union[bool, None, Callable[[Progress], typing.Union[bool, None]]]
"""``True`` for a line of progress, or any callable that takes a `Progress`."""


def run_options(
    *,
    threads: int | None = None,
    progress: Observer = None,
    canceller: _fewest.Canceller | None = None,
) -> dict[str, typing.Any]:
    """Options of a long call, in the library's form."""
    observer = _line() if progress is True else progress if callable(progress) else None
    if progress not in (None, True, False) and observer is None:
        raise TypeError("progress: give True, or a callable that takes a Progress")
    seen = ""

    def tell(*values: typing.Any) -> bool | None:
        nonlocal seen
        now = Progress(*values)
        if now.algorithm != seen:
            seen = now.algorithm
            logger.debug("trying %s: best %s, bound %s", now.algorithm, now.best, now.bound)
        return observer(now) if observer is not None else None

    wanted = observer is not None or logger.isEnabledFor(logging.DEBUG)
    return {"threads": threads, "observer": tell if wanted else None, "canceller": canceller}


def _line() -> Callable[[Progress], None]:
    """A line of progress: of tqdm where it is installed, else on standard error."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _plain_line
    bar = tqdm(bar_format="{desc} [{elapsed}]", leave=False)

    def show(progress: Progress) -> None:
        bar.set_description_str(_words(progress))

    return show


def _plain_line(progress: Progress) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r{_words(progress):<78}", end="", file=sys.stderr, flush=True)


def _words(progress: Progress) -> str:
    best = "-" if progress.best is None else f"{progress.best:.4g}"
    return f"{progress.algorithm}: best {best}, no strategy below {progress.bound:.4g}"


def finish(value: T, stopped_by: object, on_interrupt: OnInterrupt, what: str) -> T:
    """The value of a long call, or the exception that ended it early."""
    if stopped_by is None:
        return value
    if not isinstance(stopped_by, BaseException):
        raise TypeError("no exception ended the call")
    if not isinstance(stopped_by, KeyboardInterrupt):
        raise stopped_by
    if on_interrupt == "raise":
        from fewest._strategy import Strategy

        strategy = value if isinstance(value, Strategy) else None
        raise Interrupted(f"{what} was interrupted", strategy=strategy) from None
    warnings.warn(f"{what} was interrupted: this is the best until then", FewestWarning, stacklevel=3)
    return value


def check_on_interrupt(on_interrupt: str) -> None:
    """Refuse a value of ``on_interrupt=`` that means nothing."""
    if on_interrupt not in ("return", "raise"):
        raise ValueError(f'on_interrupt: there is no `{on_interrupt}`; choose "return" or "raise"')


def loads(text: str | bytes) -> typing.Any:
    """JSON of the library, in which infinity is a text."""
    return json.loads(text)


def number(value: object) -> float:
    """A number of the library's JSON."""
    return float(typing.cast("float | str", value))
