"""Reference of the package, made from its docstrings: ``python python/tests/reference.py`` writes the page."""

import inspect
import pathlib

import fewest
import fewest.exceptions

HEAD = """# Python reference

Made from the docstrings by `python python/tests/reference.py`; [fewest for Python](python.md) is the introduction.
"""


def reference() -> str:
    """The page."""
    names = [name for name in fewest.__all__ if name not in ("__version__", "exceptions", "Canceller")]
    functions = [name for name in names if inspect.isfunction(getattr(fewest, name))]
    classes = [name for name in names if inspect.isclass(getattr(fewest, name))]
    parts = [HEAD, "\n## Functions\n"]
    parts += [entry(getattr(fewest, name), f"fewest.{name}", 3) for name in functions]
    parts += ["\n## Classes\n"]
    parts += [of_class(getattr(fewest, name), f"fewest.{name}") for name in classes]
    parts += [of_scikit_learn()]
    return "".join(parts)


def of_scikit_learn() -> str:
    """The classifier, where scikit-learn is there to make it."""
    from fewest.sklearn import FewestClassifier, export_text, plot_tree

    own = of_class(FewestClassifier, "fewest.sklearn.FewestClassifier", inherited=False)
    others = [entry(function, f"fewest.sklearn.{function.__name__}", 3) for function in (export_text, plot_tree)]
    return "\n## scikit-learn\n" + own + "".join(others)


def of_class(kind: type, name: str, *, inherited: bool = True) -> str:
    """A class with its methods and properties."""
    parts = [entry(kind, name, 3)]
    for member, value in sorted(vars(kind).items()):
        if member.startswith("_"):
            continue
        if isinstance(value, property):
            parts.append(f"\n#### `.{member}`\n\n{text(value.fget)}\n")
        elif isinstance(value, (classmethod, staticmethod)):
            parts.append(entry(value.__func__, f".{member}", 4))
        elif inspect.isfunction(value) and (inherited or value.__module__.startswith("fewest")):
            parts.append(entry(value, f".{member}", 4))
    return "".join(parts)


def entry(what: object, name: str, level: int) -> str:
    """A heading with the signature, and the docstring."""
    try:
        parameters = inspect.signature(what).parameters
        shown = ", ".join(written(one) for one in parameters.values() if one.name not in ("self", "cls"))
    except (TypeError, ValueError):
        shown = ""
    return f"\n{'#' * level} `{name}`\n\n```python\n{name.lstrip('.')}({shown})\n```\n\n{text(what)}\n"


def written(parameter: inspect.Parameter) -> str:
    """A parameter with its default, without its type."""
    star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
    return f"{star}{parameter.name}{default}"


def text(what: object) -> str:
    """A docstring; its examples as such."""
    lines, out, is_code = (inspect.getdoc(what) or "").splitlines(), [], False
    for line in lines:
        starts = line.startswith(">>>") and not is_code
        ends = is_code and not line.strip()
        if starts:
            out.append("```pycon")
        if ends:
            out.append("```")
        is_code = (is_code or starts) and not ends
        out.append(line)
    return "\n".join([*out, *(["```"] if is_code else [])])


if __name__ == "__main__":
    page = pathlib.Path(__file__).parents[2] / "docs" / "python-reference.md"
    page.write_text(reference(), encoding="utf-8")
