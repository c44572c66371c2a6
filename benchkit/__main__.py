"""`python -m benchkit`, and what the command `benchkit` calls."""

import signal
import sys


def run() -> None:
    """Run the command line and end the process with its status."""
    # an interrupt while modules load ends the process without a traceback; the command line sets its own handler
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from benchkit.cli.app import main

    sys.exit(main())


if __name__ == "__main__":
    run()
