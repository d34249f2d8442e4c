"""keys.py make|use|wait: keeps values of every kind in a cache, with keys of every class, tags, times and a queue, and checks it."""
import sys
import time

import diskcache

KEYS = [lambda n: n, lambda n: n + 0.5, lambda n: f"gr\u00fcn{n}", lambda n: b"\0\xff%d" % n, lambda n: (n, "pair"), lambda n: -(2**62) + n]
VALUES = [lambda n: n, lambda n: n / 7, lambda n: f"text\0{n}", lambda n: b"\0" * n, lambda n: {"n": n}, lambda n: "x" * 40_000, lambda n: -0.0]


def pairs(first, last):
    for number in range(first, last):
        yield KEYS[number % len(KEYS)](number), VALUES[number % len(VALUES)](number), f"tag{number % 3}" if number % 4 else None


def add(cache, first, last):
    for key, value, tag in pairs(first, last):
        cache.set(key, value, tag=tag, expire=None if tag else 100_000_000)


def read(cache, last):
    for key, value, tag in pairs(0, last):
        found, until, known = cache.get(key, expire_time=True, tag=True)
        assert repr(found) == repr(value) and known == tag and (until is None) == (tag is not None), (key, found, until, known)


cache = diskcache.Cache("cache", statistics=1, tag_index=1, eviction_policy="least-frequently-used")
if sys.argv[1] == "make":
    add(cache, 0, 120)
    for word in ("one", "two", "three"):
        cache.push(word, prefix="line")
    cache.set(float("inf"), "endless")
    cache["count"] = 120
else:
    before = cache["count"]
    if sys.argv[1] == "wait":
        print("ready", flush=True)
        sys.stdin.readline()
    read(cache, before)
    hits = cache.stats()[0]
    assert cache[float("inf")] == "endless" and hits > 0
    add(cache, before, before + 7)
    assert cache.incr("count", 7) == before + 7
    read(cache, before + 7)
    line = [cache.pull(prefix="line")[1] for _ in range(3)]
    assert line == ["one", "two", "three"] and cache.pull(prefix="line") == (None, None)
    for word in reversed(line):
        cache.push(word, prefix="line", side="front")
    size = len(cache)
    for number in range(5):
        cache.set(f"short{number}", "y" * 50_000, expire=0.01, tag="short")
    time.sleep(0.05)
    assert cache.expire() + cache.evict("short") >= 1 and cache.cull() == 0
    assert len(cache) == size == sum(1 for _ in cache), (len(cache), size)
    with cache.transact():
        cache["inside"] = 1
        del cache["inside"]
warnings = cache.check(fix=False)
assert not warnings, [str(item.message) for item in warnings]
cache.close()
