"""What the tests share."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


@pytest.fixture
def examples() -> pathlib.Path:
    return EXAMPLES


@pytest.fixture
def zoo(examples):
    import fewest

    return fewest.Table(examples / "zoo.csv")


@pytest.fixture
def animals():
    import fewest

    return fewest.Table(
        {
            "animal": ["bear", "cat", "hen", "carp"],
            "milk": ["yes", "yes", "no", "no"],
            "legs": [4, 4, 2, 0],
            "group": ["mammal", "mammal", "bird", "fish"],
        }
    )


@pytest.fixture
def hard():
    """A table whose best strategy takes longer to prove than any test lasts."""
    import fewest

    return fewest.generate("random", objects=400, tests=120, density=0.1, seed=7)


def run_python(code: str, *, timeout: float = 60, **options) -> subprocess.CompletedProcess:
    """Run ``code`` in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=timeout, check=False, **options
    )
