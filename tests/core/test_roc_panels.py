"""Titles and captions of figures of ROC curves, and what cannot be drawn."""

from collections.abc import Mapping

import polars as pl
import pytest

from benchkit.core.roc.panels import ensemble_names, roc_panels
from benchkit.errors import BenchkitError
from benchkit.tables import shapes

ENSEMBLE = {
    "method": "joint", "n_voters": 128, "n_negative": 40, "n_positive": 60, "target": "rerun", "vary": "both", "ci_level": 0.95,
    "share_voters": 0.2, "share_items": 0.8,
}  # fmt: skip


def tables(areas: Mapping[tuple[str, int], float], verdict: str | None = None, band: bool = True) -> dict[str, pl.DataFrame]:
    """Return the tables of ensembles and sizes with these areas; verdict: of the first name against the last."""
    ensembles = [
        ENSEMBLE | {"ensemble": name, "voters_used": size, "auc": area, "ci_low": area - 0.02, "ci_high": area + 0.02}
        for (name, size), area in areas.items()
    ]
    points = [
        {"ensemble": name, "voters_used": size, "threshold": t, "fpr": fpr, "tpr": fpr**0.5, "ci_level": 0.95,
         "fpr_share_voters": 0.3, "tpr_share_voters": 0.3, "upper_fpr": fpr if band else None}
        for name, size in areas
        for t, fpr in enumerate((1.0, 0.5, 0.0))
    ]  # fmt: skip
    found = {"ensembles": shapes.build(shapes.ENSEMBLES, ensembles), "points": shapes.build(shapes.POINTS, points)}
    if verdict:
        (a, b), means = (next(iter(areas))[0], list(areas)[-1][0]), list(areas.values())
        pair = {"metric": "auc", "a": a, "b": b, "mean_a": means[0], "mean_b": means[-1], "estimate": 0.1, "verdict": verdict}
        found["pairs"] = shapes.build(shapes.PAIRS, [pair])
    return found


def title(kind: str, found: Mapping[str, pl.DataFrame]) -> str:
    (panel,) = roc_panels(kind, found)
    return panel.title


def test_the_title_of_curves_is_the_area_or_who_is_better() -> None:
    assert title("roc", tables({("rf", 128): 0.9134})) == "rf: AUC 0.913 [0.893, 0.933]"
    assert title("roc", tables({("rf", 16): 0.85, ("rf", 128): 0.9})) == "rf: AUC 0.850 at 16, 0.900 at 128 voters"
    two = {("a", 128): 0.8, ("b c", 128): 0.9}
    assert title("roc", tables(two)) == 'AUC: a 0.800, "b c" 0.900'
    assert title("roc", tables(two, "worse")) == 'AUC: "b c" is better than a, 0.900 against 0.800'
    assert title("roc", tables(two, "undecided")) == 'AUC: a and "b c" are not separated, 0.800 against 0.900'
    assert title("roc", {"points": tables(two)["points"]}) == 'ROC: a, "b c"'


def test_the_title_of_shares_says_what_the_variance_is_from() -> None:
    assert title("shares", tables({("rf", 128): 0.9})) == "rf: 80% of the variance of the AUC is from the test items"
    assert title("shares", tables({("a", 8): 0.9, ("b", 8): 0.8})) == "20% of the variance of the AUC is from the voters"


def test_the_title_of_sizes_says_what_the_last_step_brought() -> None:
    assert (
        title("enough", tables({("rf", 64): 0.9, ("rf", 128): 0.905, ("rf", 16): 0.8})) == "AUC from 64 to 128 voters: rf +0.0050"
    )
    assert title("enough", tables({("rf", 64): 0.9})) == "AUC: rf 0.900"


def test_the_caption_has_items_voters_level_and_what_it_is_about() -> None:
    (panel,) = roc_panels("roc", tables({("rf", 128): 0.9}))
    about = "about an ensemble grown anew and tested on new items"
    assert panel.caption == f"40 negative and 60 positive items, 128 voters; 95% intervals {about}"
    (panel,) = roc_panels("roc", tables({("rf", 64): 0.9}))
    counts = "40 negative and 60 positive items, curves of 64 voters from 128 at hand"
    assert panel.caption == f"{counts}; 95% intervals {about}"
    (panel,) = roc_panels("enough", tables({("rf", 128): 0.9}))
    assert "95% intervals" in panel.caption


