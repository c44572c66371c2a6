"""Votes of ensembles and scores of classifiers: read in blocks, from whatever holds them."""
