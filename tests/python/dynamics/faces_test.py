"""The same question has the same bits in Python and in the command. C++: tests/engine/calls_test.cpp; one state beside
many: same_bits_test.py."""

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
