"""The three kinds of algorithms: a scikit-learn compatible estimator, a function, a command."""
