#!/usr/bin/env python3
"""Writes tests/data/mechanisms/stewart_modes.json: all poses of a Stewart platform with given legs.

The pose as a dual quaternion (x, y) up to scale, a point of P^7 on the Study quadric x.y = 0, with
R from x and translation t = 2 y x* / |x|^2. Times |x|^2, |t + R b - a|^2 = l^2 is a quadric too:

  4 |y|^2 + (|a|^2 + |b|^2 - l^2) |x|^2 + 2 b.(2 x* y) - 2 a.(2 y x*) - 2 a.(x b x*) = 0

for each of six legs. The seven quadrics have 2^7 = 128 solutions in P^7; all are reached from those
of z_i^2 = c_i z_0^2 along paths in complex numbers (homotopy with a random factor, which makes
paths regular with probability one). A general platform has 40 poses, the rest ends in the set x = 0,
|y| = 0 or |x|^2 = 0, where solutions are not isolated [Husty1996; Raghavan1993]. The run is made
three times with different numbers; all must give the same 40, which must come in conjugate pairs: then
no real pose is missing.

Needs numpy. Usage: scripts/derive/stewart_modes.py > tests/data/mechanisms/stewart_modes.json
"""

import json
import pathlib
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "mechanisms"


def left(p):
    """Matrix of q -> p q, quaternions (w, x, y, z)."""
    w, x, y, z = p
    return np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])


def right(p):
    """Matrix of q -> q p."""
    w, x, y, z = p
    return np.array([[w, -x, -y, -z], [x, w, z, -y], [y, -z, w, x], [z, y, -x, w]])


CONJUGATE = np.diag([1.0, -1, -1, -1])


def leg(a, b, length):
    """Symmetric matrix of the quadric of one leg, in (x, y)."""
    pure = lambda v: np.array([0.0, *v])
    A, B = left(pure(a)), right(pure(b))
    Q = np.zeros((8, 8))
    Q[:4, :4] = (a @ a + b @ b - length**2) * np.eye(4)
    # a.(x b x*) = -Re(a x b x*) = -(x, a x b) since Re(p x*) = (p, x)
    Q[:4, :4] += 2 * (A @ B)
    Q[4:, 4:] = 4 * np.eye(4)
    # b.(x* y) = -Re(b x* y) = -Re(y b x*) = -(x, y b);  a.(y x*) = -Re(a y x*) = -(x, a y)
    Q[:4, 4:] += -4 * B + 4 * A
    return (Q + Q.T) / 2


def study():
    Q = np.zeros((8, 8))
    Q[:4, 4:] = Q[4:, :4] = np.eye(4) / 2
    return Q


def pose(z):
    """Attitude (matrix) and translation of a real point."""
    x, y = z[:4], z[4:]
    n = x @ x
    turn = left(x) @ right(CONJUGATE @ x) / n
    return turn[1:, 1:], 2 * (left(y) @ (CONJUGATE @ x))[1:] / n


def values(Q, c, s, z):
    """Homotopy (1 - s) g start + s target, its derivatives by z and s; z: paths x 8."""
    target = np.einsum("pi,kij,pj->pk", z, Q, z)
    target_z = 2 * np.einsum("kij,pj->pki", Q, z)
    start = z[:, 1:] ** 2 - c[1:] * z[:, :1] ** 2
    start_z = np.zeros((len(z), 7, 8), complex)
    for k in range(7):
        start_z[:, k, k + 1] = 2 * z[:, k + 1]
        start_z[:, k, 0] = -2 * c[k + 1] * z[:, 0]
    start, start_z = c[0] * start, c[0] * start_z
    s = s[:, None]
    return ((1 - s) * start + s * target, (1 - s)[..., None] * start_z + s[..., None] * target_z,
            target - start)


