"""Votes in whatever form give the same blocks."""

from pathlib import Path

import hypothesis
import numpy as np
import polars as pl
import pytest
from hypothesis import strategies as some
from vote_samples import FORMS, binary, csv, expected, packed, sample, source, table, truths, wide

from benchkit.formats.source import Border
from benchkit.formats.votes import batch, digits, reading
from benchkit.formats.votes.bits import packed_rows, position


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("voters", [3, 70])
def test_every_form_gives_the_same_votes(tmp_path: Path, form: str, voters: int) -> None:
    votes = sample(23, voters)
    path = tmp_path / form
    path.write_bytes(FORMS[form](votes))
    read = source(path)
    assert read.kind == "votes"
    assert table(read) == {form.partition(".")[0]: expected(*votes)}
    assert list(read.digests()) == [str(path)]
    assert all(note.code == "voters-chosen" for note in read.notes)
    assert table(source(path, voters=None if "packed" in form or "long" in form else "tree_*")) == table(read)


@pytest.mark.parametrize("form", FORMS)
def test_blocks_of_any_size_and_shards_in_any_number_give_the_same(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    items, labels, votes = sample(40, 66)
    parts = [(items[low:high], labels[low:high], votes[low:high]) for low, high in ((0, 9), (9, 10), (10, 40))]
    for number, part in enumerate(parts):
        (tmp_path / f"{number}-{form}").write_bytes(FORMS[form](part))
    monkeypatch.setattr("benchkit.formats.votes.wide.MOST_VALUES", 7 * 66)
    monkeypatch.setattr("benchkit.formats.votes.wide.MOST_ROWS", 11)
    read = source(f"forest={tmp_path}/*")
    assert table(read) == {"forest": expected(items, labels, votes)}
    assert len(list(read.blocks())) >= 3 or form.startswith("long")  # put together


@pytest.mark.parametrize("ending", ["\n", ""])
@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("index", ["", "Unnamed: 0"])
def test_digits_are_read_as_bytes_where_the_text_is_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, even: bool, index: str
) -> None:
    items, labels, votes = sample(300, 80)
    items = [f"é{number + 1000}" for number in range(300)] if even else items
    frame = pl.DataFrame({index: range(300), "ensemble": "rf", "item": items, "label": labels})
    frame = frame.hstack(wide(items, labels, votes).drop("item", "label"))
    path = tmp_path / "a.csv"
    path.write_bytes(csv(frame).replace(b'""', b"").rstrip(b"\n") + ending.encode())
    whole = table(source(path))
    monkeypatch.setattr(reading, "HEAD", 2000)
    monkeypatch.setattr(digits, "BLOCK", 5000)
    calls = []
    monkeypatch.setattr(digits, "_slowly", lambda *a, slowly=digits._slowly: calls.append(1) or slowly(*a))
    assert table(source(path)) == whole == {"rf": expected(items, labels, votes)}
    assert bool(calls) == (not ending)  # only the block whose last line lacks its end
    assert len(list(source(path).blocks())) > 5


def test_lines_of_another_form_among_digits_are_read_like_any_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items, labels, votes = sample(200, 80)
    lines = csv(wide(items, labels, votes)).decode().splitlines()
    lines[60] = lines[60][:-1]  # the last vote is missing
    lines[90] = lines[90].replace(",0", ", false")
    path = tmp_path / "a.csv"
    path.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(reading, "HEAD", 2000)
    monkeypatch.setattr(digits, "BLOCK", 3000)
    read = source(path)
    right = expected(items, labels, votes)
    del right[items[59]]
    assert table(read) == {"a": right}
    assert [note.message for note in read.notes][-1] == "a: 1 of 200 items have missing votes (1 in all) and are left out"


