"""Prints the medians of lines of: tool, wall milliseconds, CPU milliseconds, mebibytes."""

import statistics
import sys

samples = {}
for line in open(sys.argv[1], encoding="utf-8"):
    peer, *numbers = line.split()
    samples.setdefault(peer, []).append([float(number) for number in numbers])
print(f"{'':28}{'wall ms':>10}  {'(min–max)':20}{'CPU ms':>9}{'memory':>14}")
for peer, runs in samples.items():
    wall, cpu, memory = zip(*runs)
    span = f"({min(wall):.1f}–{max(wall):.1f})"
    print(
        f"{peer:28}{statistics.median(wall):10.1f}  {span:20}{statistics.median(cpu):9.1f}{max(memory):10.1f} MiB"
    )
