"""The same question has the same bits in Python and in the command; tests/engine/calls_test.cpp has C++."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[3]
COMMAND = ROOT / "build/release/axode"
MODELS = ["models/swinging_arm.json", "models/quadruped.json", "models/scara.json", "models/arm.urdf"]
STATES = 21


def states(tree, seed=5):
    rng = np.random.default_rng(seed)
    q = np.array([tree.integrate(tree.neutral(), rng.uniform(-1, 1, tree.nv)) for _ in range(STATES)])
    return q, rng.uniform(-2, 2, (STATES, tree.nv)), rng.uniform(-3, 3, (STATES, tree.nv))


def ask(model, key, *arguments, **options):
    run = subprocess.run([COMMAND, "dynamics", ROOT / model, "--json", *arguments],
                         capture_output=True, text=True, check=True, **options)
    return np.array([state[key] for state in json.loads(run.stdout)["states"]])


def text(numbers):
    return ",".join(repr(float(x)) for x in numbers)


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
@pytest.mark.parametrize("model", MODELS)
def test_one_state_has_the_same_bits_in_the_command(model):
    tree = axode.Tree.from_file(ROOT / model)
    q, v, a = (x[0] for x in states(tree))
    state = "--q=" + text(q), "--v=" + text(v)
    assert np.array_equal(ask(model, "tau", *state, "--a=" + text(a))[0], axode.inverse_dynamics(tree, q, v, a))
    assert np.array_equal(ask(model, "a", *state, "--tau=" + text(a))[0], axode.forward_dynamics(tree, q, v, a))


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
@pytest.mark.parametrize("model", MODELS)
def test_many_states_have_the_same_bits_in_the_command(model):
    tree = axode.Tree.from_file(ROOT / model)
    q, v, a = states(tree)
    lines = "\n".join(json.dumps({"q": list(x), "v": list(y), "a": list(z)}) for x, y, z in zip(q, v, a))
    assert np.array_equal(ask(model, "tau", "--states", "-", input=lines), axode.inverse_dynamics(tree, q, v, a))


FUNCTIONS = {
    "inverse_dynamics": lambda tree, q, v, a: axode.inverse_dynamics(tree, q, v, a),
    "forward_dynamics": lambda tree, q, v, a: axode.forward_dynamics(tree, q, v, a),
    "mass_matrix": lambda tree, q, v, a: axode.mass_matrix(tree, q),
    "inverse_dynamics_derivatives": lambda tree, q, v, a: axode.inverse_dynamics_derivatives(tree, q, v, a).by_q,
    "forward_dynamics_derivatives": lambda tree, q, v, a: axode.forward_dynamics_derivatives(tree, q, v, a).by_v,
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_state_has_the_same_bits_anywhere_in_a_batch(model, function):
    tree = axode.Tree.from_file(ROOT / model)
    q, v, a = states(tree)
    whole = function(tree, q, v, a)
    backwards = function(tree, q[::-1].copy(), v[::-1].copy(), a[::-1].copy())
    assert np.array_equal(backwards[::-1], whole)
    for k in range(STATES):
        assert np.array_equal(function(tree, q[k:k + 1], v[k:k + 1], a[k:k + 1])[0], whole[k])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_one_state_and_many_differ_by_rounding(model, function):
    tree = axode.Tree.from_file(ROOT / model)
    q, v, a = states(tree)
    many = function(tree, q, v, a)
    one = np.array([function(tree, q[k], v[k], a[k]) for k in range(STATES)])
    assert np.abs(one - many).max() <= 1e-12 * np.abs(many).max()
