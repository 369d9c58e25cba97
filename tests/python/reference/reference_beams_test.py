"""Modes of beams, their integrals and published frequencies against tests/data/flexible.

Tolerances are those of mode_shape_test.cpp, beam_test.cpp and modal_invariants_test.cpp of
tests/flexible.
"""

from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array, ModeDirection
from reference_flexible import CHAINS, data, given_beam, given_modes

DIRECTIONS: tuple[ModeDirection, ...] = ("torsion", "bend_y", "bend_z")
FILES = {name: data("params_" + name) for name in CHAINS}
LINKS = [
    (name, k)
    for name, file in FILES.items()
    for k, link in enumerate(file["chain"]["links"])
    if link["type"] == "elastic"
]


class Link:
    """An elastic link of a file: the beam, its modes by direction, and their integrals."""

    def __init__(self, name: str, k: int) -> None:
        self.file, self.key = FILES[name], f"link{k + 1}"
        self.given = self.file["chain"]["links"][k]
        self.beam, self.modes = given_beam(self.given), given_modes(self.given)
        self.expected = self.file["mode_integrals_unweighted"][self.key]
        self.invariants = axode.flexible.modal_invariants(self.beam, self.modes)
        first = self.invariants.first
        self.t, self.y, self.z = (slice(first[d], first[d + 1]) for d in range(3))


@pytest.fixture(params=LINKS, ids=lambda x: f"{x[0]}_{x[1]}")
def link(request: Any) -> Link:
    return Link(*request.param)


def close(found: Array, expected: Any) -> None:
    wanted = np.array(expected, dtype=float).reshape(found.shape)
    if wanted.size:
        assert np.abs(found - wanted).max() <= 1e-12 * np.abs(wanted).max()


def test_shapes_at_tip_and_middle(link: Link) -> None:
    keys = {"torsion": "tx", "bend_y": "y", "bend_z": "z"}
    for direction, key in keys.items():
        modes = [mode for mode in link.modes if mode.direction == direction]
        for place, x in (("tip", 1.0), ("mid", 0.5)):
            expected = link.expected[place]
            for k, mode in enumerate(modes):
                found = axode.flexible.shape_at(mode.shape, np.float64(x * link.given["L"]))
                b = mode.shape.wave_number
                assert abs(found.value - expected[key][k]) <= 1e-13
                assert abs(found.slope - expected[key + "p"][k]) <= 1e-13 * b
                if key != "tx":
                    assert abs(found.curvature - expected[key + "pp"][k]) <= 1e-13 * b * b


def test_modes_are_those_given(link: Link) -> None:
    for direction in DIRECTIONS:
        boundary = axode.flexible.ModeBoundary()
        if direction != "torsion":
            axis = direction[-1]
            mass, inertia = (link.given[f"tip{key}_{axis}"] for key in ("mass", "inertia"))
            boundary = axode.flexible.ModeBoundary(tip_mass=mass, tip_inertia=inertia)
        found = axode.flexible.beam_modes(link.beam, direction, 4, boundary)
        given = [mode for mode in link.modes if mode.direction == direction]
        for a, b in zip(found, given):
            assert abs(a.shape.wave_number / b.shape.wave_number - 1) <= 1e-14
            assert abs(a.shape.one_minus_sigma - b.shape.one_minus_sigma) <= 1e-14


def test_integrals_of_displacements(link: Link) -> None:
    m, e, y, z = link.invariants, link.expected, link.y, link.z
    mu, L = link.given["rho"] * link.given["A"], link.given["L"]
    for found, expected in (
        (m.mass, mu * L),
        (m.first_moment, mu * L**2 / 2),
        (m.second_moment, mu * L**3 / 3),
    ):
        assert abs(found - expected) <= 1e-13 * expected
    close(m.mean[y] / mu, e["int_y"])
    close(m.mean[z] / mu, e["int_z"])
    close(m.lever[y] / mu, e["int_xy"])
    close(m.lever[z] / mu, e["int_xz"])
    close(m.product[y, y] / mu, e["int_yy"])
    close(m.product[z, z] / mu, e["int_zz"])
    close(m.product[y, z] / mu, e["int_yz"])
    assert not m.mean[link.t].any()


