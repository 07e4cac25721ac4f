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
