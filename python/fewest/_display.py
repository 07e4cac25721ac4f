"""Pictures, and how results show themselves in notebooks."""

from __future__ import annotations

import html
import os
import re
import typing

from fewest._files import write


class Picture(str):
    """A picture in SVG, which shows itself in notebooks and saves itself to a file.

    It is the text of the picture, so it can be used wherever a text can.
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f'<div class="fewest">{STYLE}{self}</div>'

    def __repr__(self) -> str:
        return f"<Picture, {len(self)} bytes of SVG>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the picture as SVG."""
        write(path, self.encode())


STYLE = (
    "<style>.fewest{max-width:100%;overflow-x:auto}.fewest svg{max-width:100%;height:auto}"
    ".fewest table{border-collapse:collapse;margin:.4em 0}.fewest td,.fewest th{padding:.15em .7em;text-align:left;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)}</style>"
)
"""Rules for results in notebooks: they take the colours of the page, light or dark."""


def table_html(rows: typing.Iterable[tuple[str, str]]) -> str:
    """A small table of names and values."""
    lines = (f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{''.join(lines)}</table>"


ANSI = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str) -> str:
    """The text without codes for colour."""
    return ANSI.sub("", text)


def short(value: float) -> str:
    """A number for people: at most four digits after the point."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
