"""What people call our columns, and which renames would make them ours."""

import re
from collections.abc import Collection

SYNONYMS: dict[str, tuple[str, ...]] = {
    # the likeliest first; written without blanks, - and _
    "algorithm": tuple("algorithm algo method classifier model learner estimator regressor approach".split()),
    "dataset": tuple("dataset data task problem benchmark".split()),
    "replicate": tuple(
        "replicate replication run resample bootstrap seed randomseed randomstate subject block iteration trial rep repeat "
        "repetition round split".split()
    ),
    "repeat": tuple("repeat repetition rep replicate replication run iteration round".split()),
    "fold": tuple("fold cvfold outerfold".split()),
    "item": tuple("item question example sample prompt document doc instance testcase case".split()),
    "performance": tuple("performance score value result metricvalue measure".split()),
}
AFFIXES = "name|id|no|nr|num|number|index|idx|key"


def find(target: str, columns: Collection[str]) -> str | None:
    """Return the column that probably holds what we call `target`, by its name; None if there is none or it is there.

    Case, blanks, - and _ do not matter, nor do endings such as name, id or number ("Model Name", questionId).
    """
    if target in columns:
        return None
    names = [(column, _plain(column)) for column in columns]
    patterns = (re.compile(f"{synonym}({AFFIXES})?") for synonym in SYNONYMS[target])
    return next((column for pattern in patterns for column, plain in names if pattern.fullmatch(plain)), None)


def suggest(columns: Collection[str]) -> list[str]:
    """Return the renames, as "old=new", that would supply the algorithm, what makes the blocks, and the data set.

    Each target and each column is named once at most; what is there under our name is left alone. Blocks come from fold
    (with repeat), else item, else replicate, so one of these is enough.
    """
    pairs = [(find("algorithm", columns), "algorithm"), *_blocks(columns), (find("dataset", columns), "dataset")]
    return [f"{old}={new}" for old, new in pairs if old is not None]


def _blocks(columns: Collection[str]) -> list[tuple[str | None, str]]:
    """Return (column or None, target) for what tells the blocks apart."""
    if "replicate" in columns or "item" in columns:
        return []
    fold = find("fold", columns)
    if fold is not None or "fold" in columns:
        return [(find("repeat", columns), "repeat"), (fold, "fold")]
    for target in ("item", "replicate"):
        if found := find(target, columns):
            return [(found, target)]
    # a bare id may number the rows as well as the items, so it is the last to be taken
    return [(next((column for column in columns if _plain(column) == "id"), None), "item")]


def _plain(name: str) -> str:
    return re.sub(r"[\s_.-]", "", name.casefold())
