"""How often the comparison methods err when nothing differs, by simulation."""
