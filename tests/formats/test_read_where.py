"""--where: rows by the text of a column."""

from pathlib import Path

import pytest
from read_samples import fault, rows, source, write

CONTENT = 'dataset,algorithm,performance,fit_seconds,a=b\niris,rf,1,100,x\niris,"lm, old",2,100,y\nwine,rf,3,90.5,y\n,rf,4,,\n'


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        (["dataset=iris"], [1, 2]),
        (["dataset=iris,wine"], [1, 2, 3]),
        (["dataset = iris , wine"], [1, 2, 3]),
        (["dataset!=iris"], [3, 4]),
        (["dataset="], [4]),
        (["dataset!="], [1, 2, 3]),
        (['algorithm="lm, old"'], [2]),
        (['algorithm!="lm, old"', "dataset=iris"], [1]),
        (["fit_seconds=100"], [1, 2]),
        (["fit_seconds=100.0,90.5"], [1, 2, 3]),
        (["performance=3"], [3]),
        (["a=b=y"], [2, 3]),
        (["a=b!=y"], [1, 4]),
    ],
)
def test_conditions_choose_rows(tmp_path: Path, where: list[str], kept: list[int]) -> None:
    assert rows(write(tmp_path, CONTENT), "performance", where=where) == [(float(value),) for value in kept]


@pytest.mark.parametrize(
    ("where", "message", "hint"),
    [
        (
            "datset=iris",
            "--where: r.csv has no column 'datset' (it has: dataset, algorithm, performance, fit_seconds, a=b)",
            "'dataset'",
        ),
        ("dataset=Iris", "--where: 'Iris' never occurs in the column dataset", "did you mean 'iris'?"),
        ("dataset!=zoo", "--where: 'zoo' never occurs in the column dataset", "it has: iris, wine"),
        ("dataset", "--where dataset is not of the form column=value", "such as"),
        ("=iris", "--where =iris is not of the form column=value", "such as"),
    ],
)
def test_what_is_not_there_is_an_error(tmp_path: Path, where: str, message: str, hint: str) -> None:
    found = fault(write(tmp_path, CONTENT), where=[where])
    assert found[0] == message
    assert hint in found[1]


def test_a_value_with_a_comma_is_spelled_out_as_it_must_be_typed(tmp_path: Path) -> None:
    path = write(tmp_path, 'replicate,algorithm,performance\n1,"k-NN, k=5",1\n1,rf,2\n')
    message, hint = fault(path, where=["algorithm=k-NN, k=5"])
    assert message == "--where: 'k-NN' never occurs in the column algorithm"
    assert hint == "a value that contains a comma stands in double quotes: --where 'algorithm=\"k-NN, k=5\"'"
    assert rows(path, "performance", where=['algorithm="k-NN, k=5"']) == [(1.0,)]
    assert fault(path, where=["algorithm!=k-NN, k=5"])[1].endswith("--where 'algorithm!=\"k-NN, k=5\"'")
    assert fault(path, where=["algorithm=rf,k-NN, k=5"])[1] == 'it has: "k-NN, k=5", rf'


def test_a_number_is_no_name(tmp_path: Path) -> None:
    path = write(tmp_path, "replicate,algorithm,performance\n001,rf,1\n1,rf,2\n")
    assert rows(path, "performance", where=["replicate=001"]) == [(1.0,)]
    assert rows(path, "performance", where=["replicate=1"]) == [(2.0,)]


def test_conditions_see_the_columns_behind_the_border(tmp_path: Path) -> None:
    wide = write(tmp_path, "task,rf,lm\niris,1,2\nwine,3,4\n")
    read = source(wide, rename=["task=dataset"], wide=True, where=["algorithm=lm", "dataset=wine"])
    assert read.frame.collect().rows() == [("wine", "lm", 4.0)]
    assert read.everything.collect().height == 4
    values = write(tmp_path, "algorithm,acc,time\nrf,1,2\n")
    assert rows(values, "metric performance", value=["acc,time"], where=["metric=time"]) == [("time", 2.0)]
