"""The expression language: reading and printing formulas, their normal form, matching up to algebra and naming."""
