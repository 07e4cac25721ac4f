"""Runs exports through their consumers in Python: ONNX by onnxruntime, PMML by pypmml, FHIR by fhir.resources, SQL by DuckDB."""

import json
import pathlib
import sys

import duckdb
import numpy
import onnx
import onnxruntime
from fhir.resources.R4B.questionnaire import Questionnaire
from pypmml import Model


def by_pmml(path, cases):
    """pypmml says which class it predicts; none for an unknown answer."""
    model = Model.fromFile(str(path))
    fields = [field for field in model.inputNames]
    for case in cases:
        found = model.predict({field: case["answers"].get(field) for field in fields})
        yield case, found["predicted_identified"]


def by_fhir(path, cases):
    """The questionnaire is valid, and following `enableWhen` shows exactly one text: the names."""
    text = path.read_text()
    Questionnaire.model_validate_json(text)
    items = json.loads(text)["item"]
    order = {item["linkId"]: at for at, item in enumerate(items)}
    for at, item in enumerate(items):
        for when in item.get("enableWhen", []):
            assert order[when["question"]] < at, "a question is asked before what depends on it"
    # A FHIR item has no name for its test, so that the case's answers are followed by the strategy's tree.
    tree = json.loads(path.with_name(path.name.replace(".fhir.json", ".plan.json")).read_text())["tree"]
    for case in cases:
        given, node, shown = {}, tree, None
        for item in items:
            whens = item.get("enableWhen", [])
            if not all(given.get(when["question"]) == when["answerCoding"]["code"] for when in whens):
                continue
            if item["type"] == "display":
                assert shown is None, "one result"
                shown = item["text"]
                continue
            answer = case["answers"].get(node["ask"])
            words = " ".join((answer or "").split()) or "–"
            codes = [option["valueCoding"]["code"] for option in item["answerOption"] if option["valueCoding"]["display"] == words]
            given[item["linkId"]] = codes[0] if codes else "unknown"
            node = node["answers"].get(answer, {})
            if "ask" not in node:
                node = {"ask": None, "answers": {}}
        expected = case["names"]
        yield {**case, "names": expected and (" ".join(expected.split()))}, shown


def by_duckdb(path, cases):
    """The view walks all cases at once."""
    database = duckdb.connect()
    for statement in duckdb.extract_statements(path.read_text()):
        database.execute(statement)
    rows = [(str(at), test, answer) for at, case in enumerate(cases) for test, answer in case["answers"].items()]
    database.executemany("INSERT INTO fewest_answer VALUES (?, ?, ?)", rows or [("0", "no test", "x")])
    found = dict(database.execute("SELECT case_id, names FROM fewest_next").fetchall())
    for at, case in enumerate(cases):
        yield case, found.get(str(at))


def by_onnx(path, cases):
    """All cases in one run; an answer that is not given is an unknown one."""
    onnx.checker.check_model(onnx.load(str(path)), full_check=True)
    session = onnxruntime.InferenceSession(str(path))
    names = [tensor.name for tensor in session.get_inputs()]
    column = lambda name: numpy.array([[case["answers"].get(name, "")] for case in cases], dtype=object)
    found = session.run(None, {name: column(name) for name in names})[0]
    for case, result in zip(cases, found):
        yield case, None if result == "?" else result


CONSUMERS = [(".onnx", by_onnx), (".pmml", by_pmml), (".fhir.json", by_fhir), (".sql", by_duckdb)]

folder = pathlib.Path(sys.argv[1])
wrong = 0
for cases_file in sorted(folder.glob("*.cases.json")):
    name = cases_file.name.removesuffix(".cases.json")
    cases = json.loads(cases_file.read_text())
    for ending, consumer in CONSUMERS:
        right = 0
        for case, found in consumer(folder / (name + ending), cases):
            if found == case["names"]:
                right += 1
            else:
                wrong += 1
                print(f"{name}{ending}: {case['answers']}: {found!r}, not {case['names']!r}")
        print(f"{name}{ending}: {right} of {len(cases)} as the strategy")
sys.exit(1 if wrong else 0)
