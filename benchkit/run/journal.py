"""The journal of a run: every outcome is kept in an SQLite file beside the output before it counts."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchkit.errors import BenchkitError
from benchkit.run.cell import Cell, Outcome, Sizes

FORMAT = 1
# an SQLite file begins with the one, and holds the other where it is ours ("bkit" at byte 68, its application_id)
MAGIC, MARK = b"SQLite format 3\0", b"bkit"
TABLES = (
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS outcomes (dataset TEXT NOT NULL, replicate TEXT NOT NULL, algorithm TEXT NOT NULL, "
    "status TEXT NOT NULL, body TEXT NOT NULL, predictions TEXT, votes BLOB, PRIMARY KEY (dataset, replicate, algorithm)) "
    "WITHOUT ROWID",
)
SUFFIX = ".journal"
STREAMS = ("/dev/std", "/dev/fd/", "/proc/")
BESIDE = ("-wal", "-shm", "-journal")
ANEW = "start anew with --fresh, or give another output: -o PATH"
# no replicate is called so, since names of replicates are not empty
WHOLE = ""


class JournalError(BenchkitError):
    """A journal of ours that cannot be gone on with, so that --fresh may drop it."""


class Journal:
    """Outcomes by cell, held by one process at a time; what was added survives the end of the process.

    Write-ahead logging, without waiting for the disk at each commit: a power cut may lose the last outcomes, nothing else.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the file; BenchkitError if another run holds it or it is none of ours."""
        self.path = path
        if not _may_be_ours(path):
            raise BenchkitError(f"{path} is not the journal of a run", "move it away, or give another output: -o PATH")
        try:
            self._base = sqlite3.connect(path, isolation_level=None, timeout=0.5)
        except sqlite3.Error as error:
            raise self._fault(error) from error
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Lock the file and make what is missing; BenchkitError if it is held, damaged or of another version."""
        try:
            self._base.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._base.execute("BEGIN IMMEDIATE")
            mark = int.from_bytes(MARK, "big")
            if self._base.execute("PRAGMA application_id").fetchone() != (mark,):
                self._base.execute(f"PRAGMA application_id={mark}")
            for table in TABLES:
                self._base.execute(table)
            self._base.execute("COMMIT")
            # not before, so that the mark is in the file itself
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.Error as error:
            raise self._fault(error) from error
        written = self.about("format")
        if written not in (None, FORMAT):
            raise JournalError(f"{self.path} was written by another version of benchkit", ANEW)
        self.tell("format", FORMAT)

    def _fault(self, error: sqlite3.Error) -> BenchkitError:
        if "locked" in str(error):
            return BenchkitError(f"another run is using {self.path}", "wait for its end, or give another output: -o PATH")
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            return JournalError(f"{self.path} is damaged: {error}", ANEW)
        return BenchkitError(
            f"cannot write {self.path}: {error}", "make room or name another output: -o PATH; the same command goes on from here"
        )

    def about(self, name: str) -> Any:
        """Return what was told about the run under a name, None if nothing was."""
        row = self._read("SELECT value FROM about WHERE name = ?", name)
        return None if row is None else json.loads(row[0])

    def tell(self, name: str, value: Any) -> None:
        """Keep something about the run under a name; nothing is written if it is known."""
        written = json.dumps(value, sort_keys=True)
        if self._read("SELECT value FROM about WHERE name = ?", name) != (written,):
            self._write("INSERT OR REPLACE INTO about VALUES (?, ?)", name, written)

    def add(self, cell: Cell, outcome: Outcome) -> None:
        """Keep an outcome; when this returns, it is kept."""
        if not self.path.exists():
            raise BenchkitError(f"{self.path} is gone, so nothing can be kept", "leave it where it is; begin the run again")
        body = {**vars(outcome), "sizes": asdict(outcome.sizes)}  # asdict of all would copy every prediction
        predictions, votes = body.pop("predictions"), body.pop("votes")
        self._write(
            "INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)",
            cell.dataset,
            WHOLE if cell.replicate is None else cell.replicate,
            cell.algorithm,
            outcome.status,
            json.dumps({**body, "members": votes[1] if votes else None}),
            None if predictions is None else json.dumps(predictions),
            votes[0] if votes else None,
        )

    def forget(self, statuses: tuple[str, ...] | None = None) -> None:
        """Drop the outcomes with one of the statuses, or everything."""
        if statuses is None:
            self._write("DELETE FROM outcomes")
            self._write("DELETE FROM about WHERE name <> 'format'")
        for status in statuses or ():
            self._write("DELETE FROM outcomes WHERE status = ?", status)

    def count(self) -> int:
        """Return how many outcomes are kept."""
        number: int = self._read("SELECT count(*) FROM outcomes")[0]
        return number

    def get(self, cell: Cell, everything: bool = False) -> Outcome | None:
        """Return the outcome of a cell, its predictions and votes only if everything is asked for; None if there is none."""
        row = self._read(
            "SELECT body, predictions, votes FROM outcomes WHERE dataset = ? AND replicate = ? AND algorithm = ?"
            if everything
            else "SELECT body, NULL, NULL FROM outcomes WHERE dataset = ? AND replicate = ? AND algorithm = ?",
            cell.dataset,
            WHOLE if cell.replicate is None else cell.replicate,
            cell.algorithm,
        )
        return None if row is None else _outcome(json.loads(row[0]), row[1], row[2])

    def _read(self, query: str, *values: Any) -> Any:
        try:
            return self._base.execute(query, values).fetchone()
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def _write(self, statement: str, *values: Any) -> None:
        try:
            self._base.execute(statement, values)
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(sqlite3.Error):
            self._base.close()


def beside(output: str | None, experiment: Path) -> Path:
    """Return where the journal of a run lies: beside its output, in the folder of its outputs, else beside the experiment."""
    path = None if output is None or output == "-" else Path(output)
    # standard output by another name may be a file, but one whose place is not known
    if path is None or str(path).startswith(STREAMS) or (path.exists() and not path.is_file() and not path.is_dir()):
        return experiment.with_name(experiment.name + SUFFIX)
    return path / f"run{SUFFIX}" if output and (output.endswith("/") or path.is_dir()) else path.with_name(path.name + SUFFIX)


def _outcome(body: Mapping[str, Any], predictions: str | None, votes: bytes | None) -> Outcome:
    values = {**body}
    members = values.pop("members")
    values["sizes"] = Sizes(**values["sizes"])
    both = None if predictions is None else json.loads(predictions)
    return Outcome(
        **values,
        predictions=None if both is None else (both[0], both[1]),
        votes=None if votes is None else (votes, members),
    )


@contextlib.contextmanager
def opened(path: Path, fresh: bool) -> Iterator[Journal]:
    """Open the journal for the length of a run; with `fresh` whatever it held is dropped.

    A damaged one, or one of another version, can be dropped, too; one that another run holds, or no journal, cannot.
    """
    journal = _anew(path) if fresh else Journal(path)
    try:
        yield journal
    finally:
        journal.close()


def _anew(path: Path) -> Journal:
    journal: Journal | None = None
    try:
        journal = Journal(path)
        journal.forget()
        return journal
    except JournalError:
        if journal is not None:
            journal.close()
    for suffix in ("", *BESIDE):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return Journal(path)


def _may_be_ours(path: Path) -> bool:
    """Say whether the file bears our mark, or is empty or cannot be read, of which SQLite tells."""
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except OSError:
        return True
    return not head or (head.startswith(MAGIC) and head.endswith(MARK))
