"""Answers to figures: one file per figure."""
