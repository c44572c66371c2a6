"""How replicates are made, by name: to add a way, write its file and add its line here and in tables/resamplings.py."""

from benchkit.registry import Entry
from benchkit.tables.resamplings import RESAMPLINGS

_SUMMARIES = {resampling.name: resampling.summary for resampling in RESAMPLINGS}


def _entry(name: str, target: str, options: tuple[str, ...] = (), needs: str = "") -> Entry:
    """Return the entry of a way whose file is in this folder; the summary stands in tables/resamplings.py."""
    return Entry(name, _SUMMARIES[name], target=f"{__name__}.{target}", options=options, needs=needs)


RESAMPLERS: tuple[Entry, ...] = (
    _entry("bootstrap", "bootstrap:bootstrap", ("replicates", "stratify", "estimator")),
    _entry("subsampling", "subsampling:subsampling", ("replicates", "test", "stratify")),
    _entry("holdout", "subsampling:holdout", ("test", "validation", "stratify")),
    _entry("kfold", "folds:kfold", ("folds", "stratify")),
    _entry("repeated-kfold", "folds:repeated_kfold", ("folds", "repeats", "stratify")),
    _entry("loo", "folds:leave_one_out"),
    _entry("group-kfold", "groups:group_kfold", ("folds",), "a group column"),
    _entry("leave-one-group-out", "groups:leave_one_group_out", (), "a group column"),
    _entry("5x2cv", "folds:five_times_two", ("stratify",)),
    _entry("disjoint", "disjoint:disjoint", ("replicates", "test", "stratify")),
    _entry(
        "rolling-origin", "rolling:rolling_origin", ("folds", "horizon", "window"), "rows in the order of time, or a time column"
    ),
    _entry("predefined", "predefined:predefined", ("split", "samples", "estimator"), "columns of splits, or a file of samples"),
)
