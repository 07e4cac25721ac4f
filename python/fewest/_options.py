"""Options in the form that the library takes."""

from __future__ import annotations

import math
import os
import typing
from collections.abc import Mapping, Sequence

Costs = typing.Union[Mapping[str, typing.Union[float, Mapping[str, float]]], "os.PathLike[str]", str]
"""Cost by test, or by test and answer; or a file with the header ``test,cost``."""
Bundles = typing.Union[Mapping[str, tuple[float, Sequence[str]]], "os.PathLike[str]", str]
"""Set-up and tests of each bundle; or a file with the header ``test,bundle,setup``."""


def size_words(size: Mapping[str, typing.Any]) -> str:
    """Size of a table in words."""
    different = f" ({size['objects']} different)" if size["objects"] < size["rows"] else ""
    words = f"{_count(size['rows'], 'object')}{different}, {_count(size['tests'], 'test')}"
    if size["identify"] == "groups":
        words += f", {_count(size['groups'], 'group')}"
    return words


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def goal_options(
    objective: str,
    lam: float,
    algorithm: str | None,
    cost_blind: bool,
    cap: float | str | None,
    proof: bool,
    time: float | None,
    memory: int | None,
) -> dict[str, typing.Any]:
    if isinstance(cap, str) and cap != "best":
        raise ValueError(f'cap: `{cap}` is none; give a cost, or "best" for the least worst cost')
    if isinstance(cap, (int, float)) and math.isnan(cap):
        raise ValueError('cap: give a cost, or "best" for the least worst cost')
    return {
        "objective": objective,
        "lam": float(lam),
        "algorithm": None if algorithm == "auto" else algorithm,
        "cost_blind": bool(cost_blind),
        "cap": None if isinstance(cap, str) else cap,
        "least_cap": cap == "best",
        "proof": bool(proof),
        "time": None if time is None or math.isinf(time) else float(time),
        "memory": memory,
    }


def tolerances(tolerance: object) -> list[str]:
    if tolerance is None:
        return []
    if isinstance(tolerance, Mapping):
        return [f"{column}={value}" for column, value in tolerance.items()]
    if isinstance(tolerance, (list, tuple)):
        return [str(entry) for entry in tolerance]
    return [str(tolerance)]


def cost_options(costs: Costs | None, bundles: Bundles | None) -> dict[str, typing.Any]:
    options: dict[str, typing.Any] = {
        "costs": [],
        "answer_costs": [],
        "bundles": [],
        "costs_file": None,
        "bundles_file": None,
    }
    if isinstance(costs, Mapping):
        for test, cost in costs.items():
            if isinstance(cost, Mapping):
                options["answer_costs"] += [(str(test), str(answer), float(one)) for answer, one in cost.items()]
            else:
                options["costs"].append((str(test), float(cost)))
    elif costs is not None:
        options["costs_file"] = costs
    if isinstance(bundles, Mapping):
        for name, (setup, tests) in bundles.items():
            options["bundles"] += [(str(test), str(name), float(setup)) for test in tests]
    elif bundles is not None:
        options["bundles_file"] = bundles
    return options
