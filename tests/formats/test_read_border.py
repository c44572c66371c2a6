"""--rename, --value and --wide."""

from pathlib import Path

import pytest
from read_samples import fault, rows, source, write

KEY = "replicate algorithm performance"


def test_renamed_columns_become_ours(tmp_path: Path) -> None:
    path = write(tmp_path, "run,method,score\n1,rf,0.5\n")
    assert rows(path, KEY, rename=["run=replicate", "method=algorithm", "score=performance"]) == [("1", "rf", 0.5)]


def test_names_may_swap_and_may_contain_the_sign(tmp_path: Path) -> None:
    path = write(tmp_path, "algorithm,model,a=b\n7,rf,0.5\n")
    renames = ["algorithm=replicate", "model=algorithm", "a=b=performance"]
    assert rows(path, KEY, rename=renames) == [("7", "rf", 0.5)]


@pytest.mark.parametrize(
    ("rename", "message", "hint"),
    [
        (["metod=algorithm"], "--rename: r.csv has no column 'metod' (it has: run, method, score)", "did you mean 'method'?"),
        (["method=score"], "--rename method=score: r.csv already has a column 'score'", "rename that one too"),
        (["method"], "--rename method is not of the form from=to", "such as"),
        (["method="], "--rename method= is not of the form from=to", "such as"),
        (["method=x", "method=y"], "--rename method=y: 'method' is named twice", "one new name"),
        (["method=x", "run=x"], "--rename run=x: 'x' is named twice", "one new name"),
    ],
)
def test_a_rename_that_cannot_be_is_refused(tmp_path: Path, rename: list[str], message: str, hint: str) -> None:
    found = fault(write(tmp_path, "run,method,score\n1,rf,0.5\n"), rename=rename)
    assert found[0] == message
    assert hint in found[1]


VALUES = "replicate,algorithm,accuracy,time,performance,metric\n1,rf,0.9,12,x,old\n1,lm,NA,3,y,old\n"


def test_each_value_becomes_performance_under_its_name(tmp_path: Path) -> None:
    path = write(tmp_path, VALUES)
    read = rows(path, "metric algorithm performance file_performance", value=["accuracy,time"])
    assert read == [
        ("accuracy", "rf", 0.9, "x"),
        ("accuracy", "lm", None, "y"),
        ("time", "rf", 12.0, "x"),
        ("time", "lm", 3.0, "y"),
    ]
    assert read == rows(path, "metric algorithm performance file_performance", value=["accuracy", "time"])


def test_performance_may_be_among_the_values(tmp_path: Path) -> None:
    path = write(tmp_path, "replicate,algorithm,performance,time\n1,rf,0.5,9\n")
    assert rows(path, "metric performance", value=["performance,time"]) == [("performance", 0.5), ("time", 9.0)]


def test_values_are_checked_and_must_be_there(tmp_path: Path) -> None:
    path = write(tmp_path, VALUES)
    assert fault(path, value=["performance"])[0] == "r.csv line 2, column performance: 'x' is not a number"
    message, hint = fault(path, value=["acuracy"])
    assert message.startswith("--value: r.csv has no column 'acuracy' (it has: replicate, algorithm, accuracy")
    assert hint == "did you mean 'accuracy'?"


def test_a_wide_table_has_an_algorithm_in_every_column_but_the_keys(tmp_path: Path) -> None:
    path = write(tmp_path, ",dataset,fold,rf,lm\n0,iris,1,0.5,NA\n1,iris,2,1,2\n")
    read = rows(path, "dataset fold algorithm performance", wide=True)
    assert read == [("iris", "1", "rf", 0.5), ("iris", "2", "rf", 1.0), ("iris", "1", "lm", None), ("iris", "2", "lm", 2.0)]


def test_without_a_key_the_row_number_is_the_replicate(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b\n5,6\n7,8\n")
    assert rows(path, KEY, wide=True) == [("1", "a", 5.0), ("2", "a", 7.0), ("1", "b", 6.0), ("2", "b", 8.0)]
    path = write(tmp_path, "metric,a\nmse,5\nmse,6\nmae,7\n")
    assert rows(path, "metric replicate performance", wide=True) == [("mse", "1", 5.0), ("mse", "2", 6.0), ("mae", "1", 7.0)]


def test_a_wide_table_with_labels_holds_predictions(tmp_path: Path) -> None:
    path = write(tmp_path, "label,a,b\n1,1,01\ncat,dog,\n")
    read = source(path, wide=True)
    assert read.kind == "predictions"
    wanted = [("1", "a", "1", "1"), ("2", "a", "cat", "dog"), ("1", "b", "1", "01"), ("2", "b", "cat", None)]
    assert read.frame.select("item", "algorithm", "label", "prediction").collect().rows() == wanted


def test_a_wide_column_that_is_no_algorithm_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "dataset,rf,kind\niris,1,easy\n")
    assert fault(path, wide=True)[0] == "r.csv line 2, column kind: 'easy' is not a number"
    assert fault(path, wide=True, value=["rf"])[0] == "--wide and --value exclude each other"
    long = write(tmp_path, "dataset,algorithm,performance\niris,rf,1\n")
    assert fault(long, wide=True) == (
        "r.csv has a column 'algorithm', so it is not wide",
        "leave out --wide, which is for files with one column for each algorithm",
    )
    keys = write(tmp_path, "dataset,fold\niris,1\n")
    assert fault(keys, wide=True)[0] == "r.csv has no column of an algorithm (it has: dataset, fold)"


