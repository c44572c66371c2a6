"""`roc --check`: the brute-force bootstrap beside the formulas."""

import numpy as np
import polars as pl
import pytest

from benchkit.core.roc.answer import roc
from benchkit.core.roc.request import RocRequest, parse_marks
from benchkit.errors import BenchkitError
from benchkit.methods.curve.questions import Asked, Target, Vary
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteBlock, VoteSource

# many voters for the items: of few, whatever two items share by chance adds to what a bootstrap finds
ITEMS, VOTERS = 240, 300


def forest(name: str, seed: int = 5, strength: float = 1.2) -> list[VoteBlock]:
    """Return an ensemble in two blocks, the second packed; voters lean one way for all items."""
    generator = np.random.default_rng(seed)
    labels = (np.arange(ITEMS) % 2).astype(np.int8)
    place = generator.normal(labels * strength - strength / 2, 1.0)
    votes = place[:, None] + generator.normal(0, 0.2, VOTERS) + generator.normal(0, 1.0, (ITEMS, VOTERS)) > 0
    items = pl.Series([f"i{j}" for j in range(ITEMS)])
    packed = np.packbits(votes[150:], axis=1)
    return [
        VoteBlock(name, VOTERS, items[:150], labels[:150], votes=votes[:150].astype(np.uint8)),
        VoteBlock(name, VOTERS, items[150:], labels[150:], packed=packed),
    ]


def ask(*blocks: VoteBlock, **request: object) -> Result:
    source = VoteSource("votes", lambda: iter(blocks), ["memory"], dict)
    return roc(source, RocRequest(**request), lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def inside(result: Result) -> pl.DataFrame:
    """Return the rows of rates between 0.08 and 0.92, and the AUC."""
    points = result.tables["points"]
    kept = []
    for name in ("fpr", "tpr"):
        some = points.filter(pl.col(name).is_between(0.08, 0.92)).select(
            "ensemble", "voters_used", pl.col("threshold").alias("at"), pl.lit(name).alias("characteristic")
        )
        kept.append(some)
    check = result.tables["check"]
    rates = check.join(pl.concat(kept), on=["ensemble", "voters_used", "at", "characteristic"], how="semi")
    return pl.concat([check.filter(pl.col("characteristic") == "auc"), rates])


@pytest.mark.parametrize(("vary", "target"), [("voters", "rerun"), ("both", "rerun"), ("items", "deployed")])
def test_formulas_and_bootstrap_agree(vary: Vary, target: Target) -> None:
    sizes = () if target == "deployed" else (12, 20)
    result = ask(*forest("a"), asked=Asked(vary, target), voters_used=sizes, check=1500)
    check = result.tables["check"]
    assert check["vary"].unique().to_list() == [vary]
    assert check["draws"].unique().to_list() == [1500]
    seen = inside(result)
    assert seen.height > 15
    assert (seen["ratio"] - 1).abs().max() < 5 / np.sqrt(2 * 1499)
    assert seen["ratio_error"].to_numpy() == pytest.approx(seen["ratio"].to_numpy() / np.sqrt(2 * 1499))
    assert seen["ratio"].to_numpy() == pytest.approx(seen["analytic_sd"].to_numpy() / seen["bootstrap_sd"].to_numpy())
    first = check.filter((pl.col("characteristic") == "fpr") & (pl.col("at") == 0))
    assert first["ratio"].is_null().all()
    assert {"check", "check-ratios"} <= {note.code for note in result.notes}


def test_the_papers_variance_is_too_small_for_voters() -> None:
    result = ask(*forest("a"), asked=Asked("voters", "rerun"), voters_used=(20,), variance="paper", check=400)
    assert inside(result)["ratio"].min() < 0.88  # type: ignore[operator]


def test_deployed_is_what_the_tables_say() -> None:
    result = ask(*forest("a"), asked=Asked("items", "deployed"), marks=parse_marks(["fpr=0.1"]), check=50)
    check, points = result.tables["check"], result.tables["points"]
    np.testing.assert_allclose(check.filter(pl.col("characteristic") == "tpr")["analytic_sd"], points["tpr_sd"], rtol=1e-9)
    assert check["characteristic"].to_list()[:2] == ["auc", "tpr_at_fpr"]
    # DeLong's variance has n - 1 where a bootstrap has n
    assert check["analytic_sd"][0] == pytest.approx(result.tables["ensembles"]["std_error"][0], rel=0.004)


def test_several_ensembles_each_by_itself_and_seeded() -> None:
    blocks = [*forest("a", 5), *forest("b", 6)]
    both, again = (ask(*blocks, asked=Asked("voters", "rerun"), check=60).tables["check"] for _ in "12")
    assert both.equals(again)
    assert both["ensemble"].unique(maintain_order=True).to_list() == ["a", "b"]


def test_scores_are_checked_for_items() -> None:
    blocks = forest("a")
    labels = np.concatenate([one.labels for one in blocks])
    score = np.random.default_rng(1).normal(labels, 1.0)
    frame = pl.DataFrame({"item": [f"i{j}" for j in range(ITEMS)], "algorithm": "svm", "label": labels, "score": score})
    source = VoteSource("scores", lambda: iter(()), ["memory"], dict, frame.lazy())
    check = roc(source, RocRequest(check=800), lambda: np.random.default_rng(1)).tables["check"]
    assert check["ratio"][0] == pytest.approx(1, abs=0.1)
    assert check["voters_used"].is_null().all()


def test_what_cannot_be_checked() -> None:
    blocks = forest("a")
    with pytest.raises(BenchkitError, match="--check cannot check --target mean"):
        ask(*blocks, asked=Asked("both", "mean"), check=10)
    with pytest.raises(BenchkitError, match="takes all 300 voters"):
        ask(*blocks, asked=Asked("items", "rerun"), voters_used=(7,), check=10)
    with pytest.raises(BenchkitError, match="too few draws"):
        ask(*blocks, check=1)
    taken = [VoteBlock("a", VOTERS, one.items, one.labels, taken=np.arange(len(one.labels)) % 301) for one in blocks]
    with pytest.raises(BenchkitError, match="needs the votes of each voter"):
        ask(*taken, asked=Asked("voters", "rerun"), variance="paper", check=10)
