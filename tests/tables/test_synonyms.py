"""Which renames are offered for the names that people give to our columns."""

import pytest

from benchkit.tables.synonyms import find, suggest


@pytest.mark.parametrize(
    ("columns", "renames"),
    [
        ("metric,performance,algorithm,seed", ["seed=replicate"]),
        ("Model Name,Data Set,Rep,Fold", ["Model Name=algorithm", "Rep=repeat", "Fold=fold", "Data Set=dataset"]),
        ("classifier_name,dataset-name,RUN ID", ["classifier_name=algorithm", "RUN ID=replicate", "dataset-name=dataset"]),
        ("algorithm,rep,fold", ["rep=repeat"]),
        ("algorithm,rep,repeat,fold", []),
        ("algorithm,repeat", ["repeat=replicate"]),
        ("method,classifier,replicate,run", ["method=algorithm"]),
        ("run,seed,algorithm", ["run=replicate"]),
        ("questionId,seed,algorithm", ["questionId=item"]),
        ("item,seed,algorithm", []),
        ("id,method", ["method=algorithm", "id=item"]),
        ("id,run,method", ["method=algorithm", "run=replicate"]),
        ("rows,remodel,idea", []),
    ],
)
def test_each_target_and_each_column_is_offered_once(columns: str, renames: list[str]) -> None:
    assert suggest(columns.split(",")) == renames


def test_what_is_there_is_not_looked_for() -> None:
    assert find("performance", ["Score", "performance"]) is None
    assert find("performance", ["Score", "Value"]) == "Score"
