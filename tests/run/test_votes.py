"""The votes of the members of an ensemble, against what the members say one by one."""

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from toy_fits import dataset, estimator, fit_of, outcome

from benchkit.run.algorithms.estimator import fit_estimator

N = 60
X = np.random.default_rng(4).normal(size=(N, 4))
SIGN = X[:, 0] + 0.8 * np.random.default_rng(5).normal(size=N) > 0
TRAIN, TEST = np.arange(40), np.arange(40, N)
FEATURES = {f"x{number}": X[:, number] for number in range(4)}
TEXTS = np.where(SIGN, "bad", "good")
TREE = "sklearn.tree:DecisionTreeClassifier"


def data(labels=TEXTS, **plan):
    return dataset(FEATURES | {"y": labels}, task="classification", **plan)


def votes(algorithm, of=None, train=TRAIN, **more):
    return fit_estimator(fit_of(of or data(), algorithm, train, TEST, keep_votes=True, **more)).votes


@pytest.mark.parametrize(("spec", "library"), [("RandomForest", RandomForestClassifier), ("ExtraTrees", ExtraTreesClassifier)])
@pytest.mark.parametrize(("labels", "positive"), [(TEXTS, "good"), (~SIGN, True), (np.where(SIGN, -1, 8), 8)])
def test_forests(spec, library, labels, positive) -> None:
    found = votes(estimator((f"sklearn.ensemble:{spec}Classifier", {"n_estimators": 7})), data(labels))
    forest = library(n_estimators=7, random_state=7).fit(X[TRAIN], labels[TRAIN])
    code = forest.classes_.tolist().index(positive)
    expected = np.column_stack([tree.predict(X[TEST]) == code for tree in forest.estimators_])
    assert found is not None
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, expected)
    # full trees are certain of their class, so that the forest's probability is the share of their votes
    np.testing.assert_allclose(found.mean(axis=1), forest.predict_proba(X[TEST])[:, code])


def test_the_positive_class_may_be_the_first() -> None:
    forest = estimator(("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 7}))
    plain, turned = votes(forest), votes(forest, data(positive="bad"))
    assert plain is not None
    assert turned is not None
    np.testing.assert_array_equal(plain, 1 - turned)


def test_bagging_with_some_of_the_features_for_each_member() -> None:
    params = {"n_estimators": 6, "max_features": 2}
    found = votes(estimator(("sklearn.ensemble:BaggingClassifier", params)))
    bag = BaggingClassifier(random_state=7, **params).fit(X[TRAIN], TEXTS[TRAIN])
    columns = bag.estimators_features_
    expected = [member.predict(X[TEST][:, chosen]) == 1 for member, chosen in zip(bag.estimators_, columns, strict=True)]
    np.testing.assert_array_equal(found, np.column_stack(expected))


def test_bagging_members_that_saw_one_class_only() -> None:
    params = {"n_estimators": 20, "max_samples": 2}
    nearest = {"estimator": "sklearn.neighbors:KNeighborsClassifier", "params": {"n_neighbors": 1}}
    found = votes(estimator(("sklearn.ensemble:BaggingClassifier", params | {"estimator": nearest})))
    bag = BaggingClassifier(KNeighborsClassifier(1), random_state=7, **params).fit(X[TRAIN], TEXTS[TRAIN])
    drawn = [set(TEXTS[TRAIN][rows]) for rows in bag.estimators_samples_]
    assert found is not None
    assert {"good"} in drawn
    assert {"bad"} in drawn
    for number, (member, classes) in enumerate(zip(bag.estimators_, drawn, strict=True)):
        expected = np.full(20, "good" in classes) if len(classes) == 1 else member.predict(X[TEST]) == 1
        np.testing.assert_array_equal(found[:, number], expected)


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("steps", [(), ("sklearn.preprocessing:StandardScaler",)])
def test_a_voting_classifier(voting: str, steps) -> None:
    members = [{"name": "tree", "estimator": TREE}, {"name": "line", "estimator": "sklearn.linear_model:LogisticRegression"}]
    found = votes(estimator(*steps, ("sklearn.ensemble:VotingClassifier", {"estimators": members, "voting": voting})))
    scale = (X[TRAIN].mean(axis=0), X[TRAIN].std(axis=0)) if steps else (0, 1)
    fitted, given = (X[TRAIN] - scale[0]) / scale[1], (X[TEST] - scale[0]) / scale[1]
    plain = (DecisionTreeClassifier(random_state=7), LogisticRegression(random_state=7))
    expected = [member.fit(fitted, TEXTS[TRAIN]).predict(given) == "good" for member in plain]
    np.testing.assert_array_equal(found, np.column_stack(expected))


def test_a_forest_behind_preprocessing_of_texts() -> None:
    forest = estimator(("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 9}), preprocess="auto")
    mixed = dataset(FEATURES | {"color": np.where(X[:, 1] > 0, "red", "blue"), "y": TEXTS})
    found = votes(forest, mixed)
    assert found is not None
    assert found.shape == (20, 9)
    assert 0 < found.mean() < 1
    fit = fit_of(mixed, forest, TRAIN, TEST, keep_votes=True, needs=frozenset({"scores"}))
    np.testing.assert_allclose(found.mean(axis=1), fit_estimator(fit).test.scores)


def test_without_a_positive_training_row_nobody_votes_for_it() -> None:
    forest = estimator(("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 3}))
    found = votes(forest, train=TRAIN[TEXTS[TRAIN] == "bad"])
    assert found is not None
    assert not found.any()


def test_what_does_not_vote_has_no_votes() -> None:
    assert votes(estimator(TREE)) is None
    assert votes(estimator("sklearn.ensemble:AdaBoostClassifier")) is None
    assert votes(estimator("sklearn.ensemble:GradientBoostingClassifier")) is None
    three = data(np.array(["a", "b", "c"])[np.arange(N) % 3])
    assert votes(estimator(("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 3})), three) is None
    numbers = dataset(FEATURES | {"y": X[:, 0]})
    assert votes(estimator(("sklearn.ensemble:RandomForestRegressor", {"n_estimators": 3})), numbers) is None


def test_outcomes_hold_packed_votes() -> None:
    forest = estimator(("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 11}))
    found = votes(forest)
    packed = outcome(fit_of(data(), forest, TRAIN, TEST, keep_votes=True), "accuracy").votes
    assert packed is not None
    bits = np.unpackbits(np.frombuffer(packed[0], dtype=np.uint8).reshape(20, -1), axis=1, count=packed[1])
    np.testing.assert_array_equal(bits, found)
