"""Reading what `roc` reads: paths on the command line become a source of votes, values or scores."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import BinaryIO

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import where
from benchkit.formats.border import Plan, plan, rename
from benchkit.formats.content import Content, Raw, intact
from benchkit.formats.delimited import HEAD, sniff
from benchkit.formats.detect import detect, unpacked
from benchkit.formats.kinds import described, wrong_kind
from benchkit.formats.paths import Input, expand, load
from benchkit.formats.reading import INDEX, READERS
from benchkit.formats.votes import npy
from benchkit.formats.votes.batch import ROW, Part
from benchkit.formats.votes.extra import label_file, weights
from benchkit.formats.votes.idle import refuse_idle
from benchkit.formats.votes.options import VoteOptions
from benchkit.formats.votes.parts import Table, parts_of
from benchkit.formats.votes.scores import Scored, score_frame
from benchkit.formats.votes.stream import Stream
from benchkit.formats.wording import listed
from benchkit.tables.result import Note
from benchkit.tables.shapes import recognise
from benchkit.tables.votes import VoteSource
from benchkit.tables.wording import shown


@dataclass(frozen=True)
class _Opened:
    """An input with its detected content (kind npy for NumPy's files) and, for tables, its table (or only its beginning)."""

    item: Input
    content: Content
    raw: Raw | None = None
    separator: str = ""


def read_votes(paths: Sequence[str], options: VoteOptions, stdin: BinaryIO | None = None) -> VoteSource:
    """Return the votes (or scores) of all inputs.

    paths: files, folders, globs, "-" or NAME=path; none means standard input. stdin: standard input if it may be read.
    Structure and kinds of columns are checked here, cells while the blocks are streamed. BenchkitError for anything that
    cannot be read as it stands.
    """
    inputs = expand(paths, stdin is not None)
    try:
        return _read(inputs, [load(item, stdin) for item in inputs], options)
    except pl.exceptions.PolarsError as fault:
        names = ", ".join(item.name for item in inputs)
        raise BenchkitError(f"{names} cannot be read: {str(fault).splitlines()[0]}", "the file may be damaged") from fault


def _read(inputs: Sequence[Input], contents: Sequence[Content], options: VoteOptions) -> VoteSource:
    opened = [_opened(item, content, options) for item, content in zip(inputs, contents, strict=True)]
    raws = [each.raw for each in opened if each.raw is not None]
    scheme = plan(raws, options.border) if raws else Plan({}, (), False)
    tables = {index: _table(each, scheme, options) for index, each in enumerate(opened) if each.raw is not None}
    if options.border.where and tables and all(_is_empty(table.raw) for table in tables.values()):
        raise BenchkitError(
            f"{listed(item.name for item in inputs)}: --where keeps no row", "give conditions that some rows meet"
        )
    refuse_idle(options, list(tables.values()), [each.item.name for each in opened if each.raw is None])
    labels = None if options.labels is None else label_file(options.labels)
    if labels is None:
        for each in opened:
            if each.raw is None:
                raise BenchkitError(f"{each.item.name} holds votes without labels", "give them with --labels FILE")
        for table in tables.values():
            _refuse_unlabelled(table)
    names = [item.name for item in inputs]
    positive = options.positive or "1"
    beside = [path for path in (options.labels, options.weights) if path is not None]

    def digests() -> dict[str, str]:
        every = [*zip(inputs, contents, strict=True), *((Input(path), load(Input(path), None)) for path in beside)]
        return {item.path: hashlib.sha256(content.data).hexdigest() for item, content in every}

    scored_names = [table.raw.name for table in tables.values() if table.form == "scores" and options.voters is None]
    if scored_names and len(scored_names) < len(opened):
        message = f"{scored_names[0]} holds scores, but another file holds votes"
        raise BenchkitError(message, "give files of one kind")
    if scored_names:
        scored = [Scored(table.raw, table.name, table.given) for table in tables.values()]
        frame, notes = score_frame(scored, options.positive, labels)
        return VoteSource("scores", lambda: iter(()), names, digests, frame, notes, positive)
    given: list[Note] = []
    arrays = [
        npy.part(each.content, _name(each.item), options.packed_voters, options.regression) for each in opened if each.raw is None
    ]
    parts = [*arrays, *parts_of(list(tables.values()), options, given)]
    kinds = list(dict.fromkeys(part.kind for part in parts))
    if len(kinds) > 1:
        message = f"{parts[0].name} holds {parts[0].kind}, but another file holds {kinds[1]}"
        raise BenchkitError(message, "give files of one kind: votes of 0 and 1, or the numbers that members say")
    stream = Stream(parts, options.positive, options.regression, labels, given)
    weighting = None if options.weights is None else _weighting(options.weights, parts)
    return VoteSource(kinds[0], stream, names, digests, None, stream.notes, positive, weighting, options.regression)


def _opened(item: Input, content: Content, options: VoteOptions) -> _Opened:
    content = unpacked(content)
    if content.data[: len(npy.MAGIC)] == npy.MAGIC:
        return _Opened(item, replace(content, kind="npy"))
    content = detect(content)
    separator = "" if content.kind not in ("csv", "tsv") else "\t" if content.kind == "tsv" else sniff(content)
    read, cut = content, content.data.rfind(b"\n", 0, HEAD) if len(content.data) > HEAD else -1
    if separator and cut > 0 and not options.border.where and content.data.find(b'"') < 0:
        read = replace(content, data=content.data[: cut + 1], path=None)
    else:
        separator = ""
    return _Opened(item, content, _primary(item, read), separator)


def _primary(item: Input, content: Content) -> Raw:
    """Return the table of an input: the only one, or that of votes or predictions in a document."""
    tables = READERS[content.kind](content).tables
    found = [tables[name] for name in ("", "votes", "predictions") if name in tables] or list(tables.values())[:1]
    if not found or not found[0].columns:
        raise BenchkitError(f"{content.name} has no rows", "the command that wrote it may have failed")
    raw = found[0]
    if _is_empty(raw):
        raise BenchkitError(f"{content.name} has no rows", "the command that wrote it may have failed")
    frame = raw.frame.drop(name for name in raw.columns if INDEX.fullmatch(name))
    frame = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    return replace(raw, frame=frame, algorithm=item.algorithm, stem=item.stem)


def _is_empty(raw: Raw) -> bool:
    with intact(raw):
        return not raw.frame.select(pl.col(raw.columns[0])).head(1).collect().height


def _name(item: Input) -> str:
    """Return the name that an input gives its ensemble: as typed before =, else the file's, else "votes"."""
    stem = item.stem or "votes"
    return item.algorithm or (stem[: -len(".npy")] if PurePath(stem).suffix.lower() == ".npy" else stem)


def _table(opened: _Opened, scheme: Plan, options: VoteOptions) -> Table:
    assert opened.raw is not None
    raw = rename(opened.raw, scheme)
    if options.border.where:
        raw = raw.with_frame(where.select(raw.frame.with_row_index(ROW), options.border.where, raw.name))
    given = opened.item.algorithm is not None
    return Table(raw, opened.content, opened.separator, lambda other: rename(other, scheme), _name(opened.item), given)


def _refuse_unlabelled(table: Table) -> None:
    if "label" not in table.raw.columns:
        other = recognise(table.raw.columns)
        if other is not None and other.name not in ("votes", "predictions"):
            raise wrong_kind(table.raw.name, described(other), ("votes", "scores"), "roc")
        message = f"{table.raw.name} has no column {shown('label')} (it has: {listed(table.raw.columns)})"
        raise BenchkitError(message, "--rename COLUMN=label with the column of true labels, or --labels FILE")


def _weighting(path: str, parts: Sequence[Part]) -> dict[str, float]:
    """Return the weights of the voters; BenchkitError for a voter without one."""
    known = weights(path)
    for part in parts:
        lacking = [voter for voter in part.voters if voter not in known]
        if lacking:
            message = f"{path} has no weight for the voter {shown(lacking[0])} of {part.name}"
            raise BenchkitError(message, f"its voters are {listed(known)}")
    return known
