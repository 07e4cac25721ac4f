"""Sessions: questions one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fewest


def answers_of(table, name):
    """What an object of a table answers, by test."""
    lines = table.to_csv().decode().splitlines()
    header = lines[0].split(",")
    rows = [dict(zip(header, line.split(","))) for line in lines[1:]]
    return next(row for row in rows if row[header[0]] == name)


@pytest.mark.parametrize("with_strategy", [True, False])
def test_every_object_is_identified_by_its_answers(zoo, with_strategy):
    source = zoo.build() if with_strategy else zoo
    for name in zoo.objects:
        said = answers_of(zoo, name)
        session = fewest.Session(source)
        assert session.run(lambda question, said=said: said[question.test]) == said["group"]
        assert session.done and session.reason == "identified" and session.question is None
        if with_strategy:
            found = source.identify(said)
            assert (found.group, found.cost) == (said["group"], session.cost)
            assert [test for test, _ in found.asked] == [given.test for given in session.answers]


def test_an_answer_can_be_changed_and_taken_back(animals):
    session = fewest.Session(animals.build())
    assert session.question.test == "legs"
    session.answer(4)
    assert session.result == "mammal"
    session.change(0, 2)
    assert session.result == "bird"
    session.undo()
    assert session.answers == () and session.question.test == "legs"
    session.answer("yes", "milk")
    assert session.result == "mammal"
    assert session.what_if("no", "milk").result != "mammal"
    assert session.result == "mammal"


def test_unknown_answers_and_told_facts(animals):
    session = fewest.Session(animals)
    first = session.question.test
    session.unknown()
    assert session.question.test != first
    session.tell({first: None}, milk=False)
    assert {group for share in session.groups for group in share.names} == {"bird", "fish"}
    assert session.cost == 1.0
    assert session.answers[0].answers == ()


def test_why_names_the_gain_and_the_alternatives(zoo):
    session = fewest.Session(zoo)
    why = session.why()
    assert why["choice"]["test"] == session.question.test
    assert why["choice"]["gain_bits"] > 0
    assert {entry["test"] for entry in session.alternatives} <= set(zoo.tests)
    explained = session.explain("bear")
    assert explained["object"] == ["bear"] and explained["agree"] == []


def test_a_contradiction_is_named(animals):
    session = fewest.Session(animals)
    session.tell(milk="yes", legs=0)
    assert session.reason == "contradiction" and session.result is None
    assert set(session.contradiction) == {"milk", "legs"}


def test_wrong_answers_are_survived(zoo):
    session = fewest.Session(zoo, errors=1)
    said = answers_of(zoo, "bear")
    flipped = session.question.test
    for question in session:
        value = said[question.test]
        session.answer({"0": "1", "1": "0"}[value] if question.test == flipped and value in "01" else value)
    assert session.result == "mammal"
    noisy = fewest.Session(zoo, noise={"milk": 0.2}, certainty=0.9)
    assert noisy.run(lambda question: said[question.test]) == "mammal"
    assert noisy.groups[0].probability >= 0.9


def test_rules_are_obeyed(zoo):
    session = fewest.Session(zoo, without=["milk"], first=["fins"], max_cost=2)
    assert session.question.test == "fins"
    session.run(lambda question: question.answers[0])
    assert session.cost <= 2
    assert "milk" not in {given.test for given in session.answers}


def test_a_question_must_be_answered_before_the_next(zoo):
    with pytest.raises(fewest.SessionError, match="was not answered"):
        for _ in fewest.Session(zoo):
            pass


def test_a_session_is_saved_and_loaded(zoo, tmp_path):
    session = fewest.Session(zoo.build())
    session.answer(0)
    session.tell(legs="6")
    session.save(tmp_path / "session.json")
    other = fewest.Session(zoo.build())
    other.load(tmp_path / "session.json")
    assert other.answers == session.answers and other.question == session.question


def test_a_number_answers_a_measured_column():
    columns = {"o": [f"o{at}" for at in range(20)], "size": [at / 3 for at in range(20)]}
    table = fewest.Table(columns, numeric="thresholds")
    session = fewest.Session(table)
    session.tell(size=2.4)
    assert {name for candidate in session.candidates for name in candidate.objects} == {"o7"}


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_changing_an_answer_and_back_changes_nothing(data):
    table = fewest.generate("random", objects=12, tests=6, seed=data.draw(st.integers(0, 20)))
    session = fewest.Session(table)
    while (question := session.question) is not None:
        session.answer(data.draw(st.sampled_from(question.answers)))
    before = (session.answers, session.candidates, session.cost)
    if before[0]:
        place = data.draw(st.integers(0, len(before[0]) - 1))
        old = before[0][place].answers[0]
        for answer in table.answers[before[0][place].test]:
            session.change(place, answer)
        session.change(place, old)
    assert (session.answers, session.candidates, session.cost) == before


def test_what_a_session_says_of_itself(animals):
    session = fewest.Session(animals)
    assert repr(session) == "<Session 0 answers, asks 'legs'>"
    session.answer("4")
    assert repr(session) == "<Session 1 answer, identified: mammal>"
