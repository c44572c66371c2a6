"""The contract between the rooms: the glossary, the shapes of the tables and the result."""