def test_integrals_of_rotations(link: Link) -> None:
    m, e, t, y, z = link.invariants, link.expected, link.t, link.y, link.z
    g = link.given
    for c, J in enumerate(g["rho"] * x for x in (g["Iy"] + g["Iz"], g["Iy"], g["Iz"])):
        assert abs(m.rotary[c] - J * g["L"]) <= 1e-13 * m.rotary[c]
        a, aa = m.angle[c] / J, m.angle_product[c] / J
        close(a[t], e["int_t"])
        close(a[y], e["int_yp"])
        close(-a[z], e["int_zp"])
        close(aa[t, t], e["int_tt"])
        close(aa[y, y], e["int_ypyp"])
        close(aa[z, z], e["int_zpzp"])
        close(aa[t, y], e["int_t_yp"])
        close(-aa[t, z], e["int_t_zp"])
        close(-aa[y, z], e["int_yp_zp"])


def test_stiffness_and_tip(link: Link) -> None:
    m, e, t, y, z = link.invariants, link.expected, link.t, link.y, link.z
    first = link.file["elastic_offsets"][link.key]["first"]
    own = slice(first, first + len(link.modes))
    close(m.stiffness, np.array(link.file["K"])[own, own])
    tip = axode.flexible.station_modes(link.beam, link.modes, np.float64(link.given["L"]))
    close(tip.angle[t], e["tip"]["tx"])
    assert not tip.displacement[t].any()
    close(tip.displacement[y], e["tip"]["y"])
    close(tip.displacement[z], e["tip"]["z"])
    close(tip.angle[y], e["tip"]["yp"])
    close(-tip.angle[z], e["tip"]["zp"])
    close(tip.shortening[y, y], e["int_ypyp"])
    close(tip.shortening[z, z], e["int_zpzp"])
    assert not tip.shortening[y, z].any() and not tip.shortening[t, y].any()


def test_arm_of_de_luca_and_siciliano() -> None:
    told = data("published")["deluca_siciliano_1991_two_link"]
    digits = told["more_digits"]
    # rho A = 0.2 kg/m, E I = 1 N m^2
    outline = axode.flexible.section_numbers(axode.flexible.Section(1, 1, 1, 1))
    beam = axode.flexible.Beam(0.5, axode.flexible.Material(1, 1, 0.2), outline)
    inertia = 0.1 + 0.1 * 0.25 / 3 + 0.0005 + 0.1 * 0.25
    for i, (mass, turning) in enumerate(((1.2, inertia), (0.1, 0.0005))):
        boundary = axode.flexible.ModeBoundary(tip_mass=mass, tip_inertia=turning)
        for k, mode in enumerate(axode.flexible.beam_modes(beam, "bend_y", 2, boundary)):
            hertz = mode.frequency / (2 * np.pi)
            assert abs(hertz / digits["f_Hz"][i][k] - 1) <= 1e-11
            assert abs(mode.shape.wave_number * 0.5 - digits["beta_l"][i][k]) <= 1e-11
            m = axode.flexible.modal_invariants(beam, [mode])
            end = axode.flexible.shape_at(mode.shape, np.float64(0.5))
            value, slope = float(end.value), float(end.slope)
            scale = np.sqrt(0.1 / (m.product[0, 0] + mass * value**2 + turning * slope**2))
            for found, key in (
                (value, "phi_e"),
                (slope, "phi_prime_e"),
                (m.mean[0], "v=int rho phi"),
                (m.lever[0], "w=int rho phi x"),
            ):
                assert abs(scale * found - digits[key][i][k]) <= 6e-9
            assert abs(hertz - told["published"]["f_Hz"][i][k]) <= 5.1e-3
