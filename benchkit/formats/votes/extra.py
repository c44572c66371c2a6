"""Files beside the votes: labels of the items, weights of the voters."""

import numpy as np
import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Content, Raw, intact
from benchkit.formats.detect import detect, unpacked
from benchkit.formats.paths import Input, load, no_file
from benchkit.formats.reading import READERS
from benchkit.formats.votes.labels import LabelFile
from benchkit.formats.votes.npy import MAGIC, array
from benchkit.formats.wording import listed, shown_path
from benchkit.tables.wording import shown


def beside(path: str) -> Content:
    """Return the content of a file that an option names."""
    content = unpacked(load(Input(path), None))
    return content if content.data[: len(MAGIC)] == MAGIC else detect(content)


def table(content: Content) -> Raw:
    """Return the only table of a file."""
    tables = READERS[content.kind](content).tables
    if len(tables) != 1:
        raise BenchkitError(f"{content.name} is a document of several tables", "give a file that holds one table")
    return next(iter(tables.values()))


def label_file(path: str) -> LabelFile:
    """Return labels from a .npy of one dimension, a table with the column label (and item), or one label on each line."""
    try:
        content = beside(path)
    except FileNotFoundError:
        raise no_file(path) from None
    if content.data[: len(MAGIC)] == MAGIC:
        labels = array(content)
        if labels.ndim != 1 or labels.dtype.kind not in "buifU":
            message = f"{content.name} holds {labels.dtype} of shape {labels.shape}, not labels"
            raise BenchkitError(message, "labels are one number for each item")
        return LabelFile(content.name, _text(pl.Series("label", np.array(labels))), None)
    if content.kind in ("csv", "tsv"):
        lines = content.text().split()
        if lines and all(_is_label(line) for line in lines):
            return LabelFile(content.name, pl.Series("label", lines), None)
    raw = table(content)
    if "label" not in raw.columns and len(raw.columns) == 1:
        raw = raw.with_frame(raw.frame.rename({raw.columns[0]: "label"}))
    if "label" not in raw.columns:
        message = f"{content.name} has no column 'label' (it has: {listed(raw.columns)})"
        raise BenchkitError(message, "give a table with the columns item and label, or one label on each line")
    with intact(raw):
        frame = raw.frame.select(name for name in ("item", "label") if name in raw.columns).collect()
    items = _text(frame["item"]) if "item" in frame.columns else None
    if items is not None and items.is_duplicated().any():
        twice = str(items.filter(items.is_duplicated())[0])
        raise BenchkitError(f"{content.name} has the item {shown(twice)} twice", "give the label of every item once")
    return LabelFile(content.name, _text(frame["label"]), items)


def _is_label(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.casefold() in cells.TRUTHS
    return True


def _text(column: pl.Series) -> pl.Series:
    text = column.to_frame().select(cells.text(column.name, column.dtype).str.strip_chars()).to_series()
    return text.replace("", None)


def weights(path: str) -> dict[str, float]:
    """Return the weights of voters from a table with the columns voter and weight: 0 or more, not all 0."""
    raw = table(beside(path))
    for name in ("voter", "weight"):
        if name not in raw.columns:
            message = f"{raw.name} has no column '{name}' (it has: {listed(raw.columns)})"
            raise BenchkitError(message, "a file of weights has the columns voter and weight")
    with intact(raw):
        frame = raw.frame.select("voter", "weight").collect()
    voters = _text(frame["voter"])
    numbers = frame.select(cells.number_or_null("weight", frame.schema["weight"], raw.decimal_comma)).to_series()
    wrong = (voters.is_null() | numbers.is_null() | ~numbers.is_finite() | (numbers < 0)).fill_null(True)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        cell = shown(str(frame["weight"][row]))
        raise BenchkitError(f"{raw.name} {raw.place(row)}: {cell} is not a weight of a voter", "weights are numbers from 0 on")
    if voters.is_duplicated().any():
        twice = str(voters.filter(voters.is_duplicated())[0])
        raise BenchkitError(f"{shown_path(path)} has the voter {shown(twice)} twice", "give one weight for each voter")
    if not numbers.sum():
        raise BenchkitError(f"{raw.name}: all weights are 0", "somebody must vote")
    return dict(zip(voters.to_list(), numbers.to_list(), strict=True))
