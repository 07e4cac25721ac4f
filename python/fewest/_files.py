"""Files: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
import typing
from collections.abc import Iterator


def write(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that readers see the old contents or the new ones, never a part."""
    path = os.fspath(path)
    folder = os.path.dirname(path) or "."
    handle, name = tempfile.mkstemp(dir=folder, prefix=".fewest-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def folder() -> Iterator[typing.Callable[[str], str]]:
    """A folder for the files of one command: a function from names to paths in it."""
    with tempfile.TemporaryDirectory(prefix="fewest-") as name:
        yield lambda file: os.path.join(name, file)


def safe_name(name: str) -> str:
    """A name of a file that every system takes."""
    kept = "".join("_" if letter in '/\\:*?"<>|\0' or ord(letter) < 32 else letter for letter in name)
    return kept.strip(". ")[:120] or "table"
