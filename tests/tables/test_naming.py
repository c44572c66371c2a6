"""The order of names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.tables.naming import natural_key, natural_sort


def test_digits_count_as_numbers() -> None:
    assert natural_sort(["fold10", "fold2", "Fold1"]) == ["Fold1", "fold2", "fold10"]
    assert natural_sort(["10", "9", "001", "1"]) == ["001", "1", "9", "10"]


@given(st.lists(st.one_of(st.text("0123456789", min_size=1, max_size=4), st.text("ab0", max_size=3)), unique=True))
def test_the_order_is_total_and_the_quick_way_agrees(names: list[str]) -> None:
    expected = sorted(names, key=natural_key)
    assert natural_sort(names) == expected
    assert natural_sort(reversed(names)) == expected


@pytest.mark.parametrize("name", ["", "²", "１２", "a\u0000b"])
def test_odd_names_do_not_fail(name: str) -> None:
    assert natural_sort([name, "1"]) in (["1", name], [name, "1"])
