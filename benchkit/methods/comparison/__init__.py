"""Comparison methods and the steps that they share."""
