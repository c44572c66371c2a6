"""Estimators with scikit-learn's interface: how they are made, what they are given, and what they may answer."""

import numpy as np
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from toy_fits import HERE, dataset, estimator, fit_of, metric, outcome

from benchkit.errors import BenchkitError
from benchkit.run.algorithms.estimator import fit_estimator, model, takes_weights
from benchkit.run.checking import check
from benchkit.run.dataset import Dataset
from benchkit.run.plan import AlgorithmPlan, ExperimentPlan, ResamplingPlan

N = 30
X = np.random.default_rng(2).normal(size=(N, 2))
NUMBERS = {"a": X[:, 0], "b": X[:, 1]}
Y = X[:, 0] - 2 * X[:, 1]
THREE = np.array(["b", "c", "a"])[np.digitize(Y, [-1, 1])]
REGRESSION = dataset(NUMBERS | {"y": Y})
BINARY = dataset(NUMBERS | {"y": np.where(Y > 0, "yes", "no")})
CLASSES = dataset(NUMBERS | {"y": THREE})
TRAIN, TEST = range(20), range(20, N)
LOGISTIC = "sklearn.linear_model:LogisticRegression"
TREE = "sklearn.tree:DecisionTreeClassifier"


def odd(answer, data=REGRESSION, **params):
    return outcome(
        fit_of(data, estimator(("toy_learners:Odd", {"answer": answer} | params)), TRAIN, TEST),
        "mse" if data is REGRESSION else "accuracy",
    )


def test_a_fit_is_that_of_the_library() -> None:
    fit = fit_of(REGRESSION, estimator("sklearn.linear_model:LinearRegression"), TRAIN, TEST, keep_train=True)
    got = outcome(fit, "mse", "mae")
    plain = LinearRegression().fit(X[:20], Y[:20])
    assert got.performance["mse"] == pytest.approx(np.mean((plain.predict(X[20:]) - Y[20:]) ** 2), rel=1e-9, abs=1e-25)
    assert got.train_performance["mae"] == pytest.approx(np.mean(np.abs(plain.predict(X[:20]) - Y[:20])), rel=1e-9, abs=1e-12)
    assert (got.status, got.error, got.seed) == ("ok", None, 7)
    assert (got.fit_seconds or 0) > 0
    assert (got.predict_seconds or 0) > 0


def test_a_pipeline_is_that_of_the_library() -> None:
    algorithm = estimator("sklearn.preprocessing:StandardScaler", LOGISTIC, params={"logisticregression__C": 0.1})
    fit = fit_of(CLASSES, algorithm, TRAIN, TEST, needs=frozenset({"probabilities"}))
    plain = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, random_state=7)).fit(X[:20], THREE[:20])
    predicted = fit_estimator(fit).test
    np.testing.assert_allclose(predicted.probabilities, plain.predict_proba(X[20:]), rtol=1e-9)
    assert predicted.prediction.tolist() == plain.predict(X[20:]).tolist()


def test_parameters_of_the_estimator_and_of_those_within_it() -> None:
    bag = estimator(
        "sklearn.ensemble:BaggingClassifier",
        params={
            "n_estimators": 3,
            "estimator": {"estimator": TREE, "params": {"max_depth": 2}},
            "estimator__min_samples_leaf": 4,
        },
    )
    made = model(bag, BINARY, bag.params, 11)
    assert (made.n_estimators, made.random_state) == (3, 11)
    assert (made.estimator.max_depth, made.estimator.min_samples_leaf, made.estimator.random_state) == (2, 4, 11)


def test_a_list_of_tables_is_a_list_of_named_estimators() -> None:
    members = [
        {"name": "tree", "estimator": TREE, "params": {"random_state": 5}},
        {"estimator": "sklearn.pipeline:Pipeline", "params": {"steps": [{"name": "lr", "estimator": LOGISTIC}]}},
    ]
    voting = estimator(("sklearn.ensemble:VotingClassifier", {"estimators": members}), params={"tree__max_depth": 3})
    made = model(voting, BINARY, voting.params, 11)
    assert [name for name, _ in made.estimators] == ["tree", "2"]
    assert (made.estimators[0][1].random_state, made.estimators[0][1].max_depth) == (5, 3)
    assert made.estimators[1][1].steps[0][1].random_state == 11
    assert outcome(fit_of(BINARY, voting, TRAIN, TEST), "accuracy").status == "ok"


