"""Words in: one file per subcommand; composes, computes nothing."""
