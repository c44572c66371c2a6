"""Which table a file holds, and what to say when it is the wrong one or lacks a column."""

from pathlib import Path

import pytest
from read_samples import fault, rows, source, write

from benchkit.tables import shapes


def table(shape: shapes.Shape, **cells: str) -> str:
    """Return one row of a table of ours as CSV."""
    return ",".join(shape.columns) + "\n" + ",".join(cells.get(name, "") for name in shape.columns) + "\n"


def test_pairs_and_relations_are_read_with_all_their_columns(tmp_path: Path) -> None:
    path = write(tmp_path, table(shapes.PAIRS, a="lm", b="rf", estimate="-inf", verdict="better", noninferior="True", n="7"))
    read = source(path)
    assert read.kind == "pairs"
    assert read.frame.collect_schema() == shapes.PAIRS.schema
    assert read.frame.select("estimate", "noninferior", "n", "metric").collect().rows() == [(float("-inf"), True, 7, None)]
    short = source(write(tmp_path, "a,b,relation,own\nlm,rf,tied,1\n"))
    assert short.kind == "relations"
    assert short.frame.collect_schema().names() == [*shapes.RELATIONS.columns, "own"]


def test_predictions_are_read_where_results_are(tmp_path: Path) -> None:
    read = source(write(tmp_path, "item,algorithm,label,prediction,score\n1,rf,1,01,0.5\n"))
    assert read.kind == "predictions"
    assert read.frame.collect().rows() == [("1", "rf", "1", "01", 0.5)]
    bare = source(write(tmp_path, "item,label,prediction\n1,a,b\n", "rf.csv"))
    assert bare.frame.select("algorithm").collect().rows() == [("rf",)]
    measured = source(write(tmp_path, "item,algorithm,label,prediction,performance\n1,rf,a,b,0.5\n"))
    assert measured.kind == "results"


@pytest.mark.parametrize(
    ("shape", "what"),
    [
        (shapes.ALGORITHMS, "a summarize table"),
        (shapes.MEANS, "a test table (means)"),
        (shapes.RANKS, "a rank table (ranks)"),
        (shapes.DOTS, "a benchplot table (dots)"),
        (shapes.NOTES, "a table of notes"),
    ],
)
def test_a_table_of_the_wrong_kind_is_named(tmp_path: Path, shape: shapes.Shape, what: str) -> None:
    path = write(tmp_path, table(shape, algorithm="rf", code="x"))
    assert fault(path) == (f"r.csv is {what}; rank reads results, pairs or relations", "give the results that it was made from")


def test_a_result_with_a_column_of_another_table_is_still_a_result(tmp_path: Path) -> None:
    content = "replicate,algorithm,place,performance\n1,rf,first,0.5\n"
    assert rows(write(tmp_path, content), "place performance") == [("first", 0.5)]


@pytest.mark.parametrize(
    ("content", "absent", "hint"),
    [
        (
            "run,method,score\n1,rf,2\n",
            "algorithm",
            "--rename method=algorithm --rename run=replicate --rename score=performance",
        ),
        (
            "classifier_name,dataset_name,Accuracy\nrf,iris,1\n",
            "algorithm",
            "--rename classifier_name=algorithm --rename dataset_name=dataset --value Accuracy",
        ),
        ("Algorithm,Performance\nrf,1\n", "algorithm", "--rename Algorithm=algorithm --rename Performance=performance"),
        ("algorithm,replicate,auc,mse\nrf,1,1,1\n", "performance", "--value COLUMN with the column of numbers: auc, mse"),
        ("algorithm,replicate,auc,fit_seconds\nrf,1,1,1\n", "performance", "--value auc"),
        (
            "algorithm,replicate,seed,left,right\nrf,1,1,1,1\n",
            "performance",
            "--value COLUMN with the column of numbers: left, right",
        ),
        ("algorithm,replicate,remark\nrf,1,x\n", "performance", "--value COLUMN with the column of numbers"),
        (
            "Model Name,Data Set,Rep,Fold,Train Accuracy (%),Test Accuracy (%),n\nrf,iris,1,1,99,90,5\n",
            "algorithm",
            "--rename 'Model Name=algorithm' --rename Rep=repeat --rename Fold=fold --rename 'Data Set=dataset' "
            "--value 'Test Accuracy (%)'",
        ),
        (
            "question_id,model,correct\nq1,rf,True\n",
            "algorithm",
            "--rename model=algorithm --rename question_id=item --value correct",
        ),
        ("item,algorithm,accuracy\n1,rf,1\n", "performance", "--value accuracy"),
        (
            "item,algorithm,label,remark\n1,rf,a,x\n",
            "prediction",
            "predictions have the columns item, algorithm, label, prediction",
        ),
        ("question,model,label,prediction\n1,rf,a,b\n", "item", "--rename model=algorithm --rename question=item"),
        ("algorithm,my time (s),remark\nrf,1,x\n", "performance", "--value 'my time (s)'"),
        ("task,rf,lm\niris,1,2\n", "algorithm", "--rename task=dataset --wide"),
        ("item,a,b,c\n1,0,1,1\n", "algorithm", "--wide"),
        (
            "group,subject,value\nx,1,2\n",
            "algorithm",
            "--rename COLUMN=algorithm --rename subject=replicate --rename value=performance",
        ),
        ("our method,score\nx,1\n", "algorithm", "--rename COLUMN=algorithm --rename score=performance"),
        (
            "x,y\na,b\n",
            "algorithm",
            "name the columns with --rename COLUMN=algorithm, or use --wide if every algorithm has a column of its own",
        ),
        ("a,b,verdict\nlm,rf,better\n", "estimate", "tables of pairs are made by benchkit test"),
    ],
)
def test_a_missing_column_comes_with_the_options_that_help(tmp_path: Path, content: str, absent: str, hint: str) -> None:
    has = ", ".join(content.split("\n")[0].split(","))
    assert fault(write(tmp_path, content)) == (f"r.csv has no column '{absent}' (it has: {has})", hint)


def test_many_columns_are_not_all_listed(tmp_path: Path) -> None:
    names = ",".join(f"c{index}" for index in range(50))
    message, _ = fault(write(tmp_path, f"{names}\n" + ",".join("x" * 50) + "\n"))
    assert message == "r.csv has no column 'algorithm' (it has: c0, c1, c2, c3, c4, c5, c6, c7 and 42 more)"
