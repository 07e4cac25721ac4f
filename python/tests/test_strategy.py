"""Strategies: files, checks, pictures."""

import copy
import json
import pickle
import xml.etree.ElementTree

import pytest

import fewest
from fewest import _fewest


def test_a_strategy_is_saved_loaded_and_joined(zoo, tmp_path):
    strategy = zoo.build()
    strategy.save(tmp_path / "plan.json")
    loaded = fewest.Strategy.load(tmp_path / "plan.json")
    assert loaded == strategy and hash(loaded) == hash(strategy)
    assert loaded.table is None and loaded.elapsed is None
    assert loaded.identify({"milk": 1}).group == "mammal"
    with pytest.raises(fewest.TableError, match="with_table"):
        fewest.Session(loaded)
    joined = loaded.with_table(zoo)
    assert fewest.Session(joined).question.test == "milk"
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert pickle.loads(pickle.dumps(strategy)).table == zoo
    assert copy.deepcopy(strategy) is strategy
    with pytest.raises(fewest.TableError):
        loaded.with_table(fewest.Table({"o": ["a", "b"], "t": [1, 2]}))


def test_a_saved_file_is_that_of_the_command_line(zoo, tmp_path):
    zoo.build(proof=True).save(tmp_path / "plan.json")
    verdict = tmp_path / "verdict.json"
    (tmp_path / "zoo.csv").write_bytes(zoo.to_csv())
    arguments = [
        "fewest",
        "check",
        str(tmp_path / "zoo.csv"),
        str(tmp_path / "plan.json"),
        "--json",
        "-o",
        str(verdict),
    ]
    _fewest.command(arguments, {"threads": None, "observer": None, "canceller": None})
    assert json.loads(verdict.read_text())["verified"] is True


def test_a_check_verifies_and_refuses(zoo):
    strategy = zoo.build(proof=True)
    assert strategy.check().to_dict()["verified"] is True
    false = json.loads(strategy.to_json())
    false["cost"]["expected"] = 1.5
    with pytest.raises(fewest.CheckFailed, match=r"1\.5"):
        zoo.check(fewest.Strategy.from_json(json.dumps(false)))
    priced = fewest.Table(zoo.to_csv(), object=None, costs={"milk": 3, "legs": 0.5})
    assert priced.build(proof=True).check().to_dict()["verified"] is True


def test_pictures_are_those_of_the_command_line(zoo, tmp_path):
    strategy = zoo.build()
    saved, picture = tmp_path / zoo.name, tmp_path / "tree.svg"
    strategy.save(saved)
    arguments = ["fewest", "show", str(saved), "--output", str(picture)]
    _fewest.command(arguments, {"threads": None, "observer": None, "canceller": None})
    assert strategy.plot() == picture.read_text()
    assert strategy._repr_svg_() == picture.read_text()
    data, front = tmp_path / "zoo.csv", tmp_path / "front.svg"
    data.write_bytes(zoo.to_csv())
    arguments = ["fewest", "front", str(data), "--output", str(front)]
    _fewest.command(arguments, {"threads": None, "observer": None, "canceller": None})
    assert fewest.Table(data).front().plot() == front.read_text()


@pytest.mark.parametrize("kind", ["txt", "json", "csv", "md", "html", "svg", "dot"])
def test_every_export_has_contents(zoo, tmp_path, kind):
    content = zoo.build().export(kind, tmp_path / f"plan.{kind}")
    assert (tmp_path / f"plan.{kind}").read_bytes() == content
    assert b"milk" in content and b"/tmp" not in content


def test_results_show_themselves_in_notebooks(zoo):
    strategy = zoo.build()
    for result in (strategy, zoo.front(), zoo.compare(time=1), zoo.inspect()):
        svg = result._repr_svg_()
        assert xml.etree.ElementTree.fromstring(svg).tag.endswith("svg")
        assert "<script" not in svg
        # Both looks: the picture follows what the reader prefers.
        assert "prefers-color-scheme" in svg
    html = strategy._repr_html_()
    assert "<script" not in html and "2.0792" in html and "<svg" in html
    assert strategy._repr_mimebundle_()["text/plain"] == repr(strategy)
    assert "objects" in zoo._repr_html_()
    assert repr(strategy.plot()).startswith("<Picture")
    assert "_repr" not in str(strategy)


def test_a_large_strategy_is_drawn_in_part(hard):
    strategy = hard.build(time=0.5)
    assert strategy.leaves == 400
    assert len(strategy.plot()) < len(strategy.plot(full=True))


def test_numbers_of_a_strategy(zoo):
    strategy = zoo.build()
    assert strategy.cost == pytest.approx(2.0792079207920793)
    assert (strategy.worst, strategy.gap, strategy.stop, strategy.optimal) == (4.0, 0.0, "proved", True)
    assert sum(node.test is None for node in strategy.nodes) == strategy.leaves
    assert strategy.nodes[0].test == "milk"
    leaves = [node for node in strategy.nodes if node.test is None]
    assert sum(node.probability for node in leaves) == pytest.approx(1)
    assert strategy.robustness()[0]["expected_at_most"] >= strategy.cost
    worst = zoo.build("worst", cap="best")
    assert worst.objective == "worst" and worst.worst == 4


def test_part_of_the_answers_leads_part_of_the_way(zoo):
    strategy = zoo.build()
    found = strategy.identify({"milk": False})
    assert found.question == "legs" and found.group is None and len(found.objects) == 60
    assert strategy.identify({"milk": "no", "legs": 2.0}).group == "bird"
    assert strategy.identify({"milk": None}).question == "milk"
