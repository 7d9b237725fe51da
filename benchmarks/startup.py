"""How long a single run takes, beside a bare Python.

usage: python -m benchmarks.startup REPO UNITS [--times N]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import cost_of


def main() -> None:
    """Print the medians, in milliseconds and as multiples of a bare Python."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", type=Path)
    parser.add_argument("units", type=Path)
    parser.add_argument("--times", type=int, default=9)
    options = parser.parse_args()
    program = str(Path(sys.executable).with_name("sa-verify"))
    check = [program, str(options.repo), "--units", str(options.units), "--format", "json"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SA_VERIFY_CACHE_DIR": folder}
        commands = {
            "bare python": [sys.executable, "-c", "pass"],
            "--version": [program, "--version"],
            "cold (--no-cache)": [*check, "--no-cache"],
            "warm (unchanged)": check,
        }
        for command in commands.values():  # byte code and kept reports are in place
            cost_of(command, environment, (0, 1))
        rounds = [
            {name: cost_of(command, environment, (0, 1)) for name, command in commands.items()} for _ in range(options.times)
        ]
    walls = {name: median(costs[name].wall for costs in rounds) for name in commands}
    cpus = {name: median(costs[name].cpu for costs in rounds) for name in commands}
    for name in commands:
        wall, cpu = walls[name] / walls["bare python"], cpus[name] / cpus["bare python"]
        print(f"{name:<18} {walls[name] * 1000:8.1f} ms {wall:6.1f} x   cpu {cpus[name] * 1000:8.1f} ms {cpu:6.1f} x")


if __name__ == "__main__":
    main()
