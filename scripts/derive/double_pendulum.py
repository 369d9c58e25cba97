#!/usr/bin/env python3
"""Writes tests/data/double_pendulum.json: a chaotic double pendulum to 30 digits over 5 s.

Two rods with the given masses, lengths, centres and inertias, released from rest far above their
equilibrium; angles from the x axis, gravity along -y. Lagrange's equations in absolute angles,

  (I1 + m1 c1^2 + m2 L1^2) a'' + m2 L1 c2 (cos(a-b) b'' + sin(a-b) b'^2) = -(m1 c1 + m2 L1) g cos a
  (I2 + m2 c2^2) b'' + m2 L1 c2 (cos(a-b) a'' - sin(a-b) a'^2)           = -m2 c2 g cos b

are integrated by Taylor series of order 40 in 56 digits, twice with different steps; digits in which the
two agree are kept, and that must be 30 of them. Needs mpmath (Debian python3-mpmath).

Usage: scripts/derive/double_pendulum.py > tests/data/double_pendulum.json
"""

import json

from mpmath import mp, mpf

mp.dps = 56
P = dict(m1="1", m2="1.3", L1="1", L2="0.8", c1="0.5", c2="0.4", I1="0.08", I2="0.07", g="9.81",
         a0="1.9", b0="2.6")
V = {k: mpf(v) for k, v in P.items()}
A11 = V["I1"] + V["m1"] * V["c1"] ** 2 + V["m2"] * V["L1"] ** 2
A22 = V["I2"] + V["m2"] * V["c2"] ** 2
A12 = V["m2"] * V["L1"] * V["c2"]
G1 = (V["m1"] * V["c1"] + V["m2"] * V["L1"]) * V["g"]
G2 = V["m2"] * V["c2"] * V["g"]
ORDER = 40


class Sine:
    """Taylor coefficients of sine and cosine of a series, found one by one."""

    def __init__(self, u):
        self.u, self.s, self.c = u, [mp.sin(u[0])], [mp.cos(u[0])]

    def extend(self, k):
        u, s, c = self.u, self.s, self.c
        s.append(sum((i * u[i] * c[k - i] for i in range(1, k + 1)), mpf(0)) / k)
        c.append(-sum((i * u[i] * s[k - i] for i in range(1, k + 1)), mpf(0)) / k)


def product(x, y, k):
    return sum((x[i] * y[k - i] for i in range(k + 1)), mpf(0))


def step(state, h):
    a, b, va, vb = ([x] for x in state)
    d = [a[0] - b[0]]
    sa, sb, sd = Sine(a), Sine(b), Sine(d)
    va2, vb2, p, q, det, aa, ab = [], [], [], [], [], [], []
    inverse = []
    for k in range(ORDER):
        if k:
            d.append(a[k] - b[k])
            for series in (sa, sb, sd):
                series.extend(k)
        va2.append(product(va, va, k))
        vb2.append(product(vb, vb, k))
        p.append(-G1 * sa.c[k] - A12 * product(sd.s, vb2, k))  # right-hand sides
        q.append(-G2 * sb.c[k] + A12 * product(sd.s, va2, k))
        det.append((A11 * A22 if k == 0 else 0) - A12**2 * product(sd.c, sd.c, k))
        if k == 0:
            inverse.append(1 / det[0])
        else:
            inverse.append(-sum((det[i] * inverse[k - i] for i in range(1, k + 1)), mpf(0)) / det[0])
        aa.append(A22 * p[k] - A12 * product(sd.c, q, k))
        ab.append(A11 * q[k] - A12 * product(sd.c, p, k))
        accelerations = product(aa, inverse, k), product(ab, inverse, k)
        for series, rate in ((a, va[k]), (b, vb[k]), (va, accelerations[0]), (vb, accelerations[1])):
            series.append(rate / (k + 1))
    return [sum((c * h**i for i, c in enumerate(series)), mpf(0)) for series in (a, b, va, vb)]


def solve(per_tenth):
    state, rows = [V["a0"], V["b0"], mpf(0), mpf(0)], []
    for _ in range(50):
        for _ in range(per_tenth):
            state = step(state, mpf(1) / (10 * per_tenth))
        rows.append(state)
    return rows


coarse, fine = solve(40), solve(50)
worst = max(abs(x - y) for r, s in zip(coarse, fine) for x, y in zip(r, s))
assert worst < mpf(10) ** -30, worst
print(json.dumps({
    "source": "scripts/derive/double_pendulum.py",
    "parameters": {k: float(v) for k, v in P.items()},
    "columns": ["t", "a", "b", "a'", "b'"],
    "rows": [[f"{(i + 1) / 10:.1f}"] + [mp.nstr(x, 31) for x in r] for i, r in enumerate(fine)],
}, indent=0))
