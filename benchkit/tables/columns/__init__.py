"""The glossary: one spelling, type, unit and meaning for every column that benchkit reads or writes.

`importance` tells the table for people how early a person wants the column: 1 is never dropped, 9 goes first,
0 is for machines only. A column with `until` opens an interval that the named column closes; people see the
two as one, "[low, high]".

Each kind of table has its file here: a new column is one line there.
"""

from benchkit.tables.columns.column import Column
from benchkit.tables.columns.keys import KEYS
from benchkit.tables.columns.listing import OTHER
from benchkit.tables.columns.own import OWN
from benchkit.tables.columns.pictures import PICTURE
from benchkit.tables.columns.ranking import RANK
from benchkit.tables.columns.results import RESULTS
from benchkit.tables.columns.roc import ROC
from benchkit.tables.columns.running import RUN
from benchkit.tables.columns.summary import SUMMARY
from benchkit.tables.columns.testing import TEST

__all__ = ["COLUMNS", "Column"]

COLUMNS: dict[str, Column] = KEYS | RESULTS | RUN | SUMMARY | TEST | OWN | RANK | ROC | PICTURE | OTHER
