"""Makes results: the only room that executes other people's code."""
