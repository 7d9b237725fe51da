"""Measurements of time and memory, each beside a floor taken in the same run."""
