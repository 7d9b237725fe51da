"""The kinds of bindings, one a module."""
