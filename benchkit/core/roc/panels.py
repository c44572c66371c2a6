"""What figures of ROC curves show: the tables of `roc`, the finding as the title, and the caption."""

from collections.abc import Mapping, Sequence

import polars as pl

from benchkit.core.names import counted, listed, quoted
from benchkit.core.pair_panels import found
from benchkit.core.panels import Panel
from benchkit.core.roc.remarks import ABOUT, CLASSIFIERS
from benchkit.errors import BenchkitError
from benchkit.tables.naming import natural_sort

# the table that a kind draws first, and the others that it uses where they are
DRAWS = {"roc": ("points", "ensembles", "marks"), "shares": ("points", "ensembles"), "enough": ("ensembles", "marks")}
AGAIN = "benchkit roc VOTES -f json holds all that is drawn"


def roc_panels(kind: str, tables: Mapping[str, pl.DataFrame]) -> list[Panel]:
    """Return a panel for each data set of the tables of `roc`, for the kinds roc, shares and enough.

    tables: ensembles, points, marks and pairs, as far as they are known. Where ensembles is, it rules which of the others'
    rows count. Raises BenchkitError if what the kind draws is not there.
    """
    first = DRAWS[kind][0]
    if "ensembles" in tables and tables["ensembles"]["auc"].is_null().all() and not tables["ensembles"].is_empty():
        message = "there are no curves to draw: these ensembles predict numbers"
        raise BenchkitError(message, "their errors stand in the table of benchkit roc VOTES --regression")
    if first not in tables or tables[first].is_empty():
        raise BenchkitError(f"a figure of kind {kind} needs the table {first}", AGAIN)
    if kind == "shares":
        _refuse_one_cause(tables["points"])
    datasets = tables[first]["dataset"].unique(maintain_order=True).to_list()
    return [_panel(kind, dataset, {name: _of(table, dataset, tables) for name, table in tables.items()}) for dataset in datasets]


