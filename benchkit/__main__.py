"""`python -m benchkit`."""

from benchkit.cli.app import run

run()
