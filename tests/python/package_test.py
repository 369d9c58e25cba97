"""The package as a whole: names, documentation, types."""

import importlib.metadata
import inspect
from pathlib import Path

import axode
import pytest

PUBLIC = [name for name in dir(axode) if not name.startswith("_")]
NAMES = """
Tree.from_urdf Tree.from_file TreeBuilder Tree.nq Tree.nv Tree.joint_names Tree.body_names Tree.neutral
Tree.random Tree.integrate Tree.difference poses twists accelerations jerks jacobian
jacobian_derivative inverse_dynamics forward_dynamics mass_matrix coriolis_matrix gravity christoffel
inverse_dynamics_derivatives forward_dynamics_derivatives inverse_dynamics_rates kinetic_energy
potential_energy Mechanism.from_file Mechanism.formulate Mechanism.mobility FlexibleTree.from_file
FlexibleTree.linearized FlexibleTree.nonlinear FlexibleTree.modes FlexibleTree.simulate simulate Run
Tree.jacobian Frame inverse_kinematics SE3 SO3 Inertia Twist Wrench Screw
""".split()


@pytest.mark.parametrize("name", NAMES)
def test_names_people_type(name: str) -> None:
    thing = axode
    for part in name.split("."):
        assert hasattr(thing, part), f"there is no axode.{name}"
        thing = getattr(thing, part)


def test_version_is_that_of_the_distribution() -> None:
    assert axode.__version__ == importlib.metadata.version("axode")


def test_types_are_shipped() -> None:
    folder = Path(axode.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_axode.pyi").read_text()
    assert "def inverse_dynamics(" in stub
    # What a signature leaves open is no type at all.
    assert "-> object:" not in stub


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_is_documented(name: str) -> None:
    thing = getattr(axode, name)
    if inspect.ismodule(thing) or not (callable(thing) or inspect.isclass(thing)):
        return
    assert inspect.getdoc(thing), f"axode.{name} has no documentation"
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"axode.{name}.{member} has no documentation"
