"""Mistakes are exceptions that say where, what, and what to do."""

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fewest

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


@pytest.mark.parametrize(
    ("data", "options", "kind", "words", "row", "column"),
    [
        ({"o": ["a", "a"], "t": [1, 2]}, {"verbatim": True}, fewest.TableError, "rows 2 and 3", 3, None),
        ({"o": ["a", "b"], "t": [1]}, {}, fewest.TableError, "column `t` has 1 values", None, "t"),
        ({"o": ["a", "b"], "prior": ["x", 1], "t": [1, 2]}, {}, fewest.TableError, "row 2, column `prior`", 2, "prior"),
        ({"o": ["a", None], "t": [1, 2]}, {"verbatim": True}, fewest.TableError, "has no name", 3, "o"),
        ({"o": ["a", "b"], "t": ["1", None]}, {"missing": "error"}, fewest.TableError, 'missing="answer"', 3, "t"),
        ({"o": ["a", "b"], "t": ["x", "a\0b"]}, {}, fewest.TableError, "NUL byte", 3, "t"),
        ({"o": [], "t": []}, {}, fewest.TableError, "no objects", None, None),
        ({}, {}, fewest.TableError, "", None, None),
        ([["o", "t"], ["a"]], {}, fewest.TableError, "row 2 has 1 cells", 2, None),
        ({"o": ["a", "b"], "t": [1, 2]}, {"identify": "groups"}, fewest.TableError, 'identify="objects"', None, None),
        ({"o": ["a", "b"], "t": [1, 2]}, {"costs": {"t": -1}}, fewest.TableError, "a cost is a number > 0", None, None),
    ],
)
def test_a_bad_table_is_refused_with_its_place(data, options, kind, words, row, column):
    with pytest.raises(kind) as error:
        fewest.Table(data, **options)
    assert words in str(error.value)
    assert "--" not in str(error.value)
    assert (error.value.row, error.value.column) == (row, column)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize("option", ["ignore", "tests", "group", "prior", "object", "costs"])
def test_a_name_that_does_not_exist_is_answered_with_the_nearest(option):
    value = {"costs": {"lgs": 2}, "tests": ["lgs"], "ignore": ["lgs"]}.get(option, "lgs")
    with pytest.raises((fewest.UnknownName, fewest.TableError)) as error:
        fewest.Table({"o": ["a", "b"], "legs": [1, 2], "fur": [1, 2]}, **{option: value})
    assert "legs" in str(error.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (5, "a int is no table"),
        (None, "no table"),
        ({"o": "abc", "t": [1, 2, 3]}, "column `o` is a str"),
        ({"o": 5}, "column `o` is a int"),
        ([], "empty list"),
        ([1, 2], "rows are all dicts, or all lists"),
        (np.zeros(3), "1 dimensions"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
        (pl.LazyFrame({"a": [1]}), "collect"),
    ],
)
def test_what_is_no_table_is_a_type_error_that_lists_what_is(data, words):
    with pytest.raises(TypeError, match=words):
        fewest.Table(data)


def test_files_that_are_not_there_are_the_usual_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        fewest.Table(tmp_path / "none.csv")
    with pytest.raises(IsADirectoryError):
        fewest.Table(tmp_path)
    with pytest.raises(FileNotFoundError):
        fewest.Strategy.load(tmp_path / "none.json")
    (tmp_path / "bad.csv").write_bytes(b"o,t\na,1\nb,\0\n")
    with pytest.raises(fewest.ReadError) as error:
        fewest.Table(tmp_path / "bad.csv")
    assert (error.value.row, error.value.column) == (3, "t")
    assert error.value.path.endswith("bad.csv")


