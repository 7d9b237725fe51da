"""Our time for a whole benchmark as a multiple of the floor, in the same run.

usage: python -m benchmarks.corpus RUNS UNITS [--times N]     RUNS/<config>/<paper>/repo, UNITS/<paper>.json

Each round runs the floor and then the bench in one process without kept reports, and with all reports kept.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import MEBI, Cost, cost_of

HERE = Path(__file__).parent


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("units", type=Path)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    repos = sorted(str(path) for path in options.runs.glob("*/*/repo"))
    with tempfile.TemporaryDirectory() as folder:
        rounds = [_round(options.runs, options.units, repos, folder) for _ in range(options.times)]
    files, size, _ = rounds[0][0].output.split()
    print(f"{len(repos)} repositories, {files} Python files, {int(size) / 1e6:.1f} MB; medians of {options.times}")
    floor = median(first.cpu for first, _, _ in rounds)
    for name, costs in zip(("floor", "bench, nothing kept", "bench, all kept"), zip(*rounds, strict=True), strict=True):
        cpu, wall = median(cost.cpu for cost in costs), median(cost.wall for cost in costs)
        peak = max(cost.peak for cost in costs) / MEBI
        print(f"{name:<20} {cpu:8.2f} s cpu {wall:8.2f} s wall {cpu / floor:6.2f} F {peak:6.0f} MiB")


def _round(runs: Path, units: Path, repos: list[str], folder: str) -> tuple[Cost, Cost, Cost]:
    environment = {**os.environ, "SA_VERIFY_CACHE_DIR": f"{folder}/cache"}
    bench = [
        sys.executable,
        "-m",
        "verifier",
        "bench",
        str(runs),
        "--units",
        str(units),
        "--workers",
        "1",
        "--output",
        f"{folder}/out",
    ]
    floor = cost_of([sys.executable, str(HERE / "floor.py"), *repos], environment)
    cold = cost_of([*bench, "--no-cache"], environment)
    cost_of(bench, environment)
    return floor, cold, cost_of(bench, environment)


if __name__ == "__main__":
    main()