def test_what_is_no_algorithm_can_be_left_out_of_a_wide_table(tmp_path: Path) -> None:
    path = write(tmp_path, 'replicate,category,rf,"by, whom",lm\n1,bio,1,me,2\n2,geo,3,you,4\n')
    assert fault(path, wide=True) == (
        "r.csv line 2, column category: 'bio' is not a number",
        "--wide takes every column that is no key as an algorithm; leave it out with --where 'algorithm!=category,\"by, whom\"'",
    )
    left = [("1", "rf", 1.0), ("2", "rf", 3.0), ("1", "lm", 2.0), ("2", "lm", 4.0)]
    for where in ('algorithm!=category,"by, whom"', "algorithm=rf,lm"):
        assert rows(path, KEY, wide=True, where=[where]) == left
    assert rows(path, KEY, wide=True, where=["algorithm!=category", 'algorithm!="by, whom"', "replicate=1"]) == left[::2]
    assert fault(path, wide=True, where=["algorithm=rf,category"])[0] == "r.csv line 2, column category: 'bio' is not a number"
    assert "--where 'algorithm!=new/category," in fault(f"new={path}", wide=True)[1]
    assert rows(f"new={path}", "algorithm", wide=True, where=["algorithm=new/rf"]) == [("new/rf",), ("new/rf",)]
    # one slip among numbers is no sign of another kind of column
    path = write(tmp_path, "replicate,rf\n1,1\n2,fast\n")
    assert fault(path, wide=True)[1] == "missing values are written as an empty cell, NA or NaN"


def test_a_wide_column_that_is_a_key_by_another_name_can_be_renamed(tmp_path: Path) -> None:
    path = write(tmp_path, "task,rf,lm\nt1,1,2\nt2,3,4\n")
    message, hint = fault(path, wide=True)
    assert message == "r.csv line 2, column task: 't1' is not a number"
    assert hint == "--wide takes every column that is no key as an algorithm; --rename task=dataset"
    read = rows(path, "dataset algorithm performance", wide=True, rename=["task=dataset"])
    assert read == [("t1", "rf", 1.0), ("t2", "rf", 3.0), ("t1", "lm", 2.0), ("t2", "lm", 4.0)]
    path = write(tmp_path, "problem set,kind,rf\np1,easy,1\n")
    assert "leave it out with --where 'algorithm!=problem set,kind'" in fault(path, wide=True)[1]
    path = write(tmp_path, "Task ID,kind,rf\nt1,easy,1\n")
    assert fault(path, wide=True)[1].endswith("; --rename 'Task ID=dataset' and leave it out with --where 'algorithm!=kind'")
    path = write(tmp_path, "dataset,task,rf\niris,t1,1\n")
    assert fault(path, wide=True)[1].endswith("; leave it out with --where 'algorithm!=task'")


def test_a_wide_table_of_words_can_be_written_as_1_and_0(tmp_path: Path) -> None:
    # the shape of SAS's drugs data: favourable and unfavourable, a row for each subject
    path = write(tmp_path, "subject,A,B\n1,F,U\n2,F,F\n")
    message, hint = fault(path, wide=True)
    assert message == "r.csv line 2, column A: 'F' is not a number"
    assert hint == (
        "write 1 for right and 0 for wrong; texts are predictions, which need a column 'label' of the true ones; "
        "add --rename subject=replicate"
    )
    path = write(tmp_path, "subject,A,B\n1,1,0\n2,1,1\n")
    read = rows(path, KEY, wide=True, rename=["subject=replicate"])
    assert read == [("1", "A", 1.0), ("2", "A", 1.0), ("1", "B", 0.0), ("2", "B", 1.0)]
    path = write(tmp_path, "subject,label,A,B\n1,F,F,U\n2,F,F,F\n")
    assert source(path, wide=True, rename=["subject=item"]).kind == "predictions"


def test_an_item_is_a_block_of_results(tmp_path: Path) -> None:
    path = write(tmp_path, "item,algorithm,accuracy\n1,rf,0.5\n")
    read = source(path, value=["accuracy"])
    assert read.kind == "results"
    assert read.frame.select("item", "algorithm", "metric", "performance").collect().rows() == [("1", "rf", "accuracy", 0.5)]


def test_files_that_are_named_after_algorithms_need_no_column_of_them(tmp_path: Path) -> None:
    main = write(tmp_path, "seed,accuracy\n1,0.5\n", "main.csv")
    new = write(tmp_path, "seed,accuracy\n1,0.75\n", "pr.csv")
    paths = [main, f"new={new}"]
    assert fault(paths) == (
        "main.csv has no column 'performance' (it has: seed, accuracy)",
        "--rename seed=replicate --value accuracy",
    )
    read = rows(paths, KEY, rename=["seed=replicate"], value=["accuracy"])
    assert read == [("1", "main", 0.5), ("1", "new", 0.75)]
    assert fault(paths, rename=["seed=replicate"])[1] == "--value accuracy"


def test_wide_columns_may_be_called_like_columns_of_ours(tmp_path: Path) -> None:
    path = write(tmp_path, "dataset,n,seed,score\niris,1,2,3\n")
    assert rows(path, "algorithm performance", wide=True) == [("n", 1.0), ("seed", 2.0), ("score", 3.0)]
