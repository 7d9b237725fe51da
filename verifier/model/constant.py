"""Constants as code and papers write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

Scalar = int | float | str | bool | None
Constant = Union[Scalar, tuple["Constant", ...], Mapping[str, "Constant"]]
