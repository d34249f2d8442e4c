"""Times a change of a file: prints wall milliseconds, CPU milliseconds and the mebibytes that were added."""

import resource
import sys
import time


def measure(change):
    path = sys.argv[1]
    # The peak is that of the whole process, so the interpreter and its modules are taken off.
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, cpu = time.perf_counter(), time.process_time()
    change(path)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    added = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"{wall * 1000:.1f} {cpu * 1000:.1f} {added / 1024:.1f}")
