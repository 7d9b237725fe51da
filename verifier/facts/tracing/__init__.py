"""Traces: what happens in which order, and what each result is made of."""
