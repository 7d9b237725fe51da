"""Runs programs and says how long they took and how much memory they held at most."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MEBI = 2**20


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program cost.

    Attributes:
        wall: seconds from start to end.
        cpu: seconds of processor time, those of its children included.
        peak: bytes of memory that it, or the largest of its children, held at most.
        output: what it printed.
    """

    wall: float
    cpu: float
    peak: int
    output: str


_CHILD = """
import resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write(f"{wall} {used.ru_utime + used.ru_stime} {used.ru_maxrss * 1024} {done.returncode}")
sys.stdout.buffer.write(done.stdout)
"""


def cost_of(command: Sequence[str], environment: Mapping[str, str], allowed: tuple[int, ...] = (0,)) -> Cost:
    """Run a command once, in a process that has no other child.

    Args:
        command: the program and its arguments.
        environment: its environment.
        allowed: exit codes that are no failure.

    Raises:
        SystemExit: it failed.
    """
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *command], capture_output=True, text=True, env=dict(environment), check=True
    )
    wall, cpu, peak, code = done.stderr.split()
    if int(code) not in allowed:
        raise SystemExit(f"exit code {code}: {' '.join(command)}")
    return Cost(float(wall), float(cpu), int(peak), done.stdout)
