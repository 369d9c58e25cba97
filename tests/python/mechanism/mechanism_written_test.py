"""Equations written out, evaluated as they are printed."""

import math
from pathlib import Path

import numpy as np
import pytest
import sympy

import axode

MODELS = Path(__file__).resolve().parents[3] / "examples/mechanisms"
FOUR_BAR = MODELS / "example_2_1_four_bar.json"
FORMULATIONS = ("relative", "reference_point", "natural", "mixed", "quasi_velocities")


@pytest.mark.parametrize("model", sorted(p.name for p in MODELS.glob("*.json")))
@pytest.mark.parametrize("lengths", ["numbers", "names"])
def test_printed_text_has_the_values_of_the_system(model: str, lengths: str) -> None:
    mechanism = axode.Mechanism.from_file(MODELS / model)
    for formulation in FORMULATIONS:
        if mechanism.is_planar and formulation == "quasi_velocities":
            continue
        system = mechanism.formulate(formulation)
        q = system.assemble().q
        system.refresh(q)
        written = system.written("python", lengths=lengths)
        symbols = dict(zip(written.coordinates, q)) | written.lengths
        symbols |= {f: d.motion(0).value for f, d in zip(written.functions, mechanism.drivers)}
        names = {"sin": math.sin, "cos": math.cos, **symbols}
        rows = [eval(row, {"__builtins__": {}}, names) for row in written.rows]
        assert rows == pytest.approx(system.position(0, q), abs=1e-12)
        dense = system.jacobian(0, q)
        found = np.zeros(dense.shape)
        for place, text in written.jacobian.items():
            found[place] = eval(text, {"__builtins__": {}}, names)
        if formulation == "reference_point" and not mechanism.is_planar:
            continue  # Euler parameters: derivatives agree for rates that keep their length
        assert found == pytest.approx(dense, abs=1e-11 * max(1.0, np.abs(dense).max(initial=0)))


def test_sympy_differentiates_them_alike() -> None:
    document = axode.Mechanism.from_file(FOUR_BAR).formulate("relative").written("python", lengths="names").document
    made: dict[str, object] = {}
    exec(document, made)
    coordinates = [made[name] for name in ("A_angle", "B_angle", "n1_angle")]
    difference = made["Phi"].jacobian(coordinates) - made["J"]  # type: ignore[attr-defined,operator]
    assert sympy.simplify(difference) == sympy.zeros(3, 3)
    assert made["lengths"][made["L_12"]] == 3.5  # type: ignore[index]


def test_texts() -> None:
    mechanism = axode.Mechanism.from_file(FOUR_BAR)
    written = mechanism.written(lengths="names", formulation="relative")
    assert written.rows[1] == "L_B2 sin(B.angle) - L_A1 sin(A.angle) - L_12 sin(A.angle + 1.angle)"
    assert written.jacobian[1, 1] == "L_B2 cos(B.angle)"
    assert written.functions == ["f(t)"] and written.lengths["L_OB"] == 4
    assert mechanism.formulate("natural").equations()[0].text == "1.x^2 + 1.y^2 - 1 = 0"
    assert not mechanism.written(jacobian=False).jacobian
    assert mechanism.written(digits=3).rows


def test_misuse() -> None:
    system = axode.Mechanism.from_file(FOUR_BAR).formulate()
    with pytest.raises(axode.Error, match="choose among text, latex, python"):
        system.written("html")
    with pytest.raises(axode.Error, match="choose numbers or names"):
        system.written(lengths="letters")
    with pytest.raises(axode.Error, match="1 to 17"):
        system.written(digits=0)
