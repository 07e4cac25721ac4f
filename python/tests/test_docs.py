"""What the documentation shows is what happens."""

import doctest
import re

import pytest

from conftest import EXAMPLES

DOCS = EXAMPLES.parent / "docs"


@pytest.mark.filterwarnings("ignore::fewest.FewestWarning")
def test_examples_of_the_page(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 4
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks):
        runner.run(parser.get_doctest(block, {}, f"python.md, block {number}", "python.md", 0))
    assert runner.failures == 0


def test_the_reference_is_made_from_the_docstrings():
    from reference import reference

    assert (DOCS / "python-reference.md").read_text(encoding="utf-8") == reference()
