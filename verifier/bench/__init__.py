"""Many repositories: laid out as a benchmark, checked by worker processes, summed up in tables and compared."""
