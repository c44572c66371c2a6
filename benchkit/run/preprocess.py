"""Preprocessing that is learned from the training rows only: fill gaps, code categories, scale numbers."""

from typing import Any

from benchkit.run.dataset import Dataset


def preprocessor(dataset: Dataset) -> Any:
    """Return an unfitted transformer for the features of the data set.

    Numbers are filled with the median and scaled, texts filled with the commonest and coded one-hot (a category never
    seen gives zeros).
    Which columns are texts and whether any cell is missing comes from the whole table; every value that it uses is
    learned in fit.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    texts, gaps = dataset.texts, dataset.gaps
    numbers = [name for name in dataset.features.columns if name not in texts]
    scale: Any = StandardScaler()
    if not gaps.isdisjoint(numbers):
        scale = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), scale)
    if not texts:
        return scale
    code: Any = OneHotEncoder(handle_unknown="ignore", sparse_output=False, feature_name_combiner=_column_name)
    if not gaps.isdisjoint(texts):
        code = make_pipeline(SimpleImputer(strategy="most_frequent", keep_empty_features=True), code)
    return ColumnTransformer([("numbers", scale, numbers), ("texts", code, texts)], verbose_feature_names_out=False)


def _column_name(feature: str, category: Any) -> str:
    """Return the name of the column of a category: with an underscore, as usual, it might be that of another column."""
    return f"{feature}={category}"
