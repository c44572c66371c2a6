"""Each table's key and columns, in the order in which they are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.tables.columns import COLUMNS

TYPES: dict[str, type[pl.DataType]] = {"text": pl.String, "number": pl.Float64, "count": pl.Int64, "truth": pl.Boolean}


@dataclass(frozen=True)
class Shape:
    """A table of fixed grain: one row for each value of `key`."""

    name: str
    made_by: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    required: tuple[str, ...]

    @property
    def schema(self) -> dict[str, type[pl.DataType]]:
        """The polars type of each column."""
        return {name: TYPES[COLUMNS[name].type] for name in self.columns}


GROUP = ("metric", "dataset")


def _shape(name: str, made_by: str, key: str, rest: str, required: str = "", method: bool = True) -> Shape:
    """Build a Shape from names separated by blanks; every answer begins with metric, dataset, method."""
    keys = GROUP + tuple(key.split())
    columns = GROUP + (("method",) if method else ()) + tuple(key.split()) + tuple(rest.split())
    return Shape(name, made_by, keys, tuple(dict.fromkeys(columns)), tuple(required.split()))


RESULTS = _shape(
    "results", "run", "replicate algorithm",
    "performance better resampling repeat fold n_train n_train_distinct n_test status error fit_seconds predict_seconds "
    "train_performance seed parameters",
    "algorithm performance", method=False,
)  # fmt: skip
PREDICTIONS = _shape(
    "predictions", "run", "replicate item algorithm", "label prediction score", "item algorithm label prediction", method=False
)
ESTIMATES = _shape(
    "estimates", "run", "algorithm", "estimator performance n apparent oob no_information overfitting weight",
    "algorithm estimator apparent oob", method=False,
)  # fmt: skip
PLAN = Shape(
    "plan", "run", ("dataset", "algorithm"),
    tuple(
        "dataset algorithm resampling n_cells n_train_low n_train_high n_test_low n_test_high seconds total_seconds status "
        "error".split()
    ),
    ("algorithm", "n_cells"),
)  # fmt: skip
VOTES = Shape(
    "votes", "run", ("dataset", "replicate", "ensemble", "item"), ("dataset", "replicate", "ensemble", "item", "label"),
    ("ensemble", "item", "label"),
)  # fmt: skip
ALGORITHMS = _shape(
    "algorithms", "summarize", "algorithm",
    "better n n_missing mean sd std_error ci_low ci_high ci_level spread_low spread_high median q1 q3 iqr min max mean_rank wins",
    "algorithm mean sd spread_low",
)  # fmt: skip
PAIRS = Shape(
    "pairs", "test", ("metric", "dataset", "a", "b"),
    tuple(
        "metric dataset method adjust better a b n mean_a mean_b estimate std_error statistic df ci_low ci_high ci_level ci_kind "
        "margin p_value p_adjusted p_equivalence noninferior family_size effect_name effect effect_low effect_high detectable "
        "new_data_low new_data_high verdict".split()
    ),
    ("a", "b", "estimate", "verdict"),
)  # fmt: skip
OVERALL = _shape("overall", "test", "", "statistic df1 df2 p_value n_replicates n_algorithms", "statistic df1 df2 p_value")
MEANS = _shape(
    "means",
    "test",
    "algorithm",
    "n estimate std_error df ci_low ci_high ci_level letters",
    "algorithm estimate std_error letters",
)
COMPONENTS = _shape("components", "test", "component", "variance sd", "component variance")
RANKS = _shape("ranks", "rank", "algorithm", "rank rank_low rank_high ci_level tier letters", "algorithm rank tier")
ORDERS = _shape("orders", "rank", "mechanism", "order transitive objective n_optima", "mechanism order")
RELATIONS = _shape("relations", "rank", "a b", "relation", "a b relation")
ENSEMBLES = _shape(
    "ensembles", "roc", "ensemble voters_used",
    "n_voters n_negative n_positive target vary auc std_error ci_low ci_high ci_level share_voters share_items advice "
    "band_critical",
    "ensemble auc target",
)  # fmt: skip
POINTS = _shape(
    "points", "roc", "ensemble voters_used threshold",
    "fpr tpr fpr_sd tpr_sd fpr_low fpr_high tpr_low tpr_high ci_level fpr_share_voters tpr_share_voters "
    "upper_fpr upper_tpr lower_fpr lower_tpr",
    "ensemble threshold fpr tpr",
)  # fmt: skip
MARKS = _shape(
    "marks", "roc", "ensemble voters_used characteristic at", "estimate std_error ci_low ci_high ci_level share_voters",
    "ensemble characteristic at estimate",
)  # fmt: skip
CHECK = _shape(
    "check", "roc", "ensemble voters_used characteristic at", "vary analytic_sd bootstrap_sd ratio ratio_error draws",
    "ensemble characteristic analytic_sd bootstrap_sd",
)  # fmt: skip
PLACES = _shape("places", "benchplot", "algorithm place", "count", "algorithm place count")
DOTS = _shape("dots", "benchplot", "replicate algorithm", "place performance", "replicate algorithm place performance")
DRAWS = _shape(
    "draws", "benchplot", "a b draw", "share_better share_equivalent share_worse",
    "a b draw share_better share_equivalent share_worse",
)  # fmt: skip
BOXES = _shape("boxes", "benchplot", "algorithm", "whisker_low q1 median q3 whisker_high", "algorithm whisker_low whisker_high")
DENSITIES = _shape("densities", "benchplot", "algorithm performance", "density", "algorithm performance density")
ENTRIES = Shape("entries", "list", ("name",), ("name", "summary", "needs", "assumes", "source", "options"), ("name", "summary"))
NOTES = Shape(
    "notes", "every command", (*GROUP, "code"), (*GROUP, "code", "severity", "message"), ("code", "severity", "message")
)
PROVENANCE = Shape("provenance", "every command", ("key",), ("key", "value"), ("key", "value"))

SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        # from the most to the least specific, so that a file is recognised by the first shape that it fills
        PAIRS, RELATIONS, ENSEMBLES, POINTS, MARKS, CHECK, ALGORITHMS, MEANS, RANKS, ORDERS, OVERALL, COMPONENTS,
        PLACES, DOTS, DRAWS, BOXES, DENSITIES, ENTRIES, NOTES, PROVENANCE, PLAN, ESTIMATES, VOTES, PREDICTIONS, RESULTS,
    )
}  # fmt: skip


def recognise(columns: Iterable[str]) -> Shape | None:
    """Return the first shape whose required columns are all there, or None."""
    present = set(columns)
    return next((shape for shape in SHAPES.values() if present.issuperset(shape.required)), None)


def build(shape: Shape, rows: Mapping[str, object] | Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """Make a table of `shape` from columns or rows: absent columns become null, further ones come last.

    Every column of the glossary has its type there, even if it holds nothing but nulls, so that tables of a shape stack.
    """
    given = rows if isinstance(rows, Mapping) else dict.fromkeys(name for row in rows for name in row)
    further = {name: TYPES[COLUMNS[name].type] for name in given if name in COLUMNS and name not in shape.columns}
    table = pl.DataFrame(rows, schema_overrides=shape.schema | further, infer_schema_length=None, strict=False)
    absent = [pl.lit(None).cast(kind).alias(name) for name, kind in shape.schema.items() if name not in table.columns]
    extra = [name for name in table.columns if name not in shape.columns]
    table = table.with_columns(absent).select(*shape.columns, *extra) if table.width else empty(shape)
    return check(shape, table)


def empty(shape: Shape) -> pl.DataFrame:
    """Return the table of `shape` without rows."""
    return pl.DataFrame(schema=shape.schema)


def check(shape: Shape, table: pl.DataFrame) -> pl.DataFrame:
    """Return `table` if all columns of `shape` are there; raise BenchkitError otherwise."""
    missing = [name for name in shape.columns if name not in table.columns]
    if missing:
        raise BenchkitError(f"the {shape.name} table lacks the column '{missing[0]}'", f"it is made by benchkit {shape.made_by}")
    return table
