"""The pole on a light cart of tests/data/iftomm.json against its exact solution."""

from collections.abc import Callable

import numpy as np

import axode
from axode.typing import Array
from reference_data import read

M, m, g = 1e-6, 1.0, 9.81
HALF_PI = np.pi / 2
NODES = np.array([-np.sqrt(0.6), 0, np.sqrt(0.6)])
WEIGHTS = np.array([5, 8, 5]) / 18


def integral(start: Array, end: Array, f: Callable[[Array], Array]) -> Array:
    """By Gauss, 60 intervals of 3 points."""
    h = (end - start) / 60
    places = (np.arange(60)[:, None] + 0.5 * (1 + NODES)).ravel()
    values = f(start[:, None] + h[:, None] * places)
    return np.asarray(h * (values @ np.tile(WEIGHTS, 60)))


def speed(th: Array) -> Array:
    """From "exact" of the file: the energy."""
    return np.asarray(np.sqrt(2 * g * (M + m) * np.cos(th) / (M + m * np.sin(th) ** 2)))


def time_to(th: Array) -> Array:
    """From pi/2 down to th: the end at pi/2 made regular by th = pi/2 - u^2, the corner at 0 by
    th = sqrt(M) sinh u."""
    corner, border = np.sqrt(M), np.pi / 4
    low, high = np.minimum(th, border), np.maximum(th, border)

    def near_start(u: Array) -> Array:
        return np.asarray(2 * u / speed(HALF_PI - u**2))

    def near_corner(u: Array) -> Array:
        return np.asarray(corner * np.cosh(u) / speed(corner * np.sinh(u)))

    end = np.full_like(th, np.arcsinh(border / corner))
    above = integral(np.zeros_like(th), np.sqrt(HALF_PI - high), near_start)
    return above + integral(np.arcsinh(low / corner), end, near_corner)


def test_light_cart_pole() -> None:
    """It whips round its lowest point: 4429 rad/s on a cart of a millionth of its mass."""
    told = read("iftomm")["cart_pole_light_cart"]
    assert "M=1e-6" in told["data"] and "accept e<=1e-6" in told["data"]
    builder = axode.TreeBuilder().gravity([0, -g, 0])
    builder.body("cart", mass=M, com=[0, 0, 0], about_com=[0, 0, 0])
    builder.joint("rail", axode.prismatic(axis=[1, 0, 0]))
    builder.body("pole", mass=m, com=[0, -1, 0], about_com=[0, 0, 0]).on("cart")
    builder.joint("pivot", axode.revolute(axis=[0, 0, 1]))
    run = axode.simulate(
        builder.build(), q=[0, HALF_PI], duration=10, rtol=1e-12, atol=1e-12, sample_interval=0.01
    )
    assert run.ending == "finished" and len(run) == 1001

    quarter = time_to(np.zeros(1))[0]
    quarters = (run.t / quarter).astype(int)
    into = run.t - quarters * quarter
    wanted = np.where(quarters % 2 == 0, into, quarter - into)  # from the turning point
    low, high = np.zeros_like(run.t), np.full_like(run.t, HALF_PI)
    for _ in range(45):
        middle = (low + high) / 2
        is_late = time_to(middle) > wanted
        low, high = np.where(is_late, middle, low), np.where(is_late, high, middle)
    sign = np.where((quarters % 4 == 0) | (quarters % 4 == 3), 1, -1)
    th = sign * (low + high) / 2
    x = m * (1 - np.sin(th)) / (M + m)
    squares = (run.q[:, 0] - x) ** 2 + (run.q[:, 1] - th) ** 2
    assert np.sqrt(squares.mean()) < 1e-6
