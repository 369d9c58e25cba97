"""The package as a whole: rooms, names, documentation, types."""

import importlib
import importlib.metadata
import inspect
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import axode
import pytest
from axode import _names

ROOMS = [importlib.import_module(f"axode.{name}") for name in _names.ROOMS]
PUBLIC = [(room, name) for room in ROOMS for name in room.__all__]
NAMES = """
Tree.from_urdf Tree.from_file TreeBuilder Tree.nq Tree.nv Tree.joint_names Tree.body_names Tree.neutral
Tree.random Tree.integrate Tree.difference Tree.configuration Tree.velocity Tree.coordinate_names
load_tree poses twists accelerations kinematics.jerks jacobian jacobian_rate inverse_dynamics
forward_dynamics mass_matrix coriolis_matrix gravity_forces dynamics.christoffel_symbols
inverse_dynamics_derivatives forward_dynamics_derivatives dynamics.inverse_dynamics_rates
kinetic_energy potential_energy Mechanism.from_file Mechanism.formulate Mechanism.mobility
FlexibleTree.from_file FlexibleTree.linearized FlexibleTree.nonlinear FlexibleTree.modes
FlexibleTree.simulate simulate Run Tree.jacobian Frame inverse_kinematics lie.SE3 lie.SO3
screw.Inertia screw.Twist screw.Wrench screw.Screw integrate.integrate
""".split()


def found(path: str) -> Any:
    thing: Any = axode
    for part in path.split("."):
        assert hasattr(thing, part), f"there is no axode.{path}"
        thing = getattr(thing, part)
    return thing


@pytest.mark.parametrize("name", NAMES)
def test_names_people_type(name: str) -> None:
    found(name)


def test_every_name_is_in_one_room() -> None:
    rooms = Counter(name for _, name in PUBLIC)
    assert [name for name, count in rooms.items() if count > 1] == []
    for room, name in PUBLIC:
        assert hasattr(room, name), f"{room.__name__}.{name}"
    files = {path.stem for path in Path(axode.__file__).parent.glob("*.py") if path.stem[0] != "_"}
    assert files == {*_names.ROOMS, "typing"}
    stub = [name for name in dir(axode._axode) if not name.startswith("_") and name != "version"]
    assert set(stub) <= set(rooms), "compiled names that are in no room"


def test_the_top_level_is_a_chosen_list() -> None:
    assert len(axode.__all__) <= 80
    home = {name: room for room, name in PUBLIC}
    for name in axode.__all__:
        assert getattr(axode, name) is getattr(home[name], name)
    public = {name for name, value in vars(axode).items() if not isinstance(value, ModuleType)}
    assert {name for name in public if not name.startswith("_")} == {*axode.__all__, "TYPE_CHECKING"}
    assert {*_names.ROOMS, *axode.__all__} <= set(dir(axode))


def test_rooms_are_loaded_on_first_use() -> None:
    program = (
        "import sys, axode; before = set(sys.modules); axode.lie.SE3; "
        "print([name in before for name in ('axode.lie', 'axode.mechanism', 'axode._results.dynamics')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[False, False, False]\n", done.stderr


def test_names_of_rooms_say_where_they_are() -> None:
    for room, name in PUBLIC:
        if name not in axode.__all__ and name not in _names.ROOMS:
            with pytest.raises(AttributeError, match=rf"it is {room.__name__}\.{name}$"):
                getattr(axode, name)


def test_words_of_other_libraries_name_ours() -> None:
    assert len(_names.ELSEWHERE) > 80
    for word, ours in _names.ELSEWHERE.items():
        found(ours.split(",")[0].removeprefix("axode."))
        with pytest.raises(AttributeError, match=f"'{word}'; here it is {ours}$"):
            getattr(axode, word)


def test_misspelt_names_propose_similar_ones() -> None:
    with pytest.raises(AttributeError, match=r"did you mean axode\.mass_matrix\?$"):
        axode.mass_matrx  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"has no attribute 'zzzzzz'$"):
        axode.zzzzzz  # type: ignore[attr-defined]
    assert not hasattr(axode, "_private_thing") and not hasattr(axode, "__wrapped__")


def test_models_are_not_made_by_calls() -> None:
    with pytest.raises(TypeError, match=r"axode.load_tree\(path\)"):
        axode.Tree("x.urdf")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Mechanism.from_file\(path\)"):
        axode.Mechanism(path="x.json")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"FlexibleTree.from_file\(path\)"):
        axode.FlexibleTree()


def test_version_is_that_of_the_distribution() -> None:
    assert axode.__version__ == importlib.metadata.version("axode")


def test_types_are_shipped() -> None:
    folder = Path(axode.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_axode.pyi").read_text()
    assert "def inverse_dynamics(" in stub
    # What a signature leaves open is no type at all.
    assert "-> object:" not in stub


@pytest.mark.parametrize("room, name", PUBLIC, ids=[name for _, name in PUBLIC])
def test_everything_public_is_documented(room: ModuleType, name: str) -> None:
    thing = getattr(room, name)
    if not (callable(thing) or inspect.isclass(thing)):
        return
    assert inspect.getdoc(thing), f"{room.__name__}.{name} has no documentation"
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"axode.{name}.{member} has no documentation"
