# Written by scripts/python-stubs from crates/python; not to be changed by hand.
"""
Data and algorithms of fewest.
"""

from _typeshed import Incomplete, SupportsGetItem
from os import PathLike
from typing import Any, SupportsFloat, SupportsIndex, final

@final
class Canceller:
    """
    Flag by which any thread ends a build, a comparison or another long call.
    """
    def __new__(cls, /) -> Canceller: ...
    def cancel(self, /) -> None:
        """
        End the call that was given this canceller.
        """
    @property
    def cancelled(self, /) -> bool:
        """
        Whether `cancel` was called.
        """

@final
class Model:
    """
    A tree that predicts.
    """
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]: ...
    def apply(self, /, columns: list[Any], rows: SupportsIndex, costs: SupportsGetItem[int, SupportsFloat | SupportsIndex]) -> tuple[bytes, bytes]:
        """
        Number of the node at which each row ends, as bytes of 64-bit numbers, and the cost of asking.
        """
    @property
    def classes(self, /) -> list[str]:
        """
        Names of the classes.
        """
    @property
    def fields(self, /) -> list[tuple[str, list[str] | None]]:
        """
        Names of the columns, and the words of those that hold words.
        """
    @property
    def nodes(self, /) -> list[tuple[int | None, str | None, list[tuple[str, int]], list[float]]]:
        """
        Nodes, parents before children.
        """
    @staticmethod
    def of_bytes(data: bytes | bytearray) -> Model:
        """
        Read a saved model.
        """
    @property
    def probabilities(self, /) -> list[list[float]]:
        """
        Probability of each class at each node.
        """
    def svg(self, /, title: str, whole: bool) -> str:
        """
        The tree as a picture; as much as can be read, or all of it.
        """
    def text(self, /, width: SupportsIndex, lines: SupportsIndex | None, seed: SupportsIndex) -> str:
        """
        The tree as lines of text.
        """
    def to_json(self, /) -> bytes:
        """
        The model as the file that `fewest predict` reads.
        """

@final
class Session:
    """
    Questions about one unknown object.
    """
    def __new__(cls, /, table: Table, strategy: Strategy | None, rules: Incomplete) -> Session: ...
    def answer(self, /, answer: str | None, name: str | None = None) -> None:
        """
        Answer the question, or another test.
        """
    @property
    def answers(self, /) -> list[tuple[str, list[str], bool]]:
        """
        Answers so far: test, answers (none: not known), whether it was volunteered.
        """
    @property
    def candidates(self, /) -> list[tuple[list[str], list[str], float, int]]:
        """
        Possible objects: names, groups, probability, answers that would be wrong.
        """
    def change(self, /, at: SupportsIndex, answer: str | None) -> None:
        """
        Replace the answer numbered `at`.
        """
    @property
    def contradiction(self, /) -> list[str] | None:
        """
        Tests whose answers contradict each other; none if they do not.
        """
    def copy(self, /) -> Session:
        """
        A copy that goes on by itself.
        """
    @property
    def cost(self, /) -> float:
        """
        Cost of the questions so far.
        """
    def explain(self, /, object: str) -> str:
        """
        Answers for and against an object, as JSON.
        """
    @property
    def groups(self, /) -> list[tuple[list[str], float, int]]:
        """
        Possible groups: names, probability, number of possible objects.
        """
    @property
    def question(self, /) -> tuple[str, str, float, list[str]] | None:
        """
        The question to ask next: test, text, cost, answers; none if the session is over.
        """
    @property
    def reason(self, /) -> str | None:
        """
        Why the session is over; none if it is not.
        """
    def remove(self, /, at: SupportsIndex) -> None:
        """
        Remove the answer numbered `at`.
        """
    def replay(self, /, data: bytes) -> None:
        """
        Take all answers of a saved session.
        """
    def tell(self, /, name: str, answer: str | None) -> None:
        """
        Tell a fact that was not asked for, at no cost.
        """
    def to_json(self, /, source: str) -> bytes:
        """
        The session as the file that `fewest ask --resume` reads.
        """
    def why(self, /, most: SupportsIndex) -> str | None:
        """
        Why the question is asked, with at most `most` others, as JSON.
        """

@final
class Strategy:
    """
    An order of questions, with what is known of its quality.
    """
    @property
    def facts(self, /) -> str:
        """
        Costs, bound, and how the strategy was found, as JSON.
        """
    def follow(self, /, answers: dict[str, str | None]) -> tuple[list[str], list[str], float, str | None, list[tuple[str, str]], float]:
        """
        Follow answers through the tree, as far as they go.
        """
    @property
    def has_table(self, /) -> bool:
        """
        Whether the table is known.
        """
    @property
    def nodes(self, /) -> list[tuple[str | None, str | None, float, float, list[tuple[str, int]], list[str], list[str]]]:
        """
        The nodes, parents before children.
        """
    @staticmethod
    def of_bytes(data: bytes | bytearray) -> Strategy:
        """
        Read a saved strategy.
        """
    def robustness(self, /) -> str:
        """
        Upper bounds on the expected cost under other priors, as JSON.
        """
    @property
    def table(self, /) -> Table | None:
        """
        The table, if it is known.
        """
    def text(self, /, width: SupportsIndex, lines: SupportsIndex | None) -> str:
        """
        The tree as lines of text; as deep as fits `lines`, or whole.
        """
    def to_json(self, /, as_file: bool) -> bytes:
        """
        The strategy as JSON: like the file of `fewest build --output`, or like `fewest build --json`.
        """
    def with_table(self, /, table: Table) -> Strategy:
        """
        The same strategy joined with its table; every name, cost and weight is compared.
        """

