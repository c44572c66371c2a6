"""benchkit: benchmark experiments of learning algorithms, turned into honest conclusions."""

__version__ = "0.1.0"
