"""Seeded drifts of a repository, to test units and the verifier: each plants one known fault and asks whether it is found."""
