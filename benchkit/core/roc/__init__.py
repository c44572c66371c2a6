"""How good are voting ensembles, and how sure is that? From votes or scores to curves, areas and their differences."""