def test_a_list_of_pairs_may_be_written_as_scikit_learn_does() -> None:
    pairs = [["tree", {"estimator": TREE, "params": {"max_depth": 2}}], ["out", "drop"]]
    voting = estimator(("sklearn.ensemble:VotingClassifier", {"estimators": pairs}))
    made = model(voting, BINARY, {}, 11)
    assert [(name, type(one).__name__) for name, one in made.estimators] == [("tree", "DecisionTreeClassifier"), ("out", "str")]
    assert (made.estimators[0][1].max_depth, made.estimators[0][1].random_state) == (2, 11)
    assert outcome(fit_of(BINARY, voting, TRAIN, TEST), "accuracy").status == "ok"
    columns = [["left", {"estimator": "sklearn.preprocessing:StandardScaler"}, ["a"]]]
    parted = estimator(("sklearn.compose:ColumnTransformer", {"transformers": columns}), LOGISTIC)
    assert model(parted, BINARY, {}, 11).steps[0][1].transformers[0][2] == ["a"]
    assert outcome(fit_of(BINARY, parted, TRAIN, TEST), "accuracy").status == "ok"


def test_lists_without_estimators_stay_lists() -> None:
    grouped = estimator(("sklearn.ensemble:HistGradientBoostingClassifier", {"interaction_cst": [[0], [0, 1]]}))
    assert model(grouped, BINARY, {}, 11).interaction_cst == [[0], [0, 1]]


def test_tables_make_what_is_no_estimator_too() -> None:
    process = estimator(
        ("sklearn.gaussian_process:GaussianProcessRegressor", {"kernel": {"estimator": "sklearn.gaussian_process.kernels:RBF"}})
    )
    assert outcome(fit_of(REGRESSION, process, TRAIN, TEST)).status == "ok"
    split = {"estimator": "sklearn.model_selection:KFold", "params": {"n_splits": 2}}
    lasso = estimator(("sklearn.linear_model:LassoCV", {"cv": split}))
    assert model(lasso, REGRESSION, {}, 1).cv.n_splits == 2


def test_random_states_are_set_where_they_are_none() -> None:
    steps = ("sklearn.decomposition:PCA", ("sklearn.ensemble:RandomForestClassifier", {"random_state": 3}))
    made = model(estimator(*steps, preprocess="auto"), BINARY, {}, 11)
    assert (made.named_steps["pca"].random_state, made.named_steps["randomforestclassifier"].random_state) == (11, 3)