def _of(table: pl.DataFrame, dataset: str | None, tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the rows of a data set, of those ensembles and sizes that the table ensembles has."""
    keys = ["dataset", "ensemble", "voters_used"]
    if "ensembles" in tables and set(keys) <= set(table.columns):
        table = table.join(
            tables["ensembles"].select(keys).unique(), on=keys, how="semi", nulls_equal=True, maintain_order="left"
        )
    return table.filter(pl.col("dataset").eq_missing(pl.lit(dataset, pl.String))) if "dataset" in table.columns else table


def _refuse_one_cause(points: pl.DataFrame) -> None:
    """Raise BenchkitError where only voters or only items vary, so that every share is 0 or 1."""
    shares = points.select(pl.concat_list("fpr_share_voters", "tpr_share_voters").explode().alias("share"))["share"].drop_nulls()
    if not shares.is_between(0, 1, closed="none").any():
        if points["voters_used"].is_null().all():
            raise BenchkitError("there are no shares to draw: scores have no voters, so only items vary", "choose --kind roc")
        raise BenchkitError("there are no shares to draw: only one thing varies", "benchkit roc --vary both has two")


def _panel(kind: str, dataset: str | None, tables: Mapping[str, pl.DataFrame]) -> Panel:
    title = {"roc": _of_curves, "shares": _of_shares, "enough": _of_sizes}[kind](tables)
    title = f"{dataset}: {title}" if dataset else title
    drawn = {name: tables[name] for name in DRAWS[kind] if name in tables}
    return Panel(None, dataset, title, "; ".join(filter(None, _caption(kind, tables))), "", None, drawn)


def _names(table: pl.DataFrame) -> list[str]:
    return natural_sort(table["ensemble"].unique().to_list())


def ensemble_names(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    """Return the ensembles of the tables in natural order, which rules their colours."""
    return natural_sort(
        {name for table in tables.values() if "ensemble" in table.columns for name in table["ensemble"].to_list()}
    )


def _largest(ensembles: pl.DataFrame) -> pl.DataFrame:
    """Return the row of the largest size of each ensemble."""
    return ensembles.sort("voters_used", nulls_last=False, maintain_order=True).group_by("ensemble", maintain_order=True).last()


def _number(value: float) -> str:
    """Return a rate in three decimals, or in as many more as tell it from 1, up to six."""
    decimals = next((digits for digits in range(3, 7) if value == 1 or round(value, digits) < 1), None)
    return ">0.999999" if decimals is None else f"{value:.{decimals}f}"


def _area(row: Mapping[str, float | None]) -> str:
    """Return an AUC with its interval."""
    low, high = row["ci_low"], row["ci_high"]
    interval = "" if low is None or high is None else f" [{_number(low)}, {_number(high)}]"
    return f"{_number(float(row['auc'] or 0.0))}{interval}"


def _of_curves(tables: Mapping[str, pl.DataFrame]) -> str:
    """Say how large the area is, or which ensemble has the larger."""
    ensembles = tables.get("ensembles")
    if ensembles is None or ensembles.is_empty():
        return f"ROC: {listed([quoted(name) for name in _names(tables['points'])])}"
    largest = _largest(ensembles)
    names = _names(largest)
    if len(names) == 1:
        sizes = ensembles.sort("voters_used").to_dicts()
        if len(sizes) == 1:
            return f"{quoted(names[0])}: AUC {_area(sizes[0])}"
        first, last = (f"{_number(row['auc'])} at {row['voters_used']}" for row in (sizes[0], sizes[-1]))
        return f"{quoted(names[0])}: AUC {first}, {last} voters"
    pairs = _compared(tables.get("pairs"))
    of = f"AUC{_at_size(ensembles)}: "
    if pairs is None:
        by_name = {row["ensemble"]: _number(row["auc"]) for row in largest.to_dicts()}
        return of + listed([f"{quoted(name)} {by_name[name]}" for name in names])
    if pairs.height == 1:
        row = pairs.row(0, named=True)
        means = [_number(row["mean_a"]), _number(row["mean_b"])]
        return f"{of}{found(pairs)}, {' against '.join(means[::-1] if row['verdict'] == 'worse' else means)}"
    return of + found(pairs)


def _at_size(ensembles: pl.DataFrame) -> str:
    """Return " at 64 voters", the size that the title is about, the largest; "" where all voters at hand are the only size."""
    if ensembles["voters_used"].drop_nulls().n_unique() < 2 and not _beyond(ensembles):
        return ""
    sizes = _largest(ensembles)["voters_used"].drop_nulls()
    return f" at {counted(int(sizes[0]), 'voter')}" if sizes.n_unique() == 1 else " at the largest sizes"


def _beyond(ensembles: pl.DataFrame) -> str:
    """Return what the caption says of sizes that are larger than the number of voters at hand; "" without such sizes."""
    beyond = ensembles.filter(pl.col("voters_used") > pl.col("n_voters"))
    if beyond.is_empty():
        return ""
    return f"sizes beyond the {_span(beyond['n_voters'])} voters at hand are extrapolated from them, which smooths"


def _all_of_voters(ensembles: pl.DataFrame) -> str:
    """Return what the caption says of shares of 100% at sizes below the number of voters at hand; "" without such."""
    if ensembles.filter(pl.col("voters_used") < pl.col("n_voters")).is_empty():
        return ""
    return "100% at the ends of sizes below the voters at hand: what is left for the items is estimated as below 0"


def _compared(pairs: pl.DataFrame | None) -> pl.DataFrame | None:
    """Return what was found of the areas at the largest size; None if nothing was compared."""
    if pairs is None or pairs.is_empty():
        return None
    # with several sizes the metric is called "auc (64 voters)"; the largest stands last
    rows = pairs.filter((pl.col("metric") == "auc") | pl.col("metric").str.starts_with("auc ("))
    rows = rows.group_by("a", "b", maintain_order=True).last()
    return rows.with_columns(pl.col("a", "b").map_elements(quoted, pl.String)) if rows.height else None


def _of_shares(tables: Mapping[str, pl.DataFrame]) -> str:
    """Say what most of the variance of the area is from."""
    ensembles = tables.get("ensembles")
    if ensembles is not None and not ensembles.is_empty():
        rows = _largest(ensembles).drop_nulls(["share_voters"]).to_dicts()
        if len(rows) == 1:
            share = rows[0]["share_voters"]
            cause, percent = ("voters", share) if share > 0.5 else ("test items", 1 - share)
            what = f"the variance of the AUC{_at_size(ensembles)}"
            return f"{quoted(rows[0]['ensemble'])}: {_percent(percent)} of {what} is from the {cause}"
        if rows:
            found = [row["share_voters"] for row in rows]
            ends = dict.fromkeys((_percent(min(found)), _percent(max(found))))
            return f"{' to '.join(ends)} of the variance of the AUC{_at_size(ensembles)} is from the voters"
    return "what the variance of the rates is from"


def _percent(share: float) -> str:
    """Return a share as a percentage; one that would round to 0 or 100 as <1% or >99%."""
    return "<1%" if 0 < share < 0.005 else ">99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


def _of_sizes(tables: Mapping[str, pl.DataFrame]) -> str:
    """Say what the last step in size brought: the last among the voters at hand, if there is one."""
    ensembles = tables["ensembles"].drop_nulls("voters_used")
    gains = []
    extrapolated = ""
    for name in _names(ensembles):
        sizes = ensembles.filter(pl.col("ensemble") == name).sort("voters_used").to_dicts()
        grown = [row for row in sizes if row["n_voters"] is None or row["voters_used"] <= row["n_voters"]]
        if len(sizes) > 1:
            before, last = (grown if len(grown) > 1 else sizes)[-2:]
            gains.append((last["auc"] - before["auc"], before["voters_used"], last["voters_used"], name))
            extrapolated = extrapolated if len(grown) > 1 else " (extrapolated)"
    if not gains:
        return "AUC: " + listed([f"{quoted(row['ensemble'])} {_number(row['auc'])}" for row in _largest(ensembles).to_dicts()])
    steps = {gain[1:3] for gain in gains}
    step = f" from {gains[0][1]} to {gains[0][2]} voters" if len(steps) == 1 else " in the last step"
    step += extrapolated
    if len(gains) > 2:
        low, high = (min(gains)[0], max(gains)[0])
        return f"AUC changes by {low:+.4f} to {high:+.4f}{step}"
    return f"AUC{step}: " + ", ".join(f"{quoted(gain[3])} {gain[0]:+.4f}" for gain in gains)


def _caption(kind: str, tables: Mapping[str, pl.DataFrame]) -> list[str]:
    """Return items and voters, and what intervals are about; which bands there are to be seen is the figure's to say."""
    ensembles = tables.get("ensembles")
    first = tables[DRAWS[kind][0]]
    levels = first["ci_level"].drop_nulls().unique().to_list()
    level = f"{100 * levels[0]:.10g}%" if len(levels) == 1 else ""
    parts = []
    if ensembles is not None and not ensembles.is_empty():
        parts += [_counts(ensembles), _beyond(ensembles), _all_of_voters(ensembles) if kind == "shares" else ""]
    else:
        parts.append(_voters(first["voters_used"]) if kind != "enough" else "")
    if ensembles is not None and not ensembles.is_empty() and kind != "shares":
        about = listed(_about(ensembles))
        parts.append(f"{level} intervals{' about ' if about else ''}{about}".lstrip())
        if set(ensembles["method"].drop_nulls()) == {"paper"}:
            parts.append("the paper's variance")
    return parts


def _about(ensembles: pl.DataFrame) -> list[str]:
    """Return what intervals are about, each once; scores without members behind them are of classifiers, not of voters."""
    asked = ensembles.select("target", "vary", pl.col("voters_used").is_null() & pl.col("n_voters").is_null()).rows()
    words = (CLASSIFIERS if classifier else ABOUT.get((target, vary), "") for target, vary, classifier in asked)
    return [text for text in dict.fromkeys(words) if text]


def _counts(ensembles: pl.DataFrame) -> str:
    items = [f"{_span(ensembles[f'n_{name}'])} {name}" for name in ("negative", "positive")]
    at_hand = ensembles["n_voters"].drop_nulls()
    voters = f", {_span(at_hand)} voter{'' if at_hand.max() == 1 else 's'}" if len(at_hand) else ""
    used = ensembles["voters_used"].drop_nulls()
    if used.n_unique() == 1 and at_hand.n_unique() == 1 and used[0] != at_hand[0]:
        voters = f", curves of {counted(int(used[0]), 'voter')} from {at_hand[0]} at hand"
    return f"{items[0]} and {items[1]} items{voters}"


def _voters(sizes: pl.Series) -> str:
    known = sizes.drop_nulls()
    return counted(int(known[0]), "voter") if known.n_unique() == 1 else f"{_span(known)} voters" if len(known) else ""


def _span(counts: pl.Series) -> str:
    """Return a number, or the least and the largest of several."""
    ends: Sequence[object] = (counts.min(), counts.max())
    return " to ".join(str(end) for end in dict.fromkeys(ends))