@final
class Table:
    """
    A table of objects and what each test would say of them.
    """
    @property
    def answers(self, /) -> list[tuple[str, str | None, list[str]]]:
        """
        Answers of each test, with the text of its question.
        """
    def bounds(self, /, lam: SupportsFloat | SupportsIndex, options: Incomplete) -> tuple[str, Any | None]:
        """
        Every bound, as JSON.
        """
    def compare(self, /, goal: Incomplete, options: Incomplete) -> tuple[tuple[str, str], Any | None]:
        """
        Every algorithm, as JSON, and a picture.
        """
    @property
    def costs(self, /) -> list[float]:
        """
        Cost of each test that is asked first.
        """
    @property
    def digest(self, /) -> int:
        """
        Number that is the same for tables with the same contents and reading.
        """
    def front(self, /, time: SupportsFloat | SupportsIndex | None, options: Incomplete) -> tuple[tuple[str, str], Any | None]:
        """
        Expected against worst cost, as JSON, and a picture.
        """
    @property
    def groups(self, /) -> list[tuple[list[str], float]]:
        """
        Names of the groups with their probabilities; several names where no test tells groups apart.
        """
    def inspect(self, /) -> tuple[str, str]:
        """
        What each test says, as JSON, and a picture.
        """
    @property
    def name(self, /) -> str:
        """
        Name of the table in messages.
        """
    @property
    def object_column(self, /) -> str:
        """
        Name of the column of objects.
        """
    @property
    def objects(self, /) -> list[str]:
        """
        Names of the objects, in the order of the table.
        """
    @staticmethod
    def of_arrow(data: Any, name: str, options: Incomplete) -> Table:
        """
        Read an object with `__arrow_c_stream__`.
        """
    @staticmethod
    def of_bytes(data: bytes | bytearray, name: str, options: Incomplete) -> Table:
        """
        Read the bytes of a file.
        """
    @staticmethod
    def of_columns(columns: list[Any], name: str, options: Incomplete) -> Table:
        """
        Read columns: name, kind, data and, for categories, their names.
        """
    @staticmethod
    def of_path(path: str | PathLike[str], name: str, options: Incomplete) -> Table:
        """
        Read a file.
        """
    @property
    def priors(self, /) -> list[tuple[list[str], float]]:
        """
        Objects that differ in some answer, with their probabilities.
        """
    @property
    def reading(self, /) -> str:
        """
        Options with which the table was read, as a saved strategy holds them.
        """
    @property
    def size(self, /) -> str:
        """
        Sizes of the table, and what is identified.
        """
    @property
    def size_in_bytes(self, /) -> int:
        """
        Bytes that the table takes, about.
        """
    @property
    def tests(self, /) -> list[str]:
        """
        Names of the tests.
        """
    def to_csv(self, /) -> bytes:
        """
        The table as CSV, as it was read.
        """
    @property
    def warnings(self, /) -> list[tuple[bool, str]]:
        """
        Remarks about the table: whether it only says how the table was read, and the words.
        """

def algorithms() -> list[tuple[str, str]]:
    """
    Names of the algorithms, with a line about each.
    """

def build(table: Table, goal: Incomplete, options: Incomplete) -> tuple[Strategy, Any | None]:
    """
    Build the best strategy; also returns the exception that ended it early.
    """

def command(arguments: SupportsGetItem[int, str], options: Incomplete) -> tuple[tuple[()], Any | None]:
    """
    Run a command for its files; what goes wrong is an exception.
    """

def csv_of_arrow(data: Any, number: str) -> bytes:
    """
    Rows of an object with `__arrow_c_stream__` as CSV.
    """

def csv_of_columns(columns: list[Any], number: str) -> bytes:
    """
    Columns as CSV.
    """

def fit(columns: list[Any], classes: SupportsGetItem[int, str], target: Any, weights: Any | None, costs: SupportsGetItem[int, SupportsFloat | SupportsIndex] | None, options: Incomplete) -> Model:
    """
    Grow a tree from columns, the class of each row and its weight.
    """

def main(arguments: SupportsGetItem[int, str]) -> int:
    """
    Run a command line as the program does, and return its exit code.
    """

def simulate(table: Table, strategy: Strategy | None, rules: Incomplete, play: Incomplete, options: Incomplete) -> tuple[str, Any | None]:
    """
    Sessions in which objects of the table answer, as JSON.
    """

__version__: str

__all__ = [
    "Canceller",
    "Model",
    "Session",
    "Strategy",
    "Table",
    "algorithms",
    "build",
    "command",
    "csv_of_arrow",
    "csv_of_columns",
    "fit",
    "main",
    "simulate",
    "__version__",
]