def test_a_plan_is_not_changed_by_those_who_get_it() -> None:
    params = {"estimators": [{"name": "t", "estimator": TREE}], "weights": [1]}
    voting = estimator(("sklearn.ensemble:VotingClassifier", params))
    made = model(voting, BINARY, {}, 1)
    assert isinstance(made, VotingClassifier)
    made.weights.append(2)
    assert params["weights"] == [1]


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        (estimator("sklearn.tree:Nothing"), "sklearn.tree has no 'Nothing'"),
        (estimator(TREE, params={"depth": 1}), "algorithm 'a': sklearn.tree:DecisionTreeClassifier has no parameter 'depth'"),
        (estimator(TREE, params={"x__y": 1}), "algorithm 'a' has no parameter 'x__y'"),
        (estimator("sklearn.preprocessing:StandardScaler", TREE, params={"decisiontreeclassifier__q": 1}),
         "algorithm 'a' has no parameter 'decisiontreeclassifier__q'"),
        (estimator("toy_learners:Plain"), "algorithm 'a': toy_learners:Plain has no get_params, so it is no estimator"),
        (estimator("toy_learners:NUMBER"), "algorithm 'a': toy_learners:NUMBER: 'int' object is not callable"),
        (estimator(("sklearn.ensemble:BaggingClassifier", {"estimator": {"estimator": "sklearn.tree:No"}})),
         "sklearn.tree has no 'No'"),
        (estimator(("pathlib:Path", {"a": 1, "b": object()})), "algorithm 'a': pathlib:Path"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_told_before_the_first_fit(algorithm: AlgorithmPlan, message: str) -> None:
    plan = ExperimentPlan(HERE / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (algorithm,))
    with pytest.raises(BenchkitError) as raised:
        check(plan, [BINARY], (), False)
    assert raised.value.message.startswith(message)
    assert raised.value.hint
    failed = outcome(fit_of(BINARY, algorithm, TRAIN, TEST), "accuracy")
    assert (failed.status, failed.error) == ("failed", raised.value.message)


WEIGHTS = np.arange(N) + 1.0
WEIGHTED = dataset(NUMBERS | {"y": Y, "w": WEIGHTS}, weight="w")
EXPECTED = np.average(Y[:20], weights=WEIGHTS[:20])


@pytest.mark.parametrize(
    "algorithm",
    [
        estimator("toy_learners:Weighted"),
        estimator("toy_learners:Weighted", preprocess="auto"),
        estimator("sklearn.preprocessing:StandardScaler", "toy_learners:Weighted"),
        estimator("sklearn.preprocessing:StandardScaler",
                  ("sklearn.pipeline:Pipeline", {"steps": [{"name": "in", "estimator": "toy_learners:Weighted"}]})),
    ],
)  # fmt: skip
def test_weights_reach_the_last_step(algorithm: AlgorithmPlan) -> None:
    got = outcome(fit_of(WEIGHTED, algorithm, TRAIN, TEST))
    assert got.performance["mse"] == pytest.approx(np.average((EXPECTED - Y[20:]) ** 2, weights=WEIGHTS[20:]))
    assert takes_weights(model(algorithm, WEIGHTED, {}, 1))


def test_without_a_parameter_for_weights_they_are_left_out_with_a_remark() -> None:
    knn = estimator("sklearn.neighbors:KNeighborsRegressor", preprocess="auto")
    plan = ExperimentPlan(HERE / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (knn,))
    assert check(plan, [WEIGHTED], (), False) == ["a takes no weights: it is fitted without those of d"]
    assert outcome(fit_of(WEIGHTED, knn, TRAIN, TEST)).status == "ok"


@pytest.mark.parametrize(
    ("algorithm", "remarks"),
    [
        (AlgorithmPlan("a", HERE, function="toy_learners:recording"), ["a takes no weights: it is fitted without those of d"]),
        (AlgorithmPlan("a", HERE, function="toy_learners:offered"), []),
        (AlgorithmPlan("a", HERE, command=("true",)), ["a takes no weights: it is fitted without those of d"]),
    ],
)
def test_functions_and_commands_without_weights_get_the_remark(algorithm: AlgorithmPlan, remarks: list[str]) -> None:
    plan = ExperimentPlan(HERE / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (algorithm,))
    assert check(plan, [WEIGHTED, WEIGHTED], (), False) == remarks


@pytest.mark.parametrize(
    ("spec", "remarks"),
    [
        ("sklearn.svm:SVC", ["a gives no probabilities (predict_proba), so it gets no log_loss"]),
        ("toy_learners:Odd", ["a gives no probabilities (predict_proba), so it gets no log_loss",
                              "a gives no scores (predict_proba or decision_function), so it gets no auc"]),
        (LOGISTIC, []),
    ],
)  # fmt: skip
def test_what_gives_no_probabilities_or_scores_gets_a_remark_once(spec: str, remarks: list[str]) -> None:
    plan = ExperimentPlan(HERE / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (estimator(spec),))
    assert check(plan, [BINARY, BINARY], [metric(name) for name in ("accuracy", "log_loss", "auc")], False) == remarks


@pytest.mark.parametrize(
    ("data", "spec", "message"),
    [
        (REGRESSION, TREE, "algorithm 'a' is a classifier, but data set 'd' is one of regression"),
        (
            BINARY,
            "sklearn.linear_model:LinearRegression",
            "algorithm 'a' is a regressor, but data set 'd' is one of classification",
        ),
    ],
)
@pytest.mark.parametrize("preprocess", ["none", "auto"])
def test_estimators_for_another_task_are_refused(data: Dataset, spec: str, message: str, preprocess: str) -> None:
    algorithm = estimator(spec, preprocess=preprocess)
    plan = ExperimentPlan(HERE / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (algorithm,))
    with pytest.raises(BenchkitError) as raised:
        check(plan, [data], (), False)
    assert raised.value.message == message
    assert raised.value.hint == "choose another estimator, or write task in [[dataset]]"


def test_an_unknown_parameter_gets_a_near_one() -> None:
    plan = ExperimentPlan(HERE / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (estimator(TREE, params={"depth": 1}),))
    with pytest.raises(BenchkitError) as raised:
        check(plan, [BINARY], (), False)
    assert raised.value.message == "algorithm 'a': sklearn.tree:DecisionTreeClassifier has no parameter 'depth'"
    assert raised.value.hint == "did you mean max_depth?"


def test_a_column_that_is_nearly_one_of_numbers_gives_a_remark() -> None:
    data = dataset({"age": ["1", "2", "?", "4"], "name": ["u", "v", "1", None], "y": [1.0, 2.0, 3.0, 4.0]})
    plan = ExperimentPlan(HERE / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), ())
    assert check(plan, [data], (), False) == ["column age of d holds categories, not numbers, because of '?'"]


