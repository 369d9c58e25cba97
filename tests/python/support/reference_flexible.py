"""Beams, modes and chains of tests/data/flexible."""

import json
from pathlib import Path
from typing import Any

import numpy as np

import axode

DATA = Path(__file__).parents[2] / "data" / "flexible"
CHAINS = ("pendulum1", "planar2", "pendulum1_3d_tipmassmodes", "arm4")


def data(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text())


def given_beam(link: Any) -> axode.flexible.Beam:
    section = axode.flexible.Section(link["A"], link["Iy"], link["Iz"], link["It"])
    material = axode.flexible.Material(link["E"], link["G"], link["rho"])
    return axode.flexible.Beam(link["L"], material, axode.flexible.section_numbers(section))


def given_modes(link: Any) -> list[axode.flexible.BeamMode]:
    """The modes as the file gives them: torsion, bending in y, bending in z."""
    modes = [
        axode.flexible.BeamMode(
            "torsion", axode.flexible.ModeShape("sine", link["L"], wave_number=mode["k"], scale=mode["C"])
        )
        for mode in link["tors"]
    ]
    for key, direction in (("by", "bend_y"), ("bz", "bend_z")):
        for mode in link[key]:
            shape = axode.flexible.ModeShape(
                "bending",
                link["L"],
                wave_number=mode["beta"],
                one_minus_sigma=mode["one_minus_sigma"],
                scale=mode["C"],
            )
            modes.append(axode.flexible.BeamMode(direction, shape))
    return modes


def chain(name: str, rotation: axode.typing.SectionRotation = "xyz") -> axode.FlexibleTree:
    given = data("params_" + name)["chain"]
    builder = axode.FlexibleBuilder(name).gravity(given["g"]).rotation(rotation)
    end, parent = np.eye(4), "world"
    for number, link in enumerate(given["links"], 1):
        fixed = np.eye(4)
        fixed[:3, :3], fixed[:3, 3] = link["Rfix"], link["pfix"]
        mount, end = end @ fixed, np.eye(4)
        if link["type"] == "rigid":
            inertia = axode.screw.Inertia(link["m"], link["com"], link["I"])
            builder.rigid(f"link{number}", parent, mount, inertia)
            end[:3, 3] = link["distal"]
        else:
            request = axode.flexible.ModeRequest(0, 0, 0, given=given_modes(link))
            builder.beam(f"link{number}", parent, mount, given_beam(link), request)
        parent = f"link{number}"
    return builder.build()
