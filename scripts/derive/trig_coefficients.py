#!/usr/bin/env python3
"""Derives the constants of axode/lie/trig_kernel.hpp and trig.cpp, and prints them as hex floats.

Polynomials: weighted minimax fits (Remez exchange on a dense grid of Chebyshev points, 60 digits).
The coefficients are rounded to double one after the other, lowest power first, and the remaining
ones are fitted again after each rounding, so that later coefficients absorb the rounding of the
earlier ones. The weight turns the error of the fit into a relative error of the function.

    sin h  = h - h z S(z),             z = h^2, |h| <= pi/4
    cos h  = 1 - z/2 + z^2 C(z),       z = h^2, |h| <= pi/4
    atan t = t - t z A(z),             z = t^2, |t| <= tan(pi/8)

Constants: pi/2 in parts short enough that a product with an integer below 2^20 is exact, pi/4 in
a part that can be multiplied by 3 exactly and the rest, and the bits of 2/pi.

Needs mpmath. Usage: python3 scripts/derive/trig_coefficients.py
"""

from mpmath import mp, mpf, atan, cos, lu_solve, matrix, pi, sin, tan

mp.dps = 80  # the fits need 60; 2/pi is computed with its own precision


def to_double(x):
    return mpf(float(x))  # float() of an mpf rounds to nearest


def remez(points, f, w, count):
    """The coefficients p_0..p_{count-1} that minimise max |w (f - p)| over the given points."""
    last = len(points) - 1
    chosen = [round(i * last / count) for i in range(count + 1)]
    for _ in range(60):
        rows, right = [], []
        for sign, i in enumerate(chosen):
            rows.append([points[i] ** k for k in range(count)] + [(-1) ** sign / w[i]])
            right.append(f[i])
        solution = lu_solve(matrix(rows), matrix(right))
        p, level = [solution[k] for k in range(count)], abs(solution[count])
        error = [w[i] * (f[i] - horner(p, points[i])) for i in range(last + 1)]
        extrema = alternating_extrema(error, count + 1)
        if extrema is None or max(abs(e) for e in error) <= level * (1 + mpf(10) ** -6):
            return p
        chosen = extrema
    raise RuntimeError("the exchange did not converge")


def alternating_extrema(error, wanted):
    """Indices of the largest errors of alternating sign, `wanted` of them; None if too few."""
    found = []
    for i, e in enumerate(error):
        if found and (e > 0) == (error[found[-1]] > 0):
            if abs(e) > abs(error[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > wanted:  # drop the smaller end
        found.pop(0 if abs(error[found[0]]) < abs(error[found[-1]]) else -1)
    return found if len(found) == wanted else None


def horner(p, z):
    result = mpf(0)
    for c in reversed(p):
        result = result * z + c
    return result


def fit(name, function, weight, end, count, samples=400):
    """Prints `count` double coefficients of the minimax fit of function(z) on (0, end]."""
    points = [end * (1 - cos(pi * (i + mpf(1) / 2) / samples)) / 2 for i in range(samples)]
    f, w = [function(z) for z in points], [weight(z) for z in points]
    rest, rest_w, fixed = list(f), list(w), []
    for k in range(count):
        fixed.append(to_double(remez(points, rest, rest_w, count - k)[0]))
        rest = [(r - fixed[-1]) / z for r, z in zip(rest, points)]
        rest_w = [a * z for a, z in zip(rest_w, points)]
    worst = max(abs(a * (v - horner(fixed, z))) for a, v, z in zip(w, f, points))
    print(f"// {name}: relative error of the function 2^{mp.nstr(mp.log(worst, 2), 5)}")
    for c in fixed:
        print(f"    {float(c).hex()},  // {mp.nstr(c, 17)}")


def split(name, value, bits):
    """Prints value as a sum of doubles of the given numbers of bits, the last one rounded."""
    for k, b in enumerate(bits):
        unit = mpf(2) ** (mp.floor(mp.log(abs(value), 2)) + 1 - b)
        part = mp.nint(value / unit) * unit if k == len(bits) - 1 else mp.floor(value / unit) * unit
        print(f"{name}[{k}] = {float(part).hex()}  // {b} bits")
        value -= part


def main():
    quarter, eighth = pi / 4 * (1 + mpf(2) ** -30), tan(pi / 8) * (1 + mpf(2) ** -30)

    def by_root(f):
        return lambda z: f(mp.sqrt(z))

    def sin_rest(h):
        return (h - sin(h)) / h**3

    def cos_rest(h):
        return (cos(h) - 1 + h * h / 2) / h**4

    def atan_rest(t):
        return (t - atan(t)) / t**3

    fit("S", by_root(sin_rest), by_root(lambda h: h**3 / sin(h)), quarter**2, 6)
    fit("C", by_root(cos_rest), by_root(lambda h: h**4 / cos(h)), quarter**2, 6)
    fit("A", by_root(atan_rest), by_root(lambda t: t**3 / atan(t)), eighth**2, 11)

    split("pi/2", pi / 2, [33, 33, 33, 53])
    split("pi/4", pi / 4, [50, 53])
    print(f"2/pi = {float(2 / pi).hex()}")
    print(f"tan(pi/8) = {float(tan(pi / 8)).hex()}")
    words = 19
    mp.prec = 64 * words + 64
    bits = int(mp.floor(2 / pi * mpf(2) ** (64 * words)))
    print(f"2/pi, {64 * words} bits after the point:")
    for k in range(words):
        print(f"    0x{(bits >> (64 * (words - 1 - k))) & (2**64 - 1):016x},")
    print("pi/2 * 2^127:")
    half_pi = int(mp.floor(pi / 2 * mpf(2) ** 127))
    print(f"    0x{half_pi >> 64:016x}, 0x{half_pi & (2**64 - 1):016x}")


if __name__ == "__main__":
    main()
