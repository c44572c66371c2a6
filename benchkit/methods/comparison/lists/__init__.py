"""The comparison methods by the kind of data, in plain lists that load nothing."""
