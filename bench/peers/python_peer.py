"""What programs of bench/peers share that are written in Python: the command line, the files and the
JSON of bench/peers/protocol.hpp and flat_model.hpp. Instructions are not counted.
"""

import argparse
import json
import struct
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np

SAMPLE, CHECKED, MOST, SIGNS = 2e-3, 3, 4096, 64


@dataclass
class Body:
    """A body and the joint that carries it."""

    parent: int
    joint: str
    axis: np.ndarray
    R: np.ndarray
    p: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray  # 3 x 3, about the centre of mass
    q: int
    v: int


@dataclass
class Function:
    """call(k) is timed; result(k), after it, gives what was found."""

    call: Callable[[int], None]
    result: Callable[[int], np.ndarray]
    note: str = ""


class Model:
    """The flat model of a file and its states."""

    def __init__(self, path):
        self.name = Path(path).stem
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        head = lines[0].split()
        self.gravity = np.array([float(word) for word in head[3:6]])
        self.bodies, self.nq, self.nv = [], 0, 0
        for line in lines[1:1 + int(head[1])]:
            self._add(line.split())
        self.free = self.bodies[0].joint == "free"
        data = Path(path).with_suffix(".states").read_bytes()
        count = struct.unpack("<3q", data[:24])[0]
        rows = np.frombuffer(data[24:]).reshape(count, self.nq + 3 * self.nv)
        ends = np.cumsum([self.nq, self.nv, self.nv])
        self.q, self.v, self.a, self.tau = (list(x) for x in np.split(rows, ends, axis=1))

    def _add(self, words):
        x = np.array([float(word) for word in words[4:]])
        xx, xy, xz, yy, yz, zz = x[19:25]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        self.bodies.append(Body(int(words[1]), words[3], x[:3], x[3:12].reshape(3, 3), x[12:15], x[15],
                                x[16:19], inertia, self.nq, self.nv))
        self.nq, self.nv = (self.nq + 7, self.nv + 6) if words[3] == "free" else (self.nq + 1, self.nv + 1)

    def turn(self, k, angular=True):
        """nv x nv: velocities of state k with those of a free base turned to the axes of the world, the
        angular ones only if asked for."""
        turn = np.eye(self.nv)
        if self.free:
            turn[:3, :3] = rotation(self.q[k][3:7])
            if angular:
                turn[3:6, 3:6] = turn[:3, :3]
        return turn

    def bias(self, k):
        """The acceleration of the origin of a free base less that of its velocity in its own axes."""
        bias = np.zeros(self.nv)
        if self.free:
            bias[:3] = np.cross(self.v[k][3:6], self.v[k][:3])
        return bias


def rotation(quaternion):
    x, y, z, w = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def thinned(numbers):
    """As peers::thinned."""
    if len(numbers) <= MOST:
        return numbers
    bits, mask, all_bits = 0x9E3779B97F4A7C15, (1 << 64) - 1, []
    for _ in numbers:
        bits ^= (bits << 13) & mask
        bits ^= bits >> 7
        bits ^= (bits << 17) & mask
        all_bits.append(bits)
    signs, one = np.array(all_bits, np.uint64), np.uint64(1)
    sums = [np.where((signs >> np.uint64(j)) & one, numbers, -numbers).sum() for j in range(SIGNS)]
    return np.concatenate([sums, numbers[[i * len(numbers) // MOST for i in range(MOST)]]])


def sampled(call, count, samples, budget):
    """ns per call of each sample."""
    calls, first = 1, 0

    def sample():
        nonlocal first
        order = [(first + i) % count for i in range(calls)]
        first = (first + calls) % count
        start = time.perf_counter()
        for k in order:
            call(k)
        return time.perf_counter() - start

    begin, spent = time.perf_counter(), sample()
    while spent < SAMPLE / 2:
        calls = calls * 4 if spent * 8 < SAMPLE else max(calls + 1, int(calls * SAMPLE / spent))
        spent = sample()
    ns = []
    while len(ns) < samples and (len(ns) < 3 or time.perf_counter() - begin < budget):
        ns.append(sample() * 1e9 / calls)
    return ns


def results(function):
    found = []
    for k in range(CHECKED):
        function.call(k)
        found.append([x if np.isfinite(x) else None for x in thinned(function.result(k)).tolist()])
    return found


def run(library, version, functions_of, unsupported):
    """The program. functions_of(model) gives a dictionary of Function; unsupported one of reasons."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--function", type=lambda text: text.split(","))
    parser.add_argument("--samples", type=int, default=21)
    parser.add_argument("--budget", type=float, default=2)
    parser.add_argument("--no-time", action="store_true")
    parser.add_argument("--no-results", action="store_true")
    options = parser.parse_args()
    model, said = Model(options.model), {}
    functions = functions_of(model)
    if options.list:
        print("\n".join(functions))
        return
    for name, function in functions.items():
        if options.function and not any(name == f or name.startswith(f + "_") for f in options.function):
            continue
        said[name] = {"note": function.note}
        if not options.no_results:
            said[name]["results"] = results(function)
        if not options.no_time:
            said[name]["ns"] = sampled(function.call, len(model.q), options.samples, options.budget)
    print(json.dumps({"library": library, "version": version, "flags": "", "model": model.name,
                      "compiler": "Python " + sys.version.split()[0], "nv": model.nv,
                      "bodies": len(model.bodies), "functions": said, "unsupported": unsupported}))
