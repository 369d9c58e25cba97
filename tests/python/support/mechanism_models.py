"""Mechanisms that several tests use."""

from pathlib import Path

import numpy as np

import axode

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "examples/mechanisms"
FILES = sorted(path.stem for path in MODELS.glob("*.json"))
PLANAR = ("relative", "reference_point", "natural", "mixed")
SPATIAL = (*PLANAR, "euler_angles", "quasi_velocities")


def load(name):
    return axode.Mechanism.from_file(MODELS / f"{name}.json")


def four_bar(builder=None):
    """Crank 1, coupler 3.5, rocker 2.5, ground 4 m."""
    b = builder or axode.MechanismBuilder("four-bar", "planar")
    b.body("crank", mass=1, com=(0.5, 0), about_com=0.1).body("coupler", mass=3.5, com=(1.75, 0.1))
    b.point("P", (1.5, 0.8)).body("rocker", mass=2.5, com=(1.25, 0), about_com=1.0)
    b.joint("A", "revolute", "world", "crank", points=((0, 0), (0, 0)))
    b.joint("B", "revolute", "crank", "coupler", points=((1, 0), (0, 0)))
    b.joint("C", "revolute", "coupler", "rocker", points=((3.5, 0), (2.5, 0)))
    b.joint("D", "revolute", "world", "rocker", points=((4, 0), (0, 0)))
    b.start("A.angle", 0.5).start("B.angle", 0.3).start("D.angle", 2)
    return b


def driven_four_bar(motion=(0.5, 2.0, 0.0)):
    return four_bar().drive("A.angle", axode.mechanism.polynomial_in_time(*motion)).build()


def rocker_angle(phi):
    """The upper branch of the four-bar, by circles about the ends of crank and ground."""
    d = np.array([4, 0]) - [np.cos(phi), np.sin(phi)]
    r = np.linalg.norm(d)
    at_rocker = np.arccos((r * r + 2.5**2 - 3.5**2) / (2 * r * 2.5))
    return np.pi + np.arctan2(d[1], d[0]) - at_rocker
