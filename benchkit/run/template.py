"""The experiment file that `benchkit run --init` writes: it runs as it is and shows every key."""

_TEXT = """\
# An experiment: every algorithm on the same resamples of every data set.
# Run it:      benchkit run experiment.toml -o results.csv
# Look at it:  benchkit summarize results.csv;  benchkit rank results.csv --where metric=error_rate
# A line that begins with # and a key is an example: take the # away to use it.
# Files and modules are looked for beside this file. What it names is run, so run only what you trust.

[experiment]
metrics = ["error_rate", "auc"]     # or mse, rmse, mae, r2, accuracy, balanced_accuracy, f1, log_loss,
                                    # brier, any scorer of scikit-learn, or a function of your own:
#metrics = [{name = "cost", function = "mymetrics:cost", better = "lower"}, "error_rate", "auc"]
#name = "first try"                 # default: the name of this file
#seed = 1                           # the same seed, the same results
#train_performance = false          # do not measure the performance on the training rows as well

[[dataset]]
name = "cancer"
loader = "sklearn.datasets:load_breast_cancer"      # a function that gives (X, y) or a data frame
#params = {as_frame = true}         # what the loader is called with
#task = "classification"            # or "regression"; default: as the target looks
#positive = "benign"                # which of two classes is the positive one; default: the last in order

#[[dataset]]                        # another data set, from a file
#path = "data/patients.csv"         # CSV or Parquet; its name is the default of name
#target = "outcome"                 # the column to predict
#columns = ["age", "dose"]          # columns to predict from; default: all that are not named otherwise
#group = "clinic"                   # rows that stay together in group-kfold and leave-one-group-out
#time = "visited"                   # the order of the rows in rolling-origin
#weight = "weight"                  # how much each row counts
#item = "patient"                   # what predictions call a row; default: its number

[resampling]
method = "bootstrap"                # or subsampling, holdout, kfold, repeated-kfold, loo, group-kfold,
                                    # leave-one-group-out, 5x2cv, disjoint, rolling-origin, predefined
replicates = 20                     # bootstrap, subsampling, disjoint: how many
#stratify = true                    # bootstrap, subsampling, holdout, kfold, repeated-kfold, 5x2cv, disjoint: by class
#estimator = ".632"                 # bootstrap, predefined (samples): or ".632+"; default: "oob"
#test = 0.25                        # subsampling, holdout, disjoint: share (or number) of rows to test on
#validation = 0.25                  # holdout: share (or number) of rows to choose parameters on
#folds = 10                         # kfold, repeated-kfold, group-kfold, rolling-origin: how many
#repeats = 10                       # repeated-kfold: how often
#horizon = 12                       # rolling-origin: rows to test on
#window = 120                       # rolling-origin: rows to train on; default: all that come before
#split = "part"                     # predefined: a column of train, test, validation or of folds (or several)
#samples = "samples.csv"            # predefined: a file with the columns replicate,indices (rows from 1)

[[algorithm]]
name = "tree"
estimator = "sklearn.tree:DecisionTreeClassifier"   # any class with scikit-learn's interface
params = {min_samples_leaf = 5}
#preprocess = "none"                # default of estimators: "auto" (impute, one-hot, scale: learnt in training)
#timeout = "10 min"                 # of one fit; or seconds, "90 s", "2 h"; default: none
#memory = "2 GB"                    # of one fit; or bytes, "500 MB", "1.5 GiB"; default: no limit

[[algorithm]]
name = "logistic"                   # a list of steps: a step with a name or params of its own is a table
estimator = [
    {name = "components", estimator = "sklearn.decomposition:PCA", params = {n_components = 5}},
    "sklearn.linear_model:LogisticRegression",
]
params = {logisticregression__C = 0.5}                  # of a step: its name (or class in lower case), __, parameter

[[algorithm]]
name = "knn"
estimator = "sklearn.neighbors:KNeighborsClassifier"
tune = {grid = {n_neighbors = [3, 7, 15]}, folds = 3}   # chosen anew for each replicate, in its training rows
#tune = {random = {n_neighbors = {low = 1, high = 50, log = true}, p = [1, 2]}, draws = 20, metric = "auc"}
#tune = {grid = {n_neighbors = [3, 7, 15]}, inner = "validation"}    # on the validation rows of a holdout

#[[algorithm]]                      # a function of your own: mymodule.py beside this file
#name = "mine"
#function = "mymodule:fit_predict"  # fit_predict(X_train, y_train, X_test, **params) returns the predictions

#[[algorithm]]                      # a program in any language; also {validation}, {dataset}, {replicate}
#name = "forest in R"
#command = ["Rscript", "fit.R", "{train}", "{test}", "{predictions}", "{seed}", "{trees}"]
#params = {trees = 500}             # each is a placeholder as well; {{ and }} stand for braces
"""


def text() -> str:
    """Return the commented experiment file: three quick algorithms on 20 bootstrap samples of a small data set."""
    return _TEXT
