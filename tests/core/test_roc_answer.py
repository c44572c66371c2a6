"""The tables of `roc`: which variance answers which question, pairs, and cases at the edge."""

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtr, ndtri

from benchkit.core.roc.answer import roc
from benchkit.core.roc.request import RocRequest, parse_marks, parse_sizes
from benchkit.errors import BenchkitError
from benchkit.methods.curve.moments import moments
from benchkit.methods.curve.questions import Asked
from benchkit.methods.curve.tally import Tally
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteBlock, VoteSource

ITEMS, VOTERS = 300, 24


def made(seed: int = 1, strength: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Return labels (the same for every seed) and votes that know something of them."""
    labels = np.random.default_rng(0).integers(0, 2, ITEMS).astype(np.int8)
    generator = np.random.default_rng(seed)
    share = 1 / (1 + np.exp(-strength * (2 * labels[:, None] - 1) - generator.normal(size=(1, VOTERS)) * 0.5))
    hard = np.random.default_rng(5).normal(size=(ITEMS, 1))
    return labels, (generator.random((ITEMS, VOTERS)) < 1 / (1 + np.exp(-np.log(share / (1 - share)) - 2 * hard))).astype(
        np.uint8
    )


def block(name: str, labels: np.ndarray, votes: np.ndarray, first: int = 0) -> VoteBlock:
    items = pl.Series([f"i{first + j}" for j in range(len(labels))], dtype=pl.String)
    return VoteBlock(name, votes.shape[1], items, labels.astype(np.int8), votes=votes)


def source(*blocks: VoteBlock) -> VoteSource:
    return VoteSource("votes", lambda: iter(blocks), ["memory"], dict)


def ask(given: VoteSource, **request: object) -> Result:
    return roc(given, RocRequest(**request), lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def auc_variance(given: VoteSource, vary: str, target: str, **request: object) -> float:
    found = ask(given, asked=Asked(vary, target), **request)  # type: ignore[arg-type]
    return float(found.tables["ensembles"]["std_error"][0]) ** 2


ONE = source(block("a", *made()))


def test_by_default_a_rerun_on_new_items() -> None:
    row = ask(ONE).tables["ensembles"].row(0, named=True)
    assert (row["target"], row["vary"], row["voters_used"], row["n_voters"]) == ("rerun", "both", VOTERS, VOTERS)
    assert row["share_voters"] + row["share_items"] == pytest.approx(1.0)
    assert row["advice"] == ("more voters" if row["share_voters"] > 0.5 else "more items")
    assert row["ci_low"] < row["auc"] < row["ci_high"]


def test_the_letters_of_the_specification_add_up() -> None:
    both = auc_variance(ONE, "both", "rerun")
    assert both == pytest.approx(auc_variance(ONE, "voters", "rerun") + auc_variance(ONE, "items", "rerun"), rel=1e-12)
    mean = auc_variance(ONE, "both", "mean")
    assert mean == pytest.approx(auc_variance(ONE, "voters", "mean") + auc_variance(ONE, "items", "mean"), rel=1e-12)
    assert auc_variance(ONE, "both", "prediction") == pytest.approx(both + mean, rel=1e-12)
    voters = auc_variance(ONE, "voters", "rerun") + auc_variance(ONE, "voters", "mean")
    assert auc_variance(ONE, "voters", "prediction") == pytest.approx(voters, rel=1e-12)


def test_rates_have_the_variances_of_the_specification() -> None:
    labels, votes = made()
    tally = Tally(VOTERS)
    tally.add(labels, votes, packed=False)
    found = moments(tally.counts, VOTERS, np.arange(VOTERS + 1))
    points = ask(ONE).tables["points"]
    for c, name in enumerate(("fpr", "tpr")):
        rates = points[name].to_numpy()
        realised = [(votes[labels == c].sum(axis=1) >= t).mean() for t in range(VOTERS + 1)]
        np.testing.assert_allclose(rates, realised, rtol=1e-12)
        sampling, across = rates * (1 - rates) / (labels == c).sum(), np.diag(found.across_items[c, c])
        wanted = np.where((sampling + across > 0) & (np.diag(found.same_item[c]) + across > 0), sampling + across, sampling)
        np.testing.assert_allclose(points[f"{name}_sd"].to_numpy() ** 2, wanted, rtol=1e-9, atol=1e-18)
        paper = ask(ONE, variance="paper").tables["points"]
        wanted = rates / (labels == c).sum() + np.diag(found.same_item[c])
        np.testing.assert_allclose(paper[f"{name}_sd"].to_numpy() ** 2, wanted, rtol=1e-9)


def test_the_lowest_threshold_is_certain() -> None:
    first = ask(ONE).tables["points"].row(0, named=True)
    assert (first["threshold"], first["fpr"], first["tpr"], first["fpr_sd"], first["tpr_sd"]) == (0.0, 1.0, 1.0, 0.0, 0.0)
    assert (first["fpr_low"], first["tpr_high"]) == (1.0, 1.0)


def test_intervals_and_bands_hold_the_curve_and_stay_within_range() -> None:
    points = ask(ONE).tables["points"]
    for name in ("fpr", "tpr"):
        assert (points[f"{name}_low"] <= points[name] + 1e-12).all()
        assert (points[f"{name}_high"] >= points[name] - 1e-12).all()
        assert points[f"{name}_low"].min() >= 0.0
        assert points[f"{name}_high"].max() <= 1.0
    band = points.drop_nulls("upper_tpr")
    assert band.height > 3
    assert (band["upper_tpr"] >= band["tpr"]).all()
    assert (band["upper_fpr"] <= band["fpr"]).all()
    assert (band["lower_tpr"] <= band["tpr"]).all()


def test_sizes_of_ensembles() -> None:
    result = ask(ONE, voters_used=(6, 24, 48))
    ensembles = result.tables["ensembles"]
    assert ensembles["voters_used"].to_list() == [6, 24, 48]
    assert ensembles["share_voters"].is_sorted(descending=True)  # more voters, less luck of theirs
    assert "beyond-voters" in {note.code for note in result.notes}
    smooth = ask(ONE, voters_used=(6,), resampling="with")
    assert "smoothed" in {note.code for note in smooth.notes}


def test_numbers_at_chosen_places() -> None:
    result = ask(ONE, marks=parse_marks(["fpr=0.1,0.2", "tpr=0.9"], [0.3]))
    marks = result.tables["marks"]
    assert marks["characteristic"].to_list() == ["tpr_at_fpr", "tpr_at_fpr", "fpr_at_tpr", "partial_auc"]
    assert (marks["ci_low"] < marks["estimate"]).all()
    assert (marks["ci_high"] > marks["estimate"]).all()
    assert marks["ci_high"][3] < 0.3


def test_two_ensembles_on_the_same_items_are_paired() -> None:
    two = source(block("strong", *made(1, 1.5)), block("weak", *made(2, 0.5)))
    result = ask(two, marks=parse_marks(["tpr=0.8"]))
    pairs = result.tables["pairs"]
    assert pairs["metric"].to_list() == ["auc", "fpr_at_tpr=0.8"]
    auc, fpr = pairs.to_dicts()
    assert (auc["a"], auc["b"], auc["better"], auc["verdict"], auc["n"]) == ("strong", "weak", "higher", "better", ITEMS)
    assert auc["estimate"] == pytest.approx(auc["mean_a"] - auc["mean_b"])
    assert (fpr["better"], fpr["estimate"] < 0) == ("lower", True)
    by_name = dict(result.tables["ensembles"].select("ensemble", "std_error").iter_rows())
    assert auc["std_error"] < np.hypot(by_name["strong"], by_name["weak"])  # pairing helps


def test_the_order_of_items_and_blocks_makes_no_difference() -> None:
    (labels, first), (_, second) = made(1), made(2)
    order = np.random.default_rng(3).permutation(ITEMS)
    names = pl.Series([f"i{j}" for j in order])
    shuffled = [
        VoteBlock("b", VOTERS, names[:100], labels[order][:100], votes=second[order][:100]),
        VoteBlock("b", VOTERS, names[100:], labels[order][100:], votes=second[order][100:]),
    ]
    plain = ask(source(block("a", labels, first), block("b", labels, second))).tables["pairs"]
    other = ask(source(block("a", labels, first), *shuffled)).tables["pairs"]
    assert plain["std_error"][0] == pytest.approx(other["std_error"][0], rel=1e-12)


def test_ensembles_on_other_items_are_independent() -> None:
    labels, votes = made(2)
    result = ask(source(block("a", *made(1)), block("b", labels, votes, first=ITEMS)))
    by_name = dict(result.tables["ensembles"].select("ensemble", "std_error").iter_rows())
    assert result.tables["pairs"]["std_error"][0] == pytest.approx(np.hypot(by_name["a"], by_name["b"]), rel=1e-12)
    assert "unpaired" in {note.code for note in result.notes}
    other = labels.copy()
    other[0] = 1 - other[0]
    with pytest.raises(BenchkitError, match="item 'i0' has one label"):
        ask(source(block("a", *made(1)), block("b", other, votes)))


def test_equal_ensembles_do_not_differ() -> None:
    labels, votes = made()
    row = ask(source(block("a", labels, votes), block("b", labels, votes))).tables["pairs"].row(0, named=True)
    assert (row["estimate"], row["p_value"], row["verdict"]) == (0.0, 1.0, "undecided")


def test_scores_have_items_only() -> None:
    labels, votes = made()
    score = votes.mean(axis=1)
    frame = pl.DataFrame({"item": [f"i{j}" for j in range(ITEMS)], "algorithm": "svm", "label": labels, "score": score})
    given = VoteSource("scores", lambda: iter(()), ["memory"], dict, frame.lazy())
    result = ask(given)
    row = result.tables["ensembles"].row(0, named=True)
    votes_row = ask(ONE, asked=Asked("items", "deployed")).tables["ensembles"].row(0, named=True)
    assert (row["method"], row["target"], row["voters_used"]) == ("delong", "deployed", None)
    assert row["auc"] == pytest.approx(votes_row["auc"], rel=1e-12)
    assert row["std_error"] == pytest.approx(votes_row["std_error"], rel=1e-12)
    with pytest.raises(BenchkitError, match="only the number of votes is known"):
        ask(given, asked=Asked("both", "rerun"))


def test_numbers_of_votes_alone_tell_of_items_only() -> None:
    labels, votes = made()
    whole = block("a", labels, votes)
    counted = VoteBlock("a", VOTERS, whole.items, whole.labels, taken=votes.sum(axis=1).astype(np.int64))
    result = ask(source(counted))
    assert result.tables["ensembles"]["target"][0] == "deployed"
    assert "voters-unknown" in {note.code for note in result.notes}
    assert result.tables["points"]["fpr"].to_list() == ask(ONE).tables["points"]["fpr"].to_list()


def test_cases_at_the_edge() -> None:
    labels, votes = made()
    with pytest.raises(BenchkitError, match="no item of ensemble 'a' is positive"):
        ask(source(block("a", np.zeros(4, dtype=np.int8), votes[:4])))
    single = ask(source(block("a", labels, votes[:, :1])))
    assert single.tables["ensembles"]["target"][0] == "deployed"
    tied = ask(source(block("a", labels, np.ones((ITEMS, 5), dtype=np.uint8))))
    assert tied.tables["ensembles"]["auc"][0] == 0.5
    assert "zero-variance" in {note.code for note in tied.notes}
    worse = ask(source(block("a", labels, 1 - votes)))
    assert worse.tables["ensembles"]["auc"][0] < 0.5  # never flipped
    assert "below-half" in {note.code for note in worse.notes}
    two_items = ask(source(block("a", np.array([0, 1], dtype=np.int8), np.array([[0, 1], [1, 1]], dtype=np.uint8))))
    assert two_items.tables["ensembles"]["std_error"][0] is None
    assert "no-band" in {note.code for note in two_items.notes}


@pytest.mark.parametrize(("vary", "target"), [("both", "deployed"), ("voters", "deployed"), ("items", "prediction")])
def test_combinations_without_a_meaning(vary: str, target: str) -> None:
    with pytest.raises(BenchkitError, match=f"--target {target}"):
        ask(ONE, asked=Asked(vary, target))  # type: ignore[arg-type]


def test_bad_requests() -> None:
    for text in ("0.1", "fpr", "fpr=0", "fpr=1", "fpr=x", "auc=0.5"):
        with pytest.raises(BenchkitError):
            parse_marks([text])
    for text in ("0", "x", "-3", "1.5"):
        with pytest.raises(BenchkitError):
            parse_sizes(text)
    assert parse_sizes("64, 128,64") == (64, 128)
    with pytest.raises(BenchkitError, match="about all 24 voters"):
        ask(ONE, asked=Asked("items", "deployed"), voters_used=(6,))


def test_the_same_request_gives_the_same_numbers() -> None:
    first, second = (ask(ONE, marks=parse_marks(["fpr=0.1"])).tables for _ in "12")
    for name, table in first.items():
        assert table.equals(second[name])


def test_a_variance_that_is_estimated_as_negative_is_no_certainty() -> None:
    """Few voters that know nothing of one another: O and the items' part come out negative by chance."""
    for seed in range(40):
        generator = np.random.default_rng(seed)
        labels = generator.integers(0, 2, 60).astype(np.int8)
        votes = [(generator.random((60, 7)) < 0.2 + 0.6 * labels[:, None]).astype(np.uint8) for _ in "ab"]
        two = source(block("a", labels, votes[0]), block("b", labels, votes[1]))
        for asked in (None, Asked("both", "mean"), Asked("items", "rerun"), Asked("both", "prediction")):
            tables = ask(two, asked=asked).tables
            for row in tables["ensembles"].to_dicts():
                assert row["std_error"] is None or row["std_error"] > 0 or row["auc"] == 1.0
                assert asked is not None or row["std_error"] is not None
            if tables["ensembles"]["auc"].max() == 1.0:
                continue
            pair = tables["pairs"].row(0, named=True)
            assert pair["std_error"] is None or pair["std_error"] > 0
            assert pair["verdict"] is not None or pair["std_error"] is None


def test_an_area_at_its_limit_has_no_interval() -> None:
    labels = np.array([0, 1] * 20, dtype=np.int8)
    perfect = ask(source(block("a", labels, np.repeat(labels[:, None], 5, axis=1).astype(np.uint8))))
    row = perfect.tables["ensembles"].row(0, named=True)
    assert (row["auc"], row["ci_low"], row["ci_high"]) == (1.0, None, None)
    assert "at-the-limit" in {note.code for note in perfect.notes}


def test_the_paper_s_variance_is_of_a_rerun() -> None:
    with pytest.raises(BenchkitError, match="one variance"):
        ask(ONE, asked=Asked("both", "mean"), variance="paper")


def test_the_worked_example_of_the_specification() -> None:
    """Section 7: votes 0001, 0100, 1100 of class 0 and 1110, 0111, 1111, 1010 of class 1, ensembles of two."""
    votes = np.array([[0, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0]])
    example = source(block("a", np.array([0, 0, 0, 1, 1, 1, 1]), votes.astype(np.uint8)))
    points = ask(example, voters_used=(2,), resampling="with").tables["points"]
    np.testing.assert_allclose(points["fpr_sd"].to_numpy() ** 2, [0, 0.0619212963, 0.0341435185], atol=1e-10)
    np.testing.assert_allclose(points["tpr_sd"].to_numpy() ** 2, [0, 0.019938151, 0.0485839844], atol=1e-10)
    paper = ask(example, voters_used=(2,), resampling="with", variance="paper").tables["points"]
    np.testing.assert_allclose(paper["fpr_sd"].to_numpy() ** 2, [0.3333333333, 0.2560763889, 0.0755208333], atol=1e-10)
    np.testing.assert_allclose(paper["tpr_sd"].to_numpy() ** 2, [0.25, 0.2456054688, 0.1909179688], atol=1e-10)
    row = ask(example, voters_used=(2,), resampling="with").tables["ensembles"].row(0, named=True)
    assert row["auc"] == pytest.approx(0.7864583333, abs=1e-10)
    assert row["std_error"] ** 2 == pytest.approx(0.032007288, abs=1e-9)


def test_intervals_of_scores_at_a_place_hold_the_truth() -> None:
    """Two normal distributions 1.2 apart: the interval of the TPR at FPR 0.2 has it about as often as it says (120 samples)."""
    held = []
    for seed in range(120):
        generator = np.random.default_rng(seed)
        labels = np.array([0, 1] * 150, dtype=np.int8)
        score = generator.normal(size=300) + 1.2 * labels
        columns = {"item": [str(j) for j in range(300)], "algorithm": "svm", "label": labels, "score": score}
        given = VoteSource("scores", lambda: iter(()), ["memory"], dict, pl.DataFrame(columns).lazy())
        row = ask(given, marks=parse_marks(["fpr=0.2"])).tables["marks"].row(0, named=True)
        held.append(row["ci_low"] <= float(ndtr(1.2 + ndtri(0.2))) <= row["ci_high"])
    assert 0.87 <= np.mean(held) <= 0.99