@pytest.mark.parametrize(("rows", "width"), [(1, 1), (64, 64), (65, 9), (5000, 130), (3, 600)])
def test_transposing_bits_is_what_packbits_does(rows: int, width: int) -> None:
    votes = sample(rows, width)[2]
    columns = np.zeros((-(-width // 64) * 64, -(-rows // 64) * 8), np.uint8)
    for column in range(width):
        bits = np.packbits(votes[:, column], bitorder="little")
        columns[position(column), : len(bits)] = bits
    assert (packed_rows(columns, rows, width) == np.packbits(votes, axis=1)).all()


@hypothesis.given(
    some.integers(1, 40).flatmap(
        lambda width: some.lists(some.lists(some.sampled_from([True, False, None]), min_size=width, max_size=width), min_size=1)
    ),
    some.integers(1, 9),
)
def test_truth_values_with_gaps_in_chunks_and_slices_keep_their_places(rows: list[list[bool | None]], cut: int) -> None:
    from benchkit.formats.votes.memory import boolean_rows

    frame = pl.DataFrame(rows, schema={str(i): pl.Boolean for i in range(len(rows[0]))}, orient="row")
    chunked = pl.concat([frame.slice(0, cut), frame.slice(cut)], rechunk=False)
    bits, absent = boolean_rows(chunked)
    assert np.unpackbits(bits, axis=1)[:, : frame.width].tolist() == [[int(bool(cell)) for cell in row] for row in rows]
    gaps = [[int(cell is None) for cell in row] for row in rows]
    assert (absent is None) == (not any(map(any, gaps)))
    if absent is not None:
        assert np.unpackbits(absent, axis=1)[:, : frame.width].tolist() == gaps
        assert not np.unpackbits(absent, axis=1)[:, frame.width :].any()


def test_several_ensembles_come_from_a_column_from_files_or_from_names(tmp_path: Path) -> None:
    one, two = sample(5, 9, 1), sample(5, 9, 2)
    right = {"rf": expected(*one), "et": expected(*two)}
    both = pl.concat([wide(*one).with_columns(ensemble=pl.lit("rf")), wide(*two).with_columns(ensemble=pl.lit("et"))])
    mixed = both.sample(fraction=1, shuffle=True, seed=3)
    mixed.write_csv(tmp_path / "both.csv")
    assert table(source(tmp_path / "both.csv")) == right
    mixed.rename({"ensemble": "algorithm"}).write_parquet(tmp_path / "both.parquet")
    assert table(source(tmp_path / "both.parquet", border=Border(rename=["algorithm=ensemble"]))) == right
    assert set(table(source(f"new={tmp_path}/both.csv"))) == {"new/rf", "new/et"}
    assert set(table(source(tmp_path / "both.csv", border=Border(where=["ensemble=rf"])))) == {"rf"}
    (tmp_path / "rf.csv").write_bytes(csv(wide(*one)))
    (tmp_path / "et.parquet").write_bytes(binary(packed(*two), "write_parquet"))
    assert table(source(tmp_path / "rf.csv", tmp_path / "et.parquet")) == right
    assert table(source(stdin=csv(wide(*one)))) == {"votes": right["rf"]}


@pytest.mark.parametrize("where", [(), ("ensemble=small",), ("ensemble=large",)])
def test_a_smaller_ensemble_in_a_table_of_several_has_fewer_voters(tmp_path: Path, where: tuple[str, ...]) -> None:
    large, small = sample(6, 11), sample(6, 4)
    frames = [wide(*large).with_columns(ensemble=pl.lit("large")), wide(*small).with_columns(ensemble=pl.lit("small"))]
    frame = pl.concat(frames, how="diagonal").rename(lambda name: name.replace("tree_", "voter"))
    frame.with_columns(dataset=pl.lit("digits"), replicate=pl.lit("1")).write_parquet(tmp_path / "votes.parquet")
    right = {"large": expected(*large), "small": expected(*small)}
    wanted = {name: right[name] for name in right if not where or where[0].endswith(name)}
    read = source(tmp_path / "votes.parquet", border=Border(where=where))
    assert table(read) == wanted
    assert not read.notes
    assert {block.ensemble: block.names[-1] for block in read.blocks()} == {
        name: {"large": "voter10", "small": "voter3"}[name] for name in wanted
    }


def test_columns_of_shards_may_stand_in_another_order(tmp_path: Path) -> None:
    items, labels, votes = sample(8, 5)
    frame = wide(items, labels, votes)
    frame.head(4).write_parquet(tmp_path / "1.parquet")
    frame.tail(4).select(reversed(frame.columns)).write_parquet(tmp_path / "2.parquet")
    assert table(source(f"rf={tmp_path}/*")) == {"rf": expected(items, labels, votes)}


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_voters_have_one_order_whatever_the_order_of_columns(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums over voters then run in one order, and draws of voters take the same ones."""
    monkeypatch.setattr(digits, "FEWEST", 4)  # texts of digits are read as such
    items, labels, votes = sample(12, 11)
    frame = wide(items, labels, votes)
    voters = frame.columns[2:]
    found = []
    for number, columns in enumerate((voters, voters[::-1], sorted(voters))):
        path = tmp_path / f"{number}.{suffix}"
        some = frame.select(*frame.columns[:2], *columns)
        some.write_parquet(path) if suffix == "parquet" else some.write_csv(path)
        read = source(f"rf={path}")
        assert {tuple(block.names) for block in read.blocks()} == {tuple(voters)}
        found.append(table(read))
    assert found[0] == found[1] == found[2] == {"rf": expected(items, labels, votes)}


@pytest.mark.parametrize(("labels", "positive"), [("0 1", None), ("false true", None), ("b a", "a"), ("1 2", "2"), ("1 0", "0")])
def test_labels_are_numbers_truth_values_or_any_two(tmp_path: Path, labels: str, positive: str | None) -> None:
    no, yes = labels.split()
    path = tmp_path / "a.csv"
    path.write_text(f"item,label,t1,t2\nx,{yes},1,0\ny,{no},0,1\n")
    read = source(path, positive=positive)
    assert table(read) == {"a": {"x": (1, [1, 0]), "y": (0, [0, 1])}}
    assert read.positive == (positive or "1")


def test_rows_without_items_are_numbered_through_all_shards(tmp_path: Path) -> None:
    items, labels, votes = sample(7, 3)
    frame = wide(items, labels, votes).drop("item")
    frame.head(3).write_csv(tmp_path / "1.csv")
    frame.tail(4).write_parquet(tmp_path / "2.parquet")
    assert list(table(source(f"rf={tmp_path}/*"))["rf"]) == [str(number) for number in range(1, 8)]


@pytest.mark.parametrize("form", ["wide.parquet", "float.parquet", "wide.csv", "wide.ndjson", "long.csv", "packed", "counts"])
def test_items_with_missing_votes_are_left_out_and_counted(tmp_path: Path, form: str) -> None:
    items, labels, votes = sample(12, 5)
    frame = wide(items, labels, votes)
    hole = [None if item in ("item 3", "item 7") else 1 for item in items]
    gaps = frame.with_columns(pl.col("tree_1") * pl.Series(hole), pl.col("tree_4") * pl.Series(hole))
    path = tmp_path / f"a.{form.partition('.')[2] or 'parquet'}"
    if form == "packed":
        cells = packed(items, labels, votes)
        cells.with_columns(pl.when(pl.Series(hole) == 1).then("packed").alias("packed")).write_parquet(path)
    elif form == "counts":
        frame.select("item", "label", votes=pl.sum_horizontal("^tree.*$") * pl.Series(hole), voters=5).write_parquet(path)
    elif form == "long.csv":
        gaps.unpivot(index=["item", "label"], variable_name="voter", value_name="vote").write_csv(path)
    else:
        kind = pl.Float64 if form == "float.parquet" else pl.UInt8
        getattr(gaps.with_columns(pl.col("^tree.*$").cast(kind)), f"write_{path.suffix[1:]}")(path)
    read = source(path)
    kept = [item for block in read.blocks() for item in block.items]
    assert sorted(kept) == sorted(set(items) - {"item 3", "item 7"})
    number = {"packed": 10, "counts": 10}.get(form, 4)
    note = read.notes[-1]
    assert note.message == f"a: 2 of 12 items have missing votes ({number} in all) and are left out"
    assert (note.code, note.severity) == ("missing-votes", "warning")


def test_one_voter_one_item_and_one_class_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,label,voter1\nx,1,0\n")
    assert table(source(tmp_path / "a.csv")) == {"a": {"x": (1, [0])}}
    (tmp_path / "b.csv").write_text("label,votes,voters\n1,0,1\n1,1,1\n")
    (block,) = source(tmp_path / "b.csv").blocks()
    assert block.taken is not None
    assert (block.voters, block.taken.tolist(), block.labels.tolist()) == (1, [0, 1], [1, 1])


def test_a_guess_of_the_voters_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,label,fold,seed,age,a,b\nx,1,1,0,40,0,1\n")
    (note,) = source(tmp_path / "a.csv").notes
    assert note.message.endswith("a.csv: took 2 columns as voters (a, b); --voters PATTERN chooses others")


def test_batches_hold_no_more_than_they_may(tmp_path: Path) -> None:
    truths(wide(*sample(3000, 3))).write_parquet(tmp_path / "a.parquet", row_group_size=100)
    assert batch.MOST_ROWS == 65536
    (block,) = source(tmp_path / "a.parquet").blocks()
    assert len(block.items) == 3000


def test_what_run_writes_is_read_one_replicate_at_a_time(tmp_path: Path) -> None:
    items, labels, votes = sample(4, 3)
    one = (
        wide(items, labels, votes)
        .rename(lambda name: name.replace("tree_", "voter"))
        .with_columns(pl.col("label").cast(pl.String))
    )
    keys = {"dataset": pl.lit("digits"), "ensemble": pl.lit("rf")}
    frames = [one.with_columns(**keys, replicate=pl.lit(number)) for number in ("1", "2")]
    pl.concat(frames).write_csv(tmp_path / "votes.csv")
    read = source(tmp_path / "votes.csv", border=Border(where=["replicate=2"]))
    assert table(read) == {"rf": expected(items, labels, votes)}


def test_missing_answers_of_language_models_leave_their_items_out(tmp_path: Path) -> None:
    """As in a published table of four models with missing answers: the columns have odd names, the last line lacks its end."""
    text = "item,label,openaichat/gpt-4-0314,openaichat/gpt-4-0613\n1019,1,1,1\n1046,0,,0\n1067,0,1,\n1109,1,1,0"
    (tmp_path / "votes.csv").write_text(text)
    read = source(tmp_path / "votes.csv", voters="openaichat/*")
    assert table(read) == {"votes": {"1019": (1, [1, 1]), "1109": (1, [1, 0])}}
    assert [note.message for note in read.notes] == ["votes: 2 of 4 items have missing votes (2 in all) and are left out"]


def test_notes_of_many_ensembles_are_one(tmp_path: Path) -> None:
    for name in "abcdef":
        (tmp_path / f"{name}.csv").write_text(f"item,label,x,y\n1,1,{'' if name != 'f' else 1},1\n2,0,0,1\n")
    (tmp_path / "g.csv").write_text("item,label,z\n1,1,1\n2,0,0\n")
    read = source(*sorted(tmp_path.glob("*.csv")))
    list(read.blocks())
    chosen, missing = (note.message.replace(f"{tmp_path}/", "") for note in read.notes)
    assert chosen.startswith(
        "a.csv, b.csv, c.csv, d.csv, e.csv, f.csv: took 2 columns as voters (x, y); g.csv: took 1 column as voters (z)"
    )
    assert missing == "5 of 7 ensembles (a, b, c, d, e): 5 of 10 items have missing votes (5 in all) and are left out"
