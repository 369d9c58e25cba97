"""What calling Axode from Python costs beside the same work in C++.

Usage: bench_python.py PROGRAM MODEL: PROGRAM is bench/python/batch.cpp compiled. C++ and Python
take turns on the same threads; the figures are the least times, and the ratio of the batches.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import axode

STATES, ROUNDS, REPEATS, CALLS = 100_000, 9, 40, 500


def least_time(function: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def single_call(function: Callable[[], Any]) -> float:
    def many() -> None:
        for _ in range(CALLS):
            function()

    def nothing() -> None:
        for _ in range(CALLS):
            no_call()

    def no_call() -> None:
        return None

    return (least_time(many, 1000) - least_time(nothing, 1000)) / CALLS


def main(program: str, model: str) -> None:
    tree = axode.Tree.from_file(model)
    random = np.random.default_rng(1)
    q = np.array([tree.random(i) for i in range(1000)])
    q = np.tile(q, (STATES // 1000, 1))
    v, a = random.normal(size=(2, STATES, tree.nv))
    tau = np.empty_like(v)
    for threads in sorted({1, axode.threads()}):
        axode.set_threads(threads)
        cpp, new, written = [], [], []
        for _ in range(ROUNDS):
            command = [program, model, str(STATES), str(threads), str(REPEATS)]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            cpp.append(float(printed.split()[1]))
            engine = float(printed.split()[2])
            new.append(least_time(lambda: axode.inverse_dynamics(tree, q, v, a), REPEATS))
            written.append(
                least_time(lambda: axode.inverse_dynamics(tree, q, v, a, out=tau), REPEATS)
            )
        print(
            f"{STATES} x inverse dynamics, {tree.nv} joints, {threads} threads: "
            f"C++ {min(cpp) * 1e3:.2f} ms, Python {min(new) * 1e3:.2f} ms, "
            f"with out= {min(written) * 1e3:.2f} ms; ratio {min(new) / min(cpp):.3f}, "
            f"with out= {min(written) / min(cpp):.3f}"
        )
    axode.set_threads(0)
    one = [x[0].copy() for x in (q, v, a, tau)]
    call = single_call(lambda: axode.inverse_dynamics(tree, one[0], one[1], one[2]))
    call_out = single_call(lambda: axode.inverse_dynamics(tree, one[0], one[1], one[2], out=one[3]))
    print(
        f"one state: C++ {engine * 1e6:.3f} us, Python {call * 1e6:.3f} us, "
        f"with out= {call_out * 1e6:.3f} us"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
