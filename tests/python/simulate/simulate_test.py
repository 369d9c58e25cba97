"""axode.simulate against references."""

import json
import math
from pathlib import Path
from typing import Any

import axode
import numpy as np
import pytest
from simulate_trees import pendulum, tree_of

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"


def load(name: str) -> Any:
    return json.loads((DATA / name).read_text())


def double_pendulum(p: dict[str, float]) -> axode.Tree:
    def rod(i: int) -> dict[str, Any]:
        return {"mass": p[f"m{i}"], "com": [p[f"c{i}"], 0, 0], "about_com": [0, 0, p[f"I{i}"]]}

    return tree_of(
        [
            {
                "name": "first",
                "inertia": rod(1),
                "joint": {"name": "a", "type": "revolute", "axis": [0, 0, 1]},
            },
            {
                "name": "second",
                "inertia": rod(2),
                "joint": {
                    "name": "b",
                    "parent": "first",
                    "type": "revolute",
                    "axis": [0, 0, 1],
                    "point": [p["L1"], 0, 0],
                    "body_in_world": {"position": [p["L1"], 0, 0]},
                },
            },
        ],
        [0, -p["g"], 0],
    )


def top(mass: float, com: list[float], about_com: list[float], g: float) -> axode.Tree:
    inertia = {"mass": mass, "com": com, "about_com": about_com}
    body = {"name": "top", "inertia": inertia, "joint": {"name": "tip", "type": "spherical"}}
    return tree_of([body], [0, 0, -g])


