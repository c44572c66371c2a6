"""Effect sizes, one file each."""
