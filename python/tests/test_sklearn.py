"""The classifier among the estimators of scikit-learn."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest.sklearn import FewestClassifier, export_text, plot_tree


@parametrize_with_checks([FewestClassifier()])
def test_every_check_of_scikit_learn_passes_without_exemption(estimator, check):
    check(estimator)


def iris():
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


def test_words_categories_numbers_and_gaps_are_taken_as_they_are():
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    rows = 60
    columns = {
        "colour": ["red", "blue", None] * (rows // 3),
        "size": [float(at % 5) if at % 7 else float("nan") for at in range(rows)],
        "wet": [at % 2 == 0 for at in range(rows)],
    }
    y = ["yes" if colour == "red" else "no" for colour in columns["colour"]]
    frame = pd.DataFrame(columns)
    categories = frame.astype({"colour": "category"})
    by_frame = FewestClassifier().fit(frame, y)
    assert by_frame.predict(frame).tolist() == y
    assert "colour" in export_text(by_frame)
    for other in (categories, pl.DataFrame(columns), frame.convert_dtypes()):
        assert FewestClassifier().fit(other, y).predict(other).tolist() == y
    objects = np.array([list(row) for row in zip(*columns.values())], dtype=object)
    assert FewestClassifier().fit(objects, y).predict(objects).tolist() == y
    unheard = frame.assign(colour="green")
    assert set(by_frame.predict(unheard)) <= {"yes", "no"}


def test_weights_are_repeated_rows():
    X, y = iris()
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    weighed = FewestClassifier().fit(X, y, sample_weight=weights)
    repeated = FewestClassifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert (weighed.predict_proba(X) == repeated.predict_proba(X)).all()
    balanced = FewestClassifier(class_weight="balanced").fit(X[:120], y[:120])
    assert balanced.predict(X).shape == (150,)


def test_what_a_tree_tells():
    X, y = iris()
    classifier = FewestClassifier(alpha=0.01, costs=[1, 1, 2, 2]).fit(X, y)
    assert classifier.score(X, y) > 0.9
    assert classifier.feature_importances_.sum() == pytest.approx(1)
    nodes = classifier.apply(X)
    path = classifier.decision_path(X)
    assert (path[np.arange(150), nodes] == 1).all()
    assert (path.sum(axis=1).max() - 1) == classifier.get_depth()
    assert classifier.get_n_leaves() >= 3
    assert classifier.cost_of(X).min() >= 1
    assert np.allclose(np.exp(classifier.predict_log_proba(X)), classifier.predict_proba(X))
    assert "<svg" in plot_tree(classifier)
    assert classifier.tree_["classes"] == ["0", "1", "2"]


def test_it_lives_among_the_others():
    X, y = iris()
    search = GridSearchCV(FewestClassifier(), {"alpha": [0.5, 0.05, 1e-4]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.85
    assert cross_val_score(FewestClassifier(), X, y, n_jobs=2, cv=3).mean() > 0.85
    fitted = FewestClassifier(max_depth=2).fit(X, y)
    assert clone(fitted).get_params() == fitted.get_params()
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(X) == fitted.predict(X)).all()


def test_frames_of_earlier_steps_keep_their_names():
    pytest.importorskip("pandas")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = iris()
    pipeline = make_pipeline(StandardScaler(), FewestClassifier()).set_output(transform="pandas").fit(X, y)
    assert pipeline[-1].feature_names_in_.tolist() == ["x0", "x1", "x2", "x3"]


def test_weights_are_routed():
    import sklearn
    from sklearn.model_selection import cross_validate

    X, y = iris()
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = FewestClassifier().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        found = cross_validate(classifier, X, y, params={"sample_weight": np.ones(150)}, cv=3)
    assert found["test_score"].mean() > 0.85


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 2},
        {"pruning": "some"},
        {"max_depth": -1},
        {"min_samples_leaf": 0},
        {"smoothing": "much"},
        {"bins": 1},
        {"categories": "few"},
        {"costs": [1]},
        {"missing": "error"},
    ],
)
def test_wrong_parameters_are_refused_at_fit(options):
    X, y = iris()
    with pytest.raises(ValueError, match=next(iter(options))):
        FewestClassifier(**options).fit(X, y)


def test_a_tree_on_axes():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    X, y = iris()
    figure, ax = pyplot.subplots()
    assert plot_tree(FewestClassifier().fit(X, y), ax) is ax
    pyplot.close(figure)
