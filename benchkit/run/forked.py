"""The processes of workers: forked from a server that has loaded the libraries, with an exit status that is certain."""

import os
import threading
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.popen_forkserver import Popen
from multiprocessing.process import BaseProcess


class CertainPopen(Popen):
    """Reads the exit status once, whoever asks.

    multiprocessing lets every thread that starts a process look for others that have ended. Two threads could find the
    same one, and the second would read nothing from the pipe that told the status and take that for status 255.
    """

    def __init__(self, process_obj: BaseProcess) -> None:
        """Start the process."""
        self._reading = threading.Lock()
        super().__init__(process_obj)

    def poll(self, flag: int = os.WNOHANG) -> int | None:
        """Return the exit status, None while the process runs; it is waited for if flag is 0."""
        if self.returncode is None and wait([self.sentinel], 0 if flag == os.WNOHANG else None):
            with self._reading:
                super().poll(os.WNOHANG)
        return self.returncode


class WorkerProcess(ForkServerProcess):
    """A process of a worker."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Popen:  # noqa: N802  # what multiprocessing calls to start it
        return CertainPopen(process_obj)


class WorkerContext(ForkServerContext):
    """Makes them."""

    Process = WorkerProcess