def rotation(q: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(R: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    w = math.sqrt(1 + np.trace(R)) / 2
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w)
    return np.array([w, *axis])


FIXED = ("cf4", "variational", "momentum-preserving", "semi-implicit")


@pytest.mark.parametrize(
    "method", ["mk5", "mk4", "cf4", "cvode", "adams", "arkode", "variational", "momentum-preserving"]
)
def test_simple_pendulum_of_iftomm(method: Any) -> None:
    data = load("iftomm.json")["A01_simple_pendulum"]["x_y_at"]
    fixed = axode.integrate.has_fixed_step(method)
    times = [0.5, 1, 2, 5, 10]
    run = axode.simulate(
        pendulum(), q=[-math.pi / 2], duration=10, method=method, rtol=1e-11, atol=1e-13,
        sample_times=times, step=1e-4 if fixed else 0,
    )  # fmt: skip
    assert run.ending == "finished" and run.message == ""
    assert run.t.tolist() == times
    exact = np.array([data[f"{t:g}"] for t in times])
    found = np.column_stack([np.sin(run.q[:, 0]), -np.cos(run.q[:, 0])])
    assert abs(found - exact).max() < (2e-7 if fixed else 2e-8)
    assert run.energy_drift < (5e-7 if fixed or method == "arkode" else 5e-8)
    assert run.options["method"] == method


def test_chaotic_double_pendulum_to_ten_digits() -> None:
    data = load("double_pendulum.json")
    p = data["parameters"]
    run = axode.simulate(
        double_pendulum(p), q=[p["a0"], p["b0"] - p["a0"]], duration=5, rtol=1e-14, atol=1e-15,
        sample_interval=0.1,
    )  # fmt: skip
    exact = np.array([[float(x) for x in row] for row in data["rows"]])
    assert len(run) == 51
    assert abs(run.q[1:, 0] - exact[:, 1]).max() < 1e-9
    assert abs(run.q[1:].sum(axis=1) - exact[:, 2]).max() < 1e-9


def test_planar_double_pendulum() -> None:
    case = load("dyn_double_pendulum.json")["cases"][0]
    p = case["params"]
    run = axode.simulate(
        double_pendulum(p), q=[p["a0"], p["b0"] - p["a0"]], duration=p["tend"], rtol=1e-13,
        atol=1e-14, sample_interval=0.1,
    )  # fmt: skip
    for row in case["traj"]:
        i = round(10 * row["t"])
        assert run.q[i] == pytest.approx(row["rel_angles"], abs=1e-10)
        assert run.v[i].sum() == pytest.approx(row["abs_rates"][1], abs=1e-9)


def test_nutating_top() -> None:
    case = load("dyn_heavy_top.json")["cases"][0]
    p, traj = case["params"], case["traj"]
    A = p["A"] - p["m"] * p["l"] ** 2
    R0 = np.array(traj[0]["R"])
    run = axode.simulate(
        top(p["m"], [0, 0, p["l"]], [A, A, p["C"]], p["g"]),
        q=quaternion(R0), v=R0.T @ traj[0]["omega_space"],
        duration=p["tend"], rtol=1e-13, atol=1e-13, sample_interval=0.05,
    )  # fmt: skip
    assert len(run) == len(traj)
    for q, v, point in zip(run.q, run.v, traj):
        assert abs(rotation(q) - point["R"]).max() < 2e-10
        assert abs(rotation(q) @ v - point["omega_space"]).max() < 2e-10


def test_heavy_top_of_the_literature() -> None:
    data = load("heavy_top.json")
    exact = data["our_recheck_DOP853_3e-14"]
    given = data["data"]
    run = axode.simulate(
        top(given["m"], given["X_com_body"], given["J_com"], 9.81), q=None, v=given["omega0_body"],
        duration=2, rtol=1e-13, atol=1e-13, sample_times=[0.01, 0.2, 1, 2],
    )  # fmt: skip
    for i, key in [(1, "0.2"), (2, "1.0"), (3, "2.0")]:
        wanted = np.array(exact["euler_parameters"][key])
        sign = math.copysign(1, wanted[0] * run.q[i, 0])
        assert abs(sign * run.q[i] - wanted).max() < 1.1e-10
    assert (rotation(run.q[0]) @ run.v[0])[1] == pytest.approx(
        exact["omega_global_y"]["0.01"], abs=1e-10
    )


@pytest.mark.parametrize("method", ["generalized-alpha", "ida"])
def test_absolute_coordinates(method: Any) -> None:
    tree = pendulum()
    options: dict[str, Any] = dict(duration=1, rtol=1e-8, atol=1e-10, sample_interval=0.1)
    wanted = axode.simulate(tree, q=[1.0], **options)
    found = axode.simulate(tree, q=[1.0], method=method, formulation="absolute", **options)
    assert found.ending == "finished"
    assert abs(found.q - wanted.q).max() < 1e-4


def test_all_methods_run() -> None:
    tree = pendulum()
    for method in axode.integrate.methods_of():
        absolute = method in ("generalized-alpha", "ida")
        run = axode.simulate(
            tree, q=[0.3], duration=0.1, method=method,  # type: ignore[arg-type]
            formulation="absolute" if absolute else "relative",
        )  # fmt: skip
        assert run.ending == "finished" and len(run) == 11
    assert axode.integrate.method_for("automatic") == "mk5"
    with pytest.raises(axode.Error):
        axode.integrate.method_for("ida", "relative")


EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def models() -> dict[str, Any]:
    return {
        "tree": pendulum(),
        "mechanism": axode.Mechanism.from_file(EXAMPLES / "mechanisms/slider_crank.json"),
        "flexible": axode.FlexibleTree.from_file(EXAMPLES / "flexible/pendulum.json"),
    }


def test_what_kinds_of_model_do_not_take_is_named() -> None:
    wrong: dict[str, dict[str, Any]] = {
        "tree": {"points": ["a.b"], "exact_start": True, "model": "nonlinear", "fall_back": True},
        "mechanism": {"forces": 3, "wrenches": len, "model": "nonlinear"},
        "flexible": {"wrenches": len, "formulation": "relative", "points": ["a.b"], "controlled": ["a"]},
    }
    for kind, model in models().items():
        for name, value in wrong[kind].items():
            with pytest.raises(TypeError, match=f"^{name}: not for "):
                axode.simulate(model, duration=0.01, **{name: value})
        with pytest.raises(TypeError, match="unexpected keyword"):
            model.simulate(0.01, speed=3)


def test_one_signature_and_one_result_for_all_kinds() -> None:
    options, columns, figures = [], [], []
    for model in models().values():
        run, own = axode.simulate(model, 0.02), model.simulate(0.02)
        assert np.array_equal(run.q, own.q) and len(run) == 3 and run.ending == "finished"
        options.append(set(run.options) - {"formulation", "model"})
        columns.append(set(run.columns))
        figures.append(set(run.figures))
    assert {"q", "v", "a", "tau", "kinetic", "potential", "stored", "work"} <= set.intersection(*columns)
    assert options[0] == set.intersection(*options) and len(options[0]) >= 12
    assert {"samples", "method", "warnings", "energy_drift", "energy_scale", "cpu_seconds"} <= figures[0]
    assert figures[0] == figures[2] and figures[0] < figures[1]


@pytest.mark.parametrize("kind", ["tree", "mechanism", "flexible"])
def test_run_files_of_all_kinds_are_resumed_to_the_same_bytes(kind: str, tmp_path: Path) -> None:
    model = models()[kind]
    ends: list[float] = []

    def interrupt(t: float, q: Any, v: Any) -> float:
        if ends and t > ends[0]:
            raise KeyboardInterrupt
        return 1.0

    options: dict[str, Any] = dict(
        duration=0.06, checkpoint_interval=0.02, rtol=1e-6, events=[axode.Event("stop", interrupt)]
    )
    whole, path = tmp_path / "whole.mcap", tmp_path / "cut.mcap"
    run = model.simulate(out=whole, **options)
    assert axode.Run.from_file(whole).options == run.options
    ends.append(0.045)
    with pytest.raises(KeyboardInterrupt):
        model.simulate(out=path, **options)
    ends.clear()
    rest = model.simulate(out=path, resume=True, **options)
    assert path.read_bytes() == whole.read_bytes() and len(rest) == 7
    with pytest.raises(axode.IoError, match="exists"):
        model.simulate(out=path, **options)