@pytest.mark.parametrize("needs", [frozenset({"probabilities"}), frozenset({"scores"})])
def test_classes_that_the_training_rows_lack_have_probability_zero(needs) -> None:
    train = [row for row in range(N) if THREE[row] != "b"]
    fit = fit_of(CLASSES, estimator(LOGISTIC), train, TEST, needs=needs)
    predicted = fit_estimator(fit).test
    assert predicted.probabilities is not None
    plain = LogisticRegression(random_state=7).fit(X[train], THREE[train])
    np.testing.assert_allclose(predicted.probabilities[:, [0, 2]], plain.predict_proba(X[20:]), rtol=1e-9)
    assert (predicted.probabilities[:, 1] == 0).all()
    assert predicted.scores is None


def test_a_single_class_in_the_training_rows() -> None:
    train = [row for row in range(N) if Y[row] > 0]
    got = outcome(fit_of(BINARY, estimator(TREE), train, TEST), "log_loss", "accuracy", predictions=True)
    assert got.status == "ok"
    assert got.predictions == (["yes"] * 10, [1.0] * 10)
    failed = outcome(fit_of(BINARY, estimator(LOGISTIC), train, TEST), "log_loss")
    assert failed.status == "failed"
    assert (failed.error or "").startswith("ValueError: ")


def test_probabilities_go_by_the_names_of_the_classes_in_whatever_order() -> None:
    fit = fit_of(BINARY, estimator("toy_learners:Unsorted"), TRAIN, TEST, needs=frozenset({"probabilities"}))
    predicted = fit_estimator(fit).test
    assert predicted.probabilities is not None
    assert predicted.probabilities.tolist() == [[1.0, 0.0]] * 10  # certain of "no"
    assert predicted.scores is not None
    assert predicted.scores.tolist() == [0.0] * 10


def test_decision_values_are_scores_of_the_positive_class() -> None:
    fit = fit_of(BINARY, estimator("toy_learners:Distances"), TRAIN, TEST, needs=frozenset({"scores"}))
    scores = fit_estimator(fit).test.scores
    assert scores is not None
    np.testing.assert_array_equal(scores, X[20:, 0])
    other = dataset(NUMBERS | {"y": np.where(Y > 0, "yes", "no")}, positive="no")
    turned = fit_estimator(
        fit_of(other, estimator("toy_learners:Distances"), TRAIN, TEST, needs=frozenset({"scores"}))
    ).test.scores
    assert turned is not None
    np.testing.assert_array_equal(turned, -X[20:, 0])
    aucs = [
        outcome(fit_of(data, estimator("toy_learners:Distances"), TRAIN, TEST), "auc").performance["auc"]
        for data in (BINARY, other)
    ]
    assert aucs[0] == pytest.approx(aucs[1])


def test_what_gives_no_probabilities_or_scores_lacks_the_metrics_that_need_them() -> None:
    svc = estimator("sklearn.svm:SVC")
    without = outcome(fit_of(BINARY, svc, TRAIN, TEST), "log_loss", "accuracy")
    assert (without.status, without.error) == ("ok", None)
    assert without.undefined == {
        "log_loss": "log_loss: the algorithm gives no probabilities (predict_proba, or a column for each class)"
    }
    got = outcome(fit_of(BINARY, svc, TRAIN, TEST), "auc", "accuracy")
    plain = SVC(random_state=7).fit(X[:20], Y[:20] > 0)
    assert got.undefined is None
    assert got.performance["accuracy"] == np.mean(plain.predict(X[20:]) == (Y[20:] > 0))
    assert without.performance == {"log_loss": None, "accuracy": got.performance["accuracy"]}
    assert odd("no", BINARY).status == "ok"
    neither = outcome(fit_of(BINARY, estimator(("toy_learners:Odd", {"answer": "no"})), TRAIN, TEST), "auc")
    assert (neither.status, neither.error, neither.performance) == ("ok", None, {"auc": None})
    assert neither.undefined == {
        "auc": "auc: the algorithm gives no scores (predict_proba or decision_function, or a column for each class)"
    }


