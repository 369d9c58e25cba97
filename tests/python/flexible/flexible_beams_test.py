"""Beams: sections, modes and values."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from flexible_models import ALUMINIUM

import axode


def test_sections() -> None:
    circle = axode.flexible.section_of(axode.flexible.solid_circle(0.1))
    assert circle.area == pytest.approx(np.pi * 0.05**2)
    assert circle.Iy == circle.Iz == pytest.approx(np.pi * 0.05**4 / 4)
    assert circle.polar() == pytest.approx(circle.torsion)
    box = axode.flexible.section_of(axode.flexible.hollow_rectangle(0.2, 0.1, 0.01))
    assert box.Iy == pytest.approx((0.2 * 0.1**3 - 0.18 * 0.08**3) / 12)
    square = axode.flexible.section_of(axode.flexible.solid_rectangle(1, 1))
    assert square.torsion == pytest.approx(0.140577, abs=1e-6)
    assert axode.flexible.section_of(axode.flexible.i_section(0.1, 0.2, 0.01, 0.005)).area == pytest.approx(2.9e-3)
    a, b = axode.flexible.solid_circle(0.1), axode.flexible.solid_circle(0.2)
    assert axode.flexible.section_between(a, b, 0.5).area == pytest.approx(np.pi * 0.075**2)
    with pytest.raises(axode.Error, match="positive"):
        axode.flexible.solid_circle(-1)
    with pytest.raises(axode.Error):
        axode.flexible.section_between(a, axode.flexible.solid_rectangle(1, 2), 0.5)
    with pytest.raises(axode.Error, match="none of 'numbers'"):
        axode.flexible.SectionOutline("triangle")


def test_values_have_text_equality_and_pickles() -> None:
    beam = axode.flexible.Beam(3, ALUMINIUM, axode.flexible.hollow_circle(0.1, 0.08), axode.flexible.hollow_circle(0.05, 0.03))
    shape = axode.flexible.sampled_shape(1, [0, 0.25, 0.5, 1], [0, 0.1, 0.3, 1])
    values: list[Any] = [
        axode.flexible.Section(1, 2, 3, 4),
        axode.flexible.hollow_rectangle(0.2, 0.1, 0.01),
        axode.flexible.section_numbers(axode.flexible.Section(1, 2, 3, 4)),
        ALUMINIUM,
        beam,
        shape,
        axode.flexible.ModeBoundary("pinned", 2, 0.1),
        *axode.flexible.beam_modes(beam, "bend_y", 2),
        axode.flexible.ModeRequest(1, 2, 3, given=[axode.flexible.BeamMode("bend_y", shape)]),
    ]
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        assert repr(value).startswith(type(value).__name__ + "(")
        assert value != 3
    assert beam != axode.flexible.Beam(3, ALUMINIUM, axode.flexible.hollow_circle(0.1, 0.08))
    assert eval(repr(beam), vars(axode.flexible)) == beam
    with pytest.raises(TypeError):
        hash(beam)
    with pytest.raises(axode.Error, match="different kinds"):
        axode.flexible.Beam(1, ALUMINIUM, axode.flexible.solid_circle(0.1), axode.flexible.solid_rectangle(0.1, 0.1))
    with pytest.raises(axode.Error, match="samples have not"):
        axode.flexible.ModeShape("samples")
    with pytest.raises(axode.Error, match="no coefficients"):
        axode.flexible.ModeShape("legendre")


def test_modes_of_beams() -> None:
    beam = axode.flexible.Beam(2, ALUMINIUM, axode.flexible.hollow_circle(0.1, 0.08))
    section = axode.flexible.section_at(beam, 1)
    assert axode.flexible.is_uniform(beam)
    modes = axode.flexible.beam_modes(beam, "bend_z", 3)
    roots = np.array([1.8751040687119611, 4.694091132974175, 7.854757438237613])
    expected = (roots / 2) ** 2 * np.sqrt(70e9 * section.Iy / (2700 * section.area))
    assert [mode.frequency for mode in modes] == pytest.approx(expected, rel=1e-13)
    assert axode.flexible.orthogonality(beam, modes).mass < 1e-12
    axode.flexible.check_modes(beam, modes)
    ritz = axode.flexible.ritz_modes(beam, "bend_z", 3)
    assert [mode.frequency for mode in ritz] == pytest.approx(expected, rel=1e-9)

    x = np.linspace(0, 2, 41)
    found = axode.flexible.shape_at(modes[1].shape, x)
    assert np.shape(found.value) == (41,)
    one = axode.flexible.shape_at(modes[1].shape, x[7])
    assert isinstance(one.value, float)
    assert isinstance(axode.flexible.shape_at(modes[1].shape, 0.5).value, float)
    assert axode.flexible.station_modes(beam, modes, 0.5).displacement.shape == (len(modes),)
    assert one.value == np.asarray(found.value)[7]
    h = 1e-5
    ahead = np.asarray(axode.flexible.shape_at(modes[1].shape, x + h).value)
    behind = np.asarray(axode.flexible.shape_at(modes[1].shape, x - h).value)
    assert np.abs((ahead - behind) / (2 * h) - found.slope).max() < 1e-7

    at = axode.flexible.station_modes(beam, modes, x)
    assert at.displacement.shape == (41, 3)
    assert at.shortening.shape == (41, 3, 3)
    assert np.abs(at.displacement[:, 1] - found.value).max() < 1e-14
    assert np.abs(at.angle[:, 1] + found.slope).max() < 1e-14

    integrals = axode.flexible.modal_invariants(beam, modes)
    assert integrals.modes == 3
    assert integrals.mass == pytest.approx(2700 * section.area * 2)
    assert np.diag(integrals.stiffness) == pytest.approx(
        np.diag(integrals.product) * expected**2, rel=1e-9
    )
    assert integrals.angle_triple.shape == (3, 0, 0, 3)
    assert sum(node.mass for node in integrals.nodes) == pytest.approx(integrals.mass)

    polynomial = axode.flexible.polynomial_shape(2, [0, 0, 6, -4, 1])
    assert axode.flexible.shape_at(polynomial, 2).value == pytest.approx(3)
    with pytest.raises(axode.Error, match="1 to 100"):
        axode.flexible.beam_modes(beam, "bend_y", 0)
    with pytest.raises(axode.Error, match="'sideways' is none of 'torsion'"):
        axode.flexible.beam_modes(beam, "sideways", 1)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="no section at 3"):
        axode.flexible.station_modes(beam, modes, 3)
    with pytest.raises(axode.Error, match="not finite"):
        axode.flexible.shape_at(polynomial, np.nan)
