"""Every way into a table leads to the strategy of the command line."""

import copy
import csv
import io
import json
import pickle
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fewest
from fewest import _fewest

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")


def command_line(path, *options):
    """The strategy that ``fewest build`` saves for a file."""
    saved = path.with_suffix(".json")
    arguments = ["fewest", "build", str(path), "--output", str(saved), *options]
    _fewest.command(arguments, {"threads": None, "observer": None, "canceller": None})
    return without_time(saved.read_text())


def without_time(text):
    """A saved strategy, line by line, without the time it took."""
    lines = [line for line in text.splitlines() if '"elapsed_ms"' not in line]
    return "\n".join(lines)


def strategy_of(data, **options):
    return without_time(fewest.Table(data, **options).build(proof=True).to_json())


def shown(cell):
    """A cell as CSV writes it."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e16:
        return str(int(cell))
    if isinstance(cell, float):
        # Exponents as the library writes them: 1e20 and 3e-7, not 1e+20 and 3e-07.
        return re.sub(r"e([+-])0*(?=\d)", lambda sign: "e" + sign[1].strip("+"), repr(cell))
    return str(cell)


def written(columns):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[shown(cell) for cell in row] for row in zip(*columns.values())])
    return out.getvalue()


def frames(columns):
    """The same columns in every form that is taken."""
    pandas = pd.DataFrame(columns)
    polars = pl.DataFrame(columns, strict=False)
    arrow = pa.table({name: pa.array(cells) for name, cells in columns.items()})
    names = list(columns)
    yield "dict", columns
    yield "dicts", [dict(zip(names, row)) for row in zip(*columns.values())]
    yield "rows", [names, *[list(row) for row in zip(*columns.values())]]
    yield "pandas", pandas
    yield "pandas by pyarrow", pandas.convert_dtypes(dtype_backend="pyarrow")
    yield "pandas nullable", pandas.convert_dtypes()
    yield "pandas index", pandas.set_index(names[0])
    yield "polars", polars
    yield "pyarrow", arrow
    yield "record batches", arrow.to_reader(max_chunksize=3)
    yield "duckdb", duckdb.from_arrow(arrow)
    yield "structured", pandas.to_records(index=False)
    texts = {name: [shown(cell) or None for cell in cells] for name, cells in columns.items()}
    yield "texts", texts
    yield "categories", pd.DataFrame(texts).astype("category")
    yield "polars categories", pl.DataFrame(texts).with_columns(pl.col(pl.String).cast(pl.Categorical))
    yield "bytes", written(columns).encode()
    yield "open file", io.StringIO(written(columns))


def test_zoo_in_every_form(examples, tmp_path):
    typed = pd.read_csv(examples / "zoo.csv")
    columns = {name: typed[name].tolist() for name in typed}
    path = tmp_path / "zoo.csv"
    path.write_text((examples / "zoo.csv").read_text())
    expected = command_line(path)
    for name, data in frames(columns):
        assert strategy_of(data) == expected, name


def columns_of_cells():
    cells = {
        "text": st.sampled_from(["yes", "no", "red", "a, b", 'say "x"', "élan"]),
        "int": st.integers(-3, 9),
        "float": st.sampled_from([0.5, 1.0, 2.25, -4.0, 1e20, 3e-7]),
        "bool": st.booleans(),
    }

    @st.composite
    def table(draw):
        rows = draw(st.integers(2, 9))
        columns = {"object": [f"o{number}" for number in range(rows)]}
        for at in range(draw(st.integers(1, 5))):
            kind = draw(st.sampled_from(sorted(cells)))
            gaps = draw(st.booleans())
            cell = st.one_of(cells[kind], st.none()) if gaps else cells[kind]
            column = draw(st.lists(cell, min_size=rows, max_size=rows))
            if kind == "int" and None in column:
                # Frames keep such columns as floats.
                column = [None if value is None else float(value) for value in column]
            if any(value is not None for value in column):
                columns[f"{kind} {at}"] = column
        if draw(st.booleans()):
            columns["group"] = draw(st.lists(st.sampled_from(["g", "h", "i"]), min_size=rows, max_size=rows))
        if draw(st.booleans()):
            columns["prior"] = draw(st.lists(st.sampled_from([1, 2, 5]), min_size=rows, max_size=rows))
        return columns

    return table()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(columns=columns_of_cells())
@pytest.mark.filterwarnings("ignore::fewest.FewestWarning")
def test_every_way_in_leads_to_the_strategy_of_the_command_line(columns, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(written(columns), encoding="utf-8")
    try:
        expected = command_line(path)
    except fewest.TableError:
        for name, data in frames(columns):
            with pytest.raises((fewest.TableError, fewest.UnknownName)):
                print(name, strategy_of(data))
        return
    for name, data in frames(columns):
        assert strategy_of(data) == expected, name


def test_a_matrix_has_a_row_for_each_object():
    matrix = np.array([[0, 1, 1], [1, 0, 1], [0, 0, 0]])
    plain = fewest.Table(matrix)
    assert plain.objects == ("1", "2", "3")
    assert plain.tests == ("t1", "t2", "t3")
    named = fewest.Table(matrix.astype(float), tests=["a", "b", "c"], objects=["x", "y", "z"], groups=["g", "g", "h"])
    assert named.objects == ("x", "y", "z")
    assert named.identify == "groups"
    assert fewest.Table(matrix.astype(bool)).answers["t1"] == ("false", "true")


def test_missing_values_of_every_kind_are_gaps():
    cells = [None, float("nan"), pd.NA, pd.NaT, "", "?", "a"]
    table = fewest.Table({"o": [f"o{at}" for at in range(7)], "t": cells, "u": list(range(7))})
    assert any("6 of 14 cells hold no value" in note for note in table.notes)


def test_options_are_those_of_the_command_line(examples, tmp_path):
    path = tmp_path / "heart.csv"
    path.write_text((examples / "heart.csv").read_text())
    expected = command_line(
        path, "--costs", str(examples / "heart.costs.csv"), "--bundles", str(examples / "heart.bundles.csv"),
        "--numeric", "bins:3", "--time", "1s",
    )  # fmt: skip
    costs, bundles = examples / "heart.costs.csv", examples / "heart.bundles.csv"
    found = fewest.Table(path, costs=costs, bundles=bundles, numeric="bins:3").build(time=1, proof=True)
    assert json.loads(found.to_json())["reading"] == json.loads(expected)["reading"]


def test_costs_come_by_test_and_by_answer():
    columns = {"o": ["a", "b", "c"], "cheap": ["x", "y", "y"], "dear": ["1", "2", "3"]}
    table = fewest.Table(columns, costs={"dear": 5})
    assert table.costs == {"cheap": 1.0, "dear": 5.0}
    by_answer = fewest.Table(columns, costs={"dear": {"1": 2, "2": 3, "3": 4}})
    assert by_answer.build().cost > 0
    bundled = fewest.Table(columns, costs={"dear": 2, "cheap": 1}, bundles={"lab": (3, ["cheap", "dear"])})
    assert bundled.build().cost == 5
    for priced in (table, by_answer, bundled):
        assert pickle.loads(pickle.dumps(priced)).build().cost == priced.build().cost


def test_questions_have_texts():
    table = fewest.Table({"o": ["a", "b"], "t": [1, 2]}, questions={"t": "How many legs?"})
    assert table.questions == {"t": "How many legs?"}
    assert fewest.Session(table).question.text == "How many legs?"
    with pytest.raises(fewest.UnknownName) as error:
        fewest.Table({"o": ["a", "b"], "legs": [1, 2]}, questions={"lgs": "?"})
    assert error.value.nearest == "legs"


def test_a_table_is_a_value(zoo):
    assert copy.deepcopy(zoo) is zoo
    assert pickle.loads(pickle.dumps(zoo)) == zoo
    assert hash(pickle.loads(pickle.dumps(zoo))) == hash(zoo)
    assert len(zoo) == 101
    assert zoo != fewest.Table({"o": ["a", "b"], "t": [1, 2]})
    assert pickle.loads(pickle.dumps(zoo)).build().to_dict()["tree"] == zoo.build().to_dict()["tree"]


def test_results_have_the_numbers_of_the_command_line(zoo):
    assert zoo.bounds().best["worst"].value == 3
    rows = {row.algorithm: row for row in zoo.compare(time=2).rows}
    assert rows["optimal" if "optimal" in rows else "search"].expected == pytest.approx(2.0792079207920793)
    assert [(point.worst, point.proved) for point in zoo.front().points] == [(4.0, True)]
    report = max(zoo.inspect().tests, key=lambda test: test.information_bits)
    assert report.name == "legs"
    assert zoo.simulate().accuracy == 1.0
    assert 0.5 < zoo.simulate(error=0.1, runs=50).accuracy <= 1.0


def test_generate_and_codes():
    assert fewest.generate("sorting", n=4).tests != ()
    assert len(fewest.generate("coins", n=5)) == 10
    with pytest.raises(TypeError, match="nope"):
        fewest.generate("nope")
    code = fewest.codes([0.5, 0.25, 0.25]).to_dict()
    assert code["codes"][0]["mean"] == 1.5
