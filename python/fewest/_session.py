"""Sessions: questions one by one."""

from __future__ import annotations

import os
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from fewest import _fewest
from fewest._files import write
from fewest._run import loads
from fewest._strategy import Strategy, answer_text
from fewest._table import Table
from fewest.exceptions import TableError

if typing.TYPE_CHECKING:
    from typing_extensions import Self

Answer = typing.Union[str, int, float, bool, None]
"""An answer: its text, a number, a truth value; ``"a|b"`` for one of several; ``None`` for "I don't know"."""


class Question(typing.NamedTuple):
    """A question of a session."""

    test: str
    """Test that is asked."""
    text: str
    """Text of the question."""
    cost: float
    """Cost of asking."""
    answers: tuple[str, ...]
    """Answers that are possible."""


@dataclass(frozen=True)
class Candidate:
    """An object that is still possible."""

    objects: tuple[str, ...]
    """Name of the object; several names where no test tells objects apart."""
    groups: tuple[str, ...]
    probability: float
    mismatches: int
    """Answers that would be wrong if this were the object."""


@dataclass(frozen=True)
class GroupShare:
    """A group that is still possible."""

    names: tuple[str, ...]
    probability: float
    objects: int
    """Number of its objects that are still possible."""


class Given(typing.NamedTuple):
    """An answer of a session."""

    test: str
    answers: tuple[str, ...]
    """Answers that were meant; none: "I don't know"."""
    volunteered: bool
    """Whether it was told without a question."""


def rule_options(
    *,
    errors: int | None = None,
    noise: float | Mapping[str, float] | None = None,
    until: str = "identified",
    certainty: float | None = None,
    left: int = 1,
    max_cost: float | None = None,
    without: Iterable[str] = (),
    first: Iterable[str] = (),
    again: bool = False,
    rule: str | None = None,
    lam: float = 2.0,
    cost_blind: bool = False,
) -> dict[str, typing.Any]:
    """Rules of a session in the library's form."""
    by_test = {str(test): float(rate) for test, rate in noise.items()} if isinstance(noise, Mapping) else {}
    return {
        "errors": errors,
        "noise": None if noise is None or isinstance(noise, Mapping) else float(noise),
        "noise_of": by_test,
        "until": until,
        "certainty": certainty,
        "left": left,
        "max_cost": max_cost,
        "without": [without] if isinstance(without, str) else [*without],
        "first": [first] if isinstance(first, str) else [*first],
        "again": bool(again),
        "rule": rule,
        "lam": float(lam),
        "cost_blind": bool(cost_blind),
    }


