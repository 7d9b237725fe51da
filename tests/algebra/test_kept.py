"""Results are kept until they are forgotten."""

from __future__ import annotations

from verifier.algebra.kept import forget, kept


def test_a_result_is_kept_and_forgotten() -> None:
    calls: list[int] = []

    @kept(2)
    def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    assert [double(1), double(1), double(2)] == [2, 2, 4]
    assert calls == [1, 2]
    forget()
    assert double(1) == 2
    assert calls == [1, 2, 1]
