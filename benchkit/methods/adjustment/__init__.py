"""Adjustments for the number of comparisons, one file each."""
