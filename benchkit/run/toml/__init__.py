"""One file for each kind of table in an experiment file: from what TOML holds to the records of a plan."""