def test_a_name_that_would_end_the_process_is_refused():
    with pytest.raises(fewest.TableError, match="NUL byte"):
        fewest.Table(pl.DataFrame({"o": ["a"], "t\0": [1]}))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda table: table.build(algorithm="ggsb"), fewest.UnknownName, "ggbs"),
        (lambda table: table.build("expcted"), ValueError, "choose expected"),
        (lambda table: table.build(lam=0.5), ValueError, "lam"),
        (lambda table: table.build(time=-1), ValueError, "seconds"),
        (lambda table: table.build(time=float("nan")), ValueError, "seconds"),
        (lambda table: table.build(threads=0), ValueError, "threads"),
        (lambda table: table.build(cap="least"), ValueError, "best"),
        (lambda table: table.build(cap=0.5), fewest.FewestError, "there is no strategy"),
        (lambda table: table.build(on_interrupt="stop"), ValueError, "return"),
        (lambda table: table.build(progress=5), TypeError, "Progress"),
        (lambda table: fewest.build(table, numeric="exact"), TypeError, "option of reading"),
        (lambda table: fewest.Session(table, noise=2), fewest.SessionError, "error rate"),
        (lambda table: fewest.Session(table, errors=1, noise=0.1), ValueError, "not both"),
        (lambda table: fewest.Session(table, without=["mlik"]), fewest.UnknownName, "milk"),
        (lambda table: fewest.Session(table, until="never"), ValueError, "identified"),
        (lambda table: fewest.Session(5), TypeError, "Table or a Strategy"),
        (lambda table: fewest.Session(table).answer("maybe"), fewest.UnknownName, "has no answer"),
        (lambda table: fewest.Session(table).undo(), IndexError, "there are 0"),
        (lambda table: fewest.Session(table).explain("brea"), fewest.UnknownName, "bear"),
        (lambda table: table.build().identify({"legs": "9"}), fewest.UnknownName, "has no answer"),
        (lambda table: table.build().identify([1]), TypeError, "dict"),
        (lambda table: table.build().export("docx"), ValueError, "choose txt"),
        (lambda table: table.simulate(unknown=1.5), ValueError, "share"),
        (lambda table: fewest.Strategy(), TypeError, "build"),
        (lambda table: fewest.Strategy.from_json("{}"), fewest.TableError, "not a strategy"),
        (lambda table: fewest.learn({"a": [1, 2], "b": ["x", "y"]}, "c"), fewest.TableError, "no such column"),
        (lambda table: fewest.learn({"a": [1, 2], "b": ["x", "y"]}, "b", max_dept=3), TypeError, "max_depth"),
    ],
)
def test_wrong_arguments_are_exceptions(animals, call, kind, words):
    with pytest.raises(kind) as error:
        call(animals)
    assert words in str(error.value)


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.binary(max_size=4),
    st.dates(),
    st.decimals(),
    st.just(pd.NA),
    st.just(pd.NaT),
    st.just(np.float32(0.1)),
    st.just(np.int8(3)),
    st.just(np.bool_(True)),
    st.just(datetime.timedelta(1)),
    st.just(object),
    st.lists(st.integers(), max_size=2),
)
names = st.one_of(st.text(max_size=4), st.sampled_from(["object", "group", "prior", "@cost", "t", "u"]), st.integers())


@st.composite
def any_frame(draw):
    rows = draw(st.integers(0, 6))
    columns = draw(st.dictionaries(names, st.lists(anything, min_size=rows, max_size=rows), max_size=5))
    form = draw(st.sampled_from(["dict", "rows", "pandas", "polars", "ragged"]))
    if form == "pandas":
        return pd.DataFrame(columns)
    if form == "polars":
        texts = {str(name): [repr(cell) for cell in cells] for name, cells in columns.items()}
        return pl.DataFrame(texts)
    if form == "rows":
        return [list(columns), *[list(row) for row in zip(*columns.values())]]
    if form == "ragged":
        return {name: cells[: draw(st.integers(0, rows))] for name, cells in columns.items()}
    return columns


any_options = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from(["auto", "error", "answer", "any"]),
        "numeric": st.sampled_from(["auto", "exact", "thresholds", "measure", "bins:3"]),
        "identify": st.sampled_from(["groups", "objects"]),
        "verbatim": st.booleans(),
        "transpose": st.booleans(),
        "inseparable": st.sampled_from(["join", "refuse"]),
        "several": st.sampled_from(["|", ",", " "]),
        "tolerance": st.sampled_from([0.1, "5%"]),
    },
)


def try_any(data, options):
    """Everything that is not a table is one of our exceptions, never a panic."""
    try:
        table = fewest.Table(data, **options)
        strategy = table.build(time=0.2)
        assert strategy.bound <= strategy.cost * (1 + 1e-9) or strategy.cost == 0
        assert fewest.Session(strategy).done is not None
        repr(table), repr(strategy)
    except (fewest.FewestError, TypeError, ValueError):
        pass


@settings(max_examples=60, deadline=None)
@given(data=any_frame(), options=any_options)
@pytest.mark.filterwarnings("ignore")
def test_no_frame_makes_a_panic(data, options):
    try_any(data, options)
