"""Finding a Dask cluster, and finding out whether its workers are like this process."""

import asyncio
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from benchkit.errors import BenchkitError
from benchkit.run.extras import CLUSTER, require

# seconds to find the scheduler in
FIND = 10.0
# what has to be the same on all workers, and what may change the last digits of a result
NEEDED, NUMERIC = "benchkit", ("numpy", "scipy", "pandas", "scikit-learn")
# what Dask may still say on standard error: no lost connections, which this module tells in its own words
LEVELS = {
    "distributed": logging.ERROR,
    **dict.fromkeys([f"distributed.{name}" for name in ("client", "comm", "core", "batched", "utils")], logging.CRITICAL),
}
START = "start one with `dask scheduler`, and workers with `dask worker {}`"


def connected(address: str) -> Any:
    """Return a client of the scheduler; BenchkitError if there is none, or without dask.distributed."""
    require(CLUSTER, "cluster")
    from distributed import Client

    try:
        asyncio.run(_answered(address))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions that differ: `agree` tells which of them matter
            return Client(address, timeout=FIND, set_as_default=False, name="benchkit")  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError) as error:
        raise BenchkitError(f"no Dask scheduler answers at {address}", START.format(address)) from error
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise BenchkitError(
            f"'{address}' is not the address of a Dask scheduler: {said}", "write it like tcp://host:8786"
        ) from error


async def _answered(address: str) -> None:
    """Return if anybody who speaks Dask's language answers: a client that found nobody would not go without a noise."""
    from distributed.comm.core import connect
    from distributed.security import Security

    if not address.strip():
        raise ValueError("it is empty")
    keys = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    comm = await connect(address, timeout=FIND, **keys)  # type: ignore[no-untyped-call]
    comm.abort()


def agree(found: Mapping[str, Any]) -> list[str]:
    """Return remarks on libraries that differ between here and the workers; BenchkitError if benchkit or Python do.

    found: as Dask's Client.get_versions gives it, the workers by address.
    """
    from benchkit.run.cluster_plugin import other_version, versions

    here = found["client"]["packages"]
    others: dict[str, set[str]] = {}
    for address, worker in found["workers"].items():
        there = worker["packages"]
        if there[NEEDED] is None and here[NEEDED] is not None:
            raise BenchkitError(
                f"the Dask worker {address} has no benchkit",
                "start the workers from this environment: .venv/bin/dask worker ADDRESS",
            )
        python = ".".join(there["python"].split(".")[:2])
        if there[NEEDED] != here[NEEDED] or python != versions()[1]:
            raise other_version(address, (str(there[NEEDED]), python), (str(here[NEEDED]), versions()[1]))
        for name in NUMERIC:
            if there[name] != here[name]:
                others.setdefault(name, set()).add(str(there[name]))
    return [
        f"{name} is {', '.join(sorted(there))} on workers, {here[name]} here: the last digits of results may differ"
        for name, there in others.items()
    ]


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Dask from writing more than real errors to standard error."""
    before = {name: logging.getLogger(name).level for name in LEVELS}
    try:
        for name, level in LEVELS.items():
            logging.getLogger(name).setLevel(level)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