def track(Q, seed):
    """Ends of the 128 paths, and whether each ends regularly."""
    random = np.random.default_rng(seed)
    unit = lambda *n: np.exp(2j * np.pi * random.random(n))
    c = unit(8)
    patch = unit(8) * random.uniform(0.5, 1, 8)
    signs = np.array([[1 - 2 * ((k >> i) & 1) for i in range(7)] for k in range(128)])
    z = np.concatenate([np.ones((128, 1)), signs * np.sqrt(c[1:])], axis=1).astype(complex)
    z /= (z @ patch)[:, None]

    s, h = np.zeros(128), np.full(128, 1e-3)
    stuck = np.zeros(128, bool)
    good_steps = np.zeros(128, int)

    def tangent(s, z):
        f, J, fs = values(Q, c, s, z)
        J = np.concatenate([J, np.broadcast_to(patch, (len(z), 1, 8))], axis=1)
        b = np.concatenate([-fs, np.zeros((len(z), 1))], axis=1)
        return np.linalg.solve(J, b[..., None])[..., 0]

    def newton(s, z, count):
        for _ in range(count):
            f, J, _fs = values(Q, c, s, z)
            J = np.concatenate([J, np.broadcast_to(patch, (len(z), 1, 8))], axis=1)
            b = np.concatenate([-f, (1 - z @ patch)[:, None]], axis=1)
            d = np.linalg.solve(J, b[..., None])[..., 0]
            z = z + d
        return z, np.linalg.norm(d, axis=1) / np.linalg.norm(z, axis=1)

    for _ in range(200000):
        run = np.flatnonzero((s < 1) & ~stuck)
        if len(run) == 0:
            break
        s0, z0 = s[run], z[run]
        d = np.minimum(h[run], 1 - s0)
        k1 = tangent(s0, z0)
        k2 = tangent(s0 + d / 2, z0 + (d / 2)[:, None] * k1)
        k3 = tangent(s0 + d / 2, z0 + (d / 2)[:, None] * k2)
        k4 = tangent(np.minimum(s0 + d, 1 - 1e-14), z0 + d[:, None] * k3)
        guess = z0 + (d / 6)[:, None] * (k1 + 2 * k2 + 2 * k3 + k4)
        z1, last = newton(s0 + d, guess, 3)
        size = np.linalg.norm(z1, axis=1)
        # Small corrections only: paths must not be changed for others.
        good = (last < 1e-11) & (np.linalg.norm(z1 - guess, axis=1) < 1e-5 * size) & (size < 1e6)
        s[run[good]] = np.where(1 - (s0 + d)[good] < 1e-15, 1, (s0 + d)[good])
        z[run[good]] = z1[good]
        good_steps[run] = np.where(good, good_steps[run] + 1, 0)
        h[run] = np.where(good, np.where(good_steps[run] >= 3, h[run] * 1.5, h[run]), d / 2)
        h[run] = np.minimum(h[run], 0.02)
        stuck[run] = h[run] < 1e-10
    return z, (s >= 1) & ~stuck, s


def solutions(Q, seed):
    """The regular ends; None where a path cannot be followed to its end with these numbers."""
    z, ok, s = track(Q, seed)
    if (s[~ok] < 0.999).any():
        return None
    # The others come near |x|^2 = 0, where the Jacobian is singular and steps end.
    far = [abs(p[:4] @ p[:4]) / np.linalg.norm(p) ** 2 for p in z[~ok]]
    found, others = [], 0
    for p in z[ok]:
        f, J, _ = values(Q, np.ones(8), np.ones(1), p[None])
        scale = np.linalg.svd(J[0], compute_uv=False)
        n = abs(p[:4] @ p[:4]) / np.linalg.norm(p) ** 2
        if scale[-1] < 1e-7 * scale[0] or n < 1e-7:
            others += 1
            continue
        found.append(p / p[np.argmax(abs(p))])
    print(len(found), "regular ends,", others, "singular,", int((~ok).sum()), "stopped before 1",
          "with |x.x| up to", max(far), file=sys.stderr)
    return found


def polish(Q, z):
    """Real Newton on the unit sphere of x."""
    for _ in range(5):
        J = np.concatenate([2 * (Q @ z), 2 * np.concatenate([z[:4], np.zeros(4)])[None]])
        f = np.concatenate([np.einsum("i,kij,j->k", z, Q, z), [z[:4] @ z[:4] - 1]])
        z = z - np.linalg.solve(J, f)
    return z


def main():
    data = json.loads((FOLDER / "spatial_stewart.json").read_text())["sets"][0]
    base, top = (np.array(data["params"][k]) for k in ("base", "platform_local"))
    states = []
    for state in data["states"]:
        legs = np.array(state["pos"]["legs"])
        Q = np.array([leg(a, b, l) for a, b, l in zip(base, top, legs)] + [study()])
        same = lambda p, q: abs(abs(np.vdot(p, q)) - np.linalg.norm(p) * np.linalg.norm(q)) < 1e-9
        first, runs, seed = None, 0, 0
        while runs < 3:
            seed += 1
            found = solutions(Q, seed)
            if found is None:
                continue
            runs += 1
            first = first or found
            assert len(found) == 40
            assert all(any(same(p, q) for q in found) for p in first)
        assert all(sum(same(p, q) for q in first) == 1 for p in first)
        assert all(any(same(p.conj(), q) for q in first) for p in first)
        modes = []
        for p in first:
            if not same(p.conj(), p):
                continue
            z = (p / p[np.argmax(abs(p))]).real
            z = polish(Q, z / np.linalg.norm(z[:4]))
            R, t = pose(z)
            left_over = np.linalg.norm(t + top @ R.T - base, axis=1) - legs
            assert abs(left_over).max() < 1e-13
            x = z[:4] if z[0] > 0 else -z[:4]
            modes.append({"r": t.tolist(), "p": x.tolist()})
        modes.sort(key=lambda m: m["r"])
        states.append({"t": state["t"], "legs": legs.tolist(), "complex": len(first),
                       "modes": modes})
    json.dump({"params": {k: data["params"][k] for k in ("base", "platform_local")},
               "states": states}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