class Session:
    """Questions about one unknown object.

    A session is its answers: any of them can be changed or taken back, and the others stay.

    Args:
        source: A strategy, which is followed as long as the answers lead through it; or a table, whose questions are
            chosen one by one by what they tell.
        errors: At most this many answers are wrong.
        noise: Probability that an answer is wrong, for all tests or by test.
        until: ``"identified"``, or ``"object"`` for the object where groups are identified.
        certainty: Stop when the likeliest group or object has this probability.
        left: Stop when at most this many are possible.
        max_cost: Most that all questions together may cost.
        without: Tests that cannot be asked.
        first: Tests to ask before all others.
        again: Tests may be asked repeatedly.
        rule: Greedy rule of `fewest.algorithms` where there is no strategy, or the answers left it.

    >>> import fewest
    >>> table = fewest.Table({"animal": ["cat", "hen", "bee"], "legs": [4, 2, 6], "fur": ["yes", "no", "no"]})
    >>> session = fewest.Session(table)
    >>> for question in session:
    ...     session.answer({"legs": 6, "fur": "no"}[question.test])
    >>> session.done, session.result
    (True, 'bee')
    """

    __slots__ = ("__weakref__", "_native", "strategy", "table")

    _native: _fewest.Session

    table: Table
    """The table that is asked about."""
    strategy: Strategy | None
    """The strategy that is followed, if any."""

    def __init__(
        self,
        source: Table | Strategy,
        *,
        errors: int | None = None,
        noise: float | Mapping[str, float] | None = None,
        until: typing.Literal["identified", "object"] = "identified",
        certainty: float | None = None,
        left: int = 1,
        max_cost: float | None = None,
        without: Iterable[str] = (),
        first: Iterable[str] = (),
        again: bool = False,
        rule: str | None = None,
        lam: float = 2.0,
        cost_blind: bool = False,
    ) -> None:
        if isinstance(source, Strategy):
            table = source.table
            if table is None:
                raise TableError("the strategy has no table; join it with `strategy.with_table(table)`")
            self.table, self.strategy = table, source
        elif isinstance(source, Table):
            self.table, self.strategy = source, None
        else:
            raise TypeError(f"a session needs a Table or a Strategy, not a {type(source).__name__}")
        rules = rule_options(
            errors=errors,
            noise=noise,
            until=until,
            certainty=certainty,
            left=left,
            max_cost=max_cost,
            without=without,
            first=first,
            again=again,
            rule=rule,
            lam=lam,
            cost_blind=cost_blind,
        )
        followed = None if self.strategy is None else self.strategy._native
        self._native = _fewest.Session(self.table._native, followed, rules)

    def _with(self, native: _fewest.Session) -> Self:
        copy = type(self).__new__(type(self))
        copy._native, copy.table, copy.strategy = native, self.table, self.strategy
        return copy

    @property
    def question(self) -> Question | None:
        """The question to ask next; none if the session is over."""
        found = self._native.question
        if found is None:
            return None
        test, text, cost, answers = found
        return Question(test, text, cost, tuple(answers))

    @property
    def done(self) -> bool:
        """Whether the session is over."""
        return self._native.reason is not None

    @property
    def reason(self) -> str | None:
        """Why the session is over, such as ``identified``; none if it is not."""
        return self._native.reason

    @property
    def result(self) -> str | None:
        """The likeliest group, or object where these are identified; none after a contradiction."""
        if self.table.identify == "groups":
            shares = self.groups
            return " or ".join(shares[0].names) if shares else None
        candidates = self.candidates
        return " or ".join(candidates[0].objects) if candidates else None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Objects that are possible, the likeliest first."""
        return tuple(
            Candidate(tuple(objects), tuple(groups), share, mismatches)
            for objects, groups, share, mismatches in self._native.candidates
        )

    @property
    def groups(self) -> tuple[GroupShare, ...]:
        """Groups that are possible, the likeliest first."""
        return tuple(GroupShare(tuple(names), share, objects) for names, share, objects in self._native.groups)

    @property
    def cost(self) -> float:
        """Cost of the questions so far; facts that were told are free."""
        return self._native.cost

    @property
    def answers(self) -> tuple[Given, ...]:
        """Answers so far, in the order in which their tests were first answered."""
        return tuple(Given(test, tuple(answers), volunteered) for test, answers, volunteered in self._native.answers)

    @property
    def contradiction(self) -> tuple[str, ...] | None:
        """Tests whose answers fit no object together; none if there is no contradiction."""
        found = self._native.contradiction
        return None if found is None else tuple(found)

    def why(self, most: int = 5) -> dict[str, typing.Any] | None:
        """Why the question is asked: what it tells, what each answer leaves, and at most ``most`` alternatives."""
        text = self._native.why(most)
        return None if text is None else typing.cast("dict[str, typing.Any]", loads(text))

    @property
    def alternatives(self) -> list[dict[str, typing.Any]]:
        """Other questions that could be asked, the best first."""
        why = self.why(10)
        return [] if why is None else typing.cast("list[dict[str, typing.Any]]", why["alternatives"])

    def answer(self, answer: Answer, test: str | None = None) -> None:
        """Answer the question, or another test.

        A number answers all tests about a measured column at once.

        Raises:
            UnknownName: If there is no such test or answer.
            SessionError: If the session is over.
        """
        self._native.answer(None if answer is None else answer_text(answer), test)

    def unknown(self) -> None:
        """Answer the question by "I don't know"."""
        self._native.answer(None, None)

    def tell(self, facts: Mapping[str, Answer] | None = None, /, **more: Answer) -> None:
        """Tell facts that were not asked for, at no cost.

        >>> import fewest
        >>> session = fewest.Session(fewest.Table({"animal": ["cat", "hen"], "legs": [4, 2]}))
        >>> session.tell(legs=4)
        >>> session.result
        'cat'
        """
        for test, answer in {**(facts or {}), **more}.items():
            self._native.tell(test, None if answer is None else answer_text(answer))

    def change(self, number: int, answer: Answer) -> None:
        """Replace an answer by its number, from 0; the others stay."""
        self._native.change(self._place(number), None if answer is None else answer_text(answer))

    def undo(self, number: int = -1) -> None:
        """Take back an answer, by default the last one."""
        self._native.remove(self._place(number))

    def _place(self, number: int) -> int:
        count = len(self._native.answers)
        place = number + count if number < 0 else number
        if not 0 <= place < count:
            raise IndexError(f"there is no answer number {number}; there are {count}")
        return place

    def what_if(self, answer: Answer, test: str | None = None) -> Self:
        """A copy of the session with another answer."""
        copy = self.copy()
        copy.answer(answer, test)
        return copy

    def copy(self) -> Self:
        """A copy that goes on by itself."""
        return self._with(self._native.copy())

    __copy__ = copy

    def explain(self, object: str) -> dict[str, typing.Any]:
        """Answers that speak for and against an object."""
        return typing.cast("dict[str, typing.Any]", loads(self._native.explain(object)))

    def __iter__(self) -> Iterator[Question]:
        """The questions, one after the other, until the session is over. Each must be answered before the next."""
        last: tuple[str, int] | None = None
        while (question := self.question) is not None:
            now = (question.test, len(self._native.answers))
            if now == last:
                from fewest.exceptions import SessionError

                raise SessionError(f"`{question.test}` was not answered; call `session.answer` or `session.unknown`")
            last = now
            yield question

    def run(self, callback: Callable[[Question], Answer]) -> str | None:
        """Ask ``callback`` every question until the session is over, and return the result."""
        for question in self:
            self.answer(callback(question), question.test)
        return self.result

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the answers; ``fewest ask --resume`` reads them, too."""
        write(path, self._native.to_json(self.table.name))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Give all answers of a saved session."""
        with open(path, "rb") as file:
            self._native.replay(file.read())

    def widget(self) -> typing.Any:
        """A widget for notebooks in which a person answers; needs ``fewest[notebook]``."""
        from fewest.widget import SessionWidget

        return SessionWidget(self)

    def __repr__(self) -> str:
        count = len(self._native.answers)
        answers = f"{count} answer{'' if count == 1 else 's'}"
        question = self.question
        if question is not None:
            return f"<Session {answers}, asks {question.test!r}>"
        return f"<Session {answers}, {self.reason}: {self.result}>"
