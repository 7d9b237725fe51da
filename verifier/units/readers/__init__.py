"""One reader a file: each finds one kind of statement in a claim and turns it into checks."""
