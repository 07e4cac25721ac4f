"""Learned trees."""

import pickle

import pytest

import fewest

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


def test_a_model_is_that_of_the_command_line(examples, tmp_path):
    by_path = fewest.learn(examples / "iris.csv", "species" if "species" in header(examples) else header(examples)[-1])
    frame = pd.read_csv(examples / "iris.csv")
    target = by_path.target
    for data in (frame, pl.from_pandas(frame), {name: frame[name].tolist() for name in frame}):
        model = fewest.learn(data, target)
        assert model.to_dict()["tree"] == by_path.to_dict()["tree"]
        assert model.to_dict()["cross_validation"] == by_path.to_dict()["cross_validation"]
    predictions = by_path.predict(frame)
    right = sum(found.value == truth for found, truth in zip(predictions, frame[target]))
    assert right >= 0.9 * len(frame)
    assert all(sum(found.probabilities.values()) == pytest.approx(1) for found in predictions)
    assert [found.value for found in by_path.predict(examples / "iris.csv")] == [found.value for found in predictions]
    by_path.save(tmp_path / "model.json")
    loaded = fewest.Model.load(tmp_path / "model.json")
    assert loaded.predict(frame) == predictions
    assert pickle.loads(pickle.dumps(by_path)).predict(frame) == predictions


def header(examples):
    return (examples / "iris.csv").read_text().splitlines()[0].split(",")


def test_options_are_those_of_the_command_line():
    rows = {"x": [at % 7 for at in range(70)], "y": ["a" if at % 7 > 3 else "b" for at in range(70)], "id": range(70)}
    model = fewest.learn(rows, "y", ignore=["id"], max_depth=1, folds=5, costs={"x": 2.5}, class_weights="balanced")
    assert model.leaves == 2
    assert model.columns == ("x",)
    assert "x" in model.export_text()
    assert "<svg" in model.plot() and "<svg" in model._repr_html_()
    question = fewest.learn({"x": list(range(50, 0, -1)), "z": [at * 2.0 for at in range(50, 0, -1)]}, "z > 40")
    assert question.leaves == 2


def test_what_cannot_be_learned_says_so():
    with pytest.raises(fewest.TableError, match="one class"):
        fewest.learn({"x": [1, 2], "y": ["a", "a"]}, "y")
    with pytest.raises(FileNotFoundError):
        fewest.learn("none.csv", "y")
    model = fewest.learn({"x": [0, 1] * 20, "y": ["a", "b"] * 20}, "y")
    with pytest.raises(fewest.TableError):
        model.predict({"other": [1]})
