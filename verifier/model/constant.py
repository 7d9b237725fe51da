"""Constants as code and papers write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Scalar: TypeAlias = int | float | str | bool | None
Constant: TypeAlias = "Scalar | tuple[Constant, ...] | Mapping[str, Constant]"
