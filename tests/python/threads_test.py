"""Many Python threads evaluate one tree at the same time."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from reference_data import Motion, model

import axode


def test_eight_threads_give_the_same_bits() -> None:
    tree = model("quadruped")
    m = Motion(tree, 200)

    def evaluate(_: int) -> list[Any]:
        single = [axode.inverse_dynamics(tree, m.q[i], m.v[i], m.a[i]) for i in range(200)]
        return [
            np.array(single),
            axode.inverse_dynamics(tree, m.q, m.v, m.a),
            axode.forward_dynamics(tree, m.q, m.v, m.a),
            axode.mass_matrix(tree, m.q),
            axode.coriolis_matrix(tree, m.q[:20], m.v[:20]),
            axode.inverse_dynamics_derivatives(tree, m.q[:20], m.v[:20], m.a[:20]).by_q,
        ]

    expected = evaluate(0)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(evaluate, range(24)):
            for one, other in zip(found, expected):
                assert np.array_equal(one, other)


def test_batches_let_other_threads_run() -> None:
    tree = model("quadruped")
    m = Motion(tree, 1000)
    q, v, a = (np.tile(x, (100, 1)) for x in (m.q, m.v, m.a))
    calls: tuple[Callable[[], Any], ...] = (
        lambda: axode.inverse_dynamics(tree, q, v, a),
        lambda: axode.coriolis_matrix(tree, m.q, m.v),
    )
    for call in calls:
        counted = 0
        stop = threading.Event()

        def count() -> None:
            nonlocal counted
            while not stop.is_set():
                counted += 1
                time.sleep(0)

        def one_call() -> int:
            """How far the other thread counts during one call."""
            before = counted
            call()
            return counted - before

        counter = threading.Thread(target=count)
        counter.start()
        try:
            # Held all the time, the lock changes hands between calls at most.
            assert max(one_call() for _ in range(20)) > 10
        finally:
            stop.set()
            counter.join()
