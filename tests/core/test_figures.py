"""The numbers behind the figures."""

import numpy as np
import polars as pl
import pytest
from in_memory import Read
from scipy.stats import gaussian_kde

from benchkit.core.figures import boxes, densities, dots, podium


@pytest.mark.parametrize("ties", ["random", "share"])
def test_podium_counts_every_value_once(read: Read, ties: str) -> None:
    values = np.random.default_rng(1).integers(0, 3, (40, 4)).astype(float)
    values[3, 1] = np.nan
    places, drawn = podium(read(values).experiments[0], ties, np.random.default_rng(2))
    by_algorithm = dict(places.group_by("algorithm").agg(pl.col("count").sum()).rows())
    assert by_algorithm == pytest.approx({"a1": 40, "a2": 39, "a3": 40, "a4": 40})
    by_place = places.group_by("place").agg(pl.col("count").sum()).sort("place")
    assert by_place["count"].to_list() == pytest.approx([40, 40, 40, 39])
    assert drawn.height == 159


def test_podium_shares_a_tie(read: Read) -> None:
    places, drawn = podium(read(np.array([[1.0, 1.0, 2.0]])).experiments[0], "share", np.random.default_rng(1))
    assert places.filter(pl.col("count") > 0).select("algorithm", "place", "count").rows() == [
        ("a1", 1, 0.5), ("a1", 2, 0.5), ("a2", 1, 0.5), ("a2", 2, 0.5), ("a3", 3, 1.0),
    ]  # fmt: skip
    assert drawn["place"].to_list() == [1, 1, 3]


def test_podium_is_in_the_global_order_of_the_direction(read: Read) -> None:
    values = np.array([[1.0, 3.0, 2.0], [1.0, 3.0, 2.0]])
    for better, order in (("lower", ["a1", "a3", "a2"]), ("higher", ["a2", "a3", "a1"])):
        places, _ = podium(read(values, better=better).experiments[0], "random", np.random.default_rng(1))
        assert places["algorithm"].unique(maintain_order=True).to_list() == order
        assert places.filter(pl.col("count") > 0)["place"].to_list() == [1, 2, 3]


def test_dots_without_direction_have_no_place(read: Read) -> None:
    assert dots(read(np.array([[1.0, 2.0]]), better=None).experiments[0])["place"].to_list() == [None, None]


def test_boxes_by_hand(read: Read) -> None:
    values = np.array([[v] for v in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 30.0)])
    box = boxes(read(values).experiments[0]).row(0, named=True)
    # quartiles 3, 5, 7; reach 6: the last values inside are 1 and 8
    assert [box[name] for name in ("whisker_low", "q1", "median", "q3", "whisker_high")] == [1.0, 3.0, 5.0, 7.0, 8.0]


def test_density_agrees_with_scipy(read: Read) -> None:
    values = np.random.default_rng(4).gamma(2.0, size=300)
    table = densities(read(values[:, None]).experiments[0])
    q1, q3 = np.quantile(values, [0.25, 0.75])
    width = 0.9 * min(values.std(ddof=1), (q3 - q1) / 1.34) * 300**-0.2
    kernel = gaussian_kde(values, bw_method=width / values.std(ddof=1))
    expected = kernel(table["performance"].to_numpy())
    np.testing.assert_allclose(table["density"].to_numpy(), expected, atol=2e-3 * expected.max())


def test_no_density_of_equal_values(read: Read) -> None:
    assert densities(read(np.ones((5, 1))).experiments[0]).height == 0


def test_whiskers_never_lie_inside_the_box(read: Read) -> None:
    box = boxes(read(np.array([[0.0], [10.0], [10.0], [10.0]])).experiments[0]).row(0, named=True)
    # the quartiles are 7.5, 10, 10 and the last value within 3.75 of the box is 10
    assert [box[name] for name in ("whisker_low", "q1", "whisker_high")] == [7.5, 7.5, 10.0]