@pytest.mark.parametrize(
    "labels",
    [
        np.where(Y > 0, "z", "ä b"),
        np.where(Y > 0, 5, -3),
        Y > 0,
        np.where(Y > 0, 0.5, 1.25),
        np.array([10, 9, 100])[np.digitize(Y, [-1, 1])],
        THREE,
    ],
)
def test_every_kind_of_classes(labels) -> None:
    data = dataset(NUMBERS | {"y": labels}, task="classification")
    metrics = ["accuracy", "log_loss", "balanced_accuracy", "brier"]
    forest = ("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 5})
    got = outcome(fit_of(data, estimator(forest), TRAIN, TEST, keep_train=True), *metrics)
    assert (got.status, got.error) == ("ok", None)
    assert got.train_performance["accuracy"] > 0.8  # type: ignore[operator]


def test_floats_that_mean_whole_number_classes_and_predictions_in_a_column() -> None:
    data = dataset(NUMBERS | {"y": np.where(Y > 0, 7, 3)}, task="classification")
    got = outcome(fit_of(data, estimator("toy_learners:Floats"), TRAIN, TEST), "accuracy", predictions=True)
    assert got.predictions == (["3"] * 10, [None] * 10)
    assert got.performance["accuracy"] == np.mean(Y[20:] <= 0)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([[0.0, 1.0]], "gave 2 columns of predictions for regression"),
        (float("nan"), "prediction 1 of 10 is nan"),
        (float("inf"), "prediction 1 of 10 is inf"),
        ("x", "predicted 'x', which is no number"),
        (None, "prediction 1 of 10 is nan"),
        (1j, "predicted '1j', which is no number"),
    ],
)
def test_odd_answers_in_regression(answer, message) -> None:
    failed = odd(*answer) if isinstance(answer, list) else odd(answer)
    assert (failed.status, failed.error) == ("failed", message)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([1.0] * 9, "gave 9 predictions for 10 rows"),
        ([], "gave 0 predictions for 10 rows"),
        ([[[1.0]]] * 10, "gave 10 x 1 x 1 predictions for 10 rows"),
        (3.0, "gave a single float, not predictions for 10 rows"),
        (None, "returned nothing; it has to return the predictions"),
    ],
)
def test_answers_of_the_wrong_shape(answer, message) -> None:
    failed = odd(answer, repeat=False)
    assert (failed.status, failed.error) == ("failed", message)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("maybe", "predicted 'maybe', which is none of the classes no, yes"),
        (1, "predicted '1', which is none of the classes no, yes"),
        (None, "prediction 1 of 10 is missing"),
        (float("nan"), "prediction 1 of 10 is missing"),
    ],
)
def test_odd_answers_in_classification(answer, message) -> None:
    failed = odd(answer, BINARY)
    assert (failed.status, failed.error) == ("failed", message)


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        ("ValueError", "failed", "ValueError: two lines"),
        ("SystemExit", "failed", "SystemExit: 3"),
        ("Memory", "out-of-memory", "MemoryError"),
        ("Mute", "failed", "MuteError"),
        ("Empty", "failed", "RuntimeError"),
    ],
)
def test_what_a_fit_raises_is_its_outcome(error, status, message) -> None:
    failed = outcome(fit_of(REGRESSION, estimator(("toy_learners:Broken", {"error": error})), TRAIN, TEST))
    assert (failed.status, failed.error, failed.performance) == (status, message, {})


def test_a_long_error_is_cut() -> None:
    failed = outcome(fit_of(REGRESSION, estimator(("toy_learners:Broken", {"error": "Long"})), TRAIN, TEST))
    assert len(failed.error or "") == 500
    assert (failed.error or "").endswith("x ...")


def test_global_generators_are_seeded_for_every_fit() -> None:
    chancy = estimator("toy_learners:Chancy")
    first = outcome(fit_of(REGRESSION, chancy, TRAIN, TEST)).performance
    np.random.rand(3)
    assert outcome(fit_of(REGRESSION, chancy, TRAIN, TEST)).performance == first
    assert outcome(fit_of(REGRESSION, chancy, TRAIN, TEST, seed=8)).performance != first