def test_scores_are_of_classifiers_not_of_voters() -> None:
    found = tables({("logit", 8): 0.9})
    none = pl.lit(None, pl.Int64)
    scores = found["ensembles"].with_columns(
        voters_used=none, n_voters=none, target=pl.lit("deployed"), vary=pl.lit("items"), method=pl.lit("delong")
    )
    (panel,) = roc_panels("roc", {"ensembles": scores, "points": found["points"].with_columns(voters_used=none)})
    assert panel.caption == "40 negative and 60 positive items; 95% intervals about these very classifiers on new items"


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((64, 128, 512), "AUC from 64 to 128 voters: rf +0.0500"),  # not the step to 512, which nobody has grown
        ((128, 512), "AUC from 128 to 512 voters (extrapolated): rf +0.0500"),
        ((16, 64, 128), "AUC from 64 to 128 voters: rf +0.0500"),
    ],
)
def test_the_title_of_sizes_is_about_voters_at_hand(sizes: tuple[int, ...], expected: str) -> None:
    found = tables({("rf", size): 0.7 + 0.05 * step for step, size in enumerate(sizes)})
    assert title("enough", found) == expected


@pytest.mark.parametrize("kind", ["roc", "shares", "enough"])
def test_the_caption_says_which_sizes_nobody_has_grown(kind: str) -> None:
    text = "sizes beyond the 128 voters at hand are extrapolated from them, which smooths"
    (panel,) = roc_panels(kind, tables({("rf", 128): 0.9, ("rf", 512): 0.91}))
    assert text in panel.caption
    (panel,) = roc_panels(kind, tables({("rf", 64): 0.9, ("rf", 128): 0.91}))
    assert "beyond" not in panel.caption


def test_the_caption_of_shares_says_what_ends_of_all_voters_are() -> None:
    captions = [roc_panels("shares", tables({("rf", size): 0.9}))[0].caption for size in (64, 128)]
    assert ["100% at the ends" in caption for caption in captions] == [True, False]


def test_scores_have_no_shares_and_no_voters_that_could_vary() -> None:
    points = tables({("rf", 128): 0.9})["points"].with_columns(
        pl.lit(None, pl.Int64).alias("voters_used"), pl.lit(None, pl.Float64).alias("fpr_share_voters"),
        pl.lit(None, pl.Float64).alias("tpr_share_voters"),
    )  # fmt: skip
    with pytest.raises(BenchkitError, match="scores have no voters"):
        roc_panels("shares", {"points": points})


def test_titles_name_the_size_they_are_about_where_there_are_several() -> None:
    areas = {(name, size): 0.8 for name in "ab" for size in (16, 64)}
    assert title("roc", tables(areas)) == "AUC at 64 voters: a 0.800, b 0.800"
    assert title("shares", tables(areas)) == "20% of the variance of the AUC at 64 voters is from the voters"


def test_an_area_next_to_one_is_no_one() -> None:
    assert title("roc", tables({("a", 8): 0.99996, ("b", 8): 1 - 1e-9})) == "AUC: a 0.99996, b >0.999999"


def test_the_ensembles_that_are_kept_rule_the_other_tables() -> None:
    found = tables({("a", 8): 0.9, ("a", 16): 0.9, ("b", 8): 0.8})
    kept = found | {"ensembles": found["ensembles"].filter(pl.col("voters_used") == 8)}
    (panel,) = roc_panels("roc", kept)
    assert panel.tables["points"].select("ensemble", "voters_used").unique().sort("ensemble").rows() == [("a", 8), ("b", 8)]
    assert ensemble_names(found) == ["a", "b"]


def test_each_data_set_has_its_panel() -> None:
    found = tables({("a", 8): 0.9})
    both = {name: pl.concat(table.with_columns(dataset=pl.lit(data)) for data in ("x", "y")) for name, table in found.items()}
    assert [panel.title.partition(":")[0] for panel in roc_panels("roc", both)] == ["x", "y"]
    assert [panel.tables["points"].height for panel in roc_panels("roc", both)] == [3, 3]


def test_what_is_not_there_cannot_be_drawn() -> None:
    found = tables({("a", 8): 0.9})
    with pytest.raises(BenchkitError, match="roc needs the table points"):
        roc_panels("roc", {"ensembles": found["ensembles"]})
    with pytest.raises(BenchkitError, match="enough needs the table ensembles"):
        roc_panels("enough", {"points": found["points"]})
    only = found["points"].with_columns(pl.lit(0.0).alias(f"{rate}_share_voters") for rate in ("fpr", "tpr"))
    with pytest.raises(BenchkitError, match="only one thing varies"):
        roc_panels("shares", found | {"points": only})
