"""Options of reading that would do nothing for what was opened are refused, with what to do instead."""

from collections.abc import Sequence

from benchkit.errors import BenchkitError
from benchkit.formats.votes.options import VoteOptions
from benchkit.formats.votes.parts import Table
from benchkit.formats.votes.voters import matching

# what a table of each form holds, where that is not a column for each voter, and what to do without --voters
HOLDS = {
    "long": ("a row for each vote", "leave it out; --where voter=NAME,... keeps single voters"),
    "packed": ("votes as packed bits", "leave it out; --weights FILE gives single voters the weight 0"),
    "counts": ("numbers of votes", "leave it out"),
    "scores": ("scores", "leave it out, or give a pattern of columns that the table has"),
}
WITHOUT_MEMBERS = {"counts": "only how many votes there were", "scores": "scores"}


def refuse_idle(options: VoteOptions, tables: Sequence[Table], arrays: Sequence[str]) -> None:
    """Raise BenchkitError for an option without effect on the tables and .npy files (their names) that were opened."""
    _refuse_for_arrays(options, tables, arrays)
    for table in tables:
        _refuse_for(options, table)
    if options.regression and options.positive is not None:
        raise BenchkitError("--positive names a class, and with --regression labels are numbers", "leave out one of the two")


def _refuse_for_arrays(options: VoteOptions, tables: Sequence[Table], arrays: Sequence[str]) -> None:
    if options.packed_voters is not None and not arrays:
        message = f"--packed-voters is for .npy files of packed bits, and {tables[0].raw.name} is none"
        raise BenchkitError(message, "leave it out; a table has the column 'voters' beside that of packed bits")
    if arrays and not tables:
        border = options.border
        for option, given in (("voters", options.voters), ("where", border.where), ("rename", border.rename)):
            if given:
                message = f"--{option} is about columns with names, and {arrays[0]} has none"
                raise BenchkitError(message, "leave it out, or choose rows and columns before the file is saved")


def _refuse_for(options: VoteOptions, table: Table) -> None:
    name, form = table.raw.name, table.form
    if options.labels is not None and "label" in table.raw.columns:
        message = f"{name} has labels of its own (column 'label'), and --labels {options.labels} has others"
        raise BenchkitError(message, "leave out --labels, or take the column out of the table")
    if form in HOLDS and options.voters is not None and not set(matching(table.raw, options.voters)) - {"voter", "vote"}:
        holds, hint = HOLDS[form]
        raise BenchkitError(f"--voters is about a column for each voter, and {name} holds {holds}", hint)
    if form not in WITHOUT_MEMBERS or options.voters is not None:
        return
    for option, given in (("--weights", options.weights is not None), ("--regression", options.regression)):
        if given:
            message = f"{option} needs to know what each voter says, and {name} holds {WITHOUT_MEMBERS[form]}"
            raise BenchkitError(message, f"give a column for each voter (--voters PATTERN), or leave out {option}")
