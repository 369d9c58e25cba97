"""Runs: quantities, tables, interpolation, files, plots."""

import json
import pickle
import subprocess
import zlib
from pathlib import Path
from typing import Any

import axode
import numpy as np
import pytest
from axode._private import compiled

ROOT = Path(__file__).resolve().parents[3]
TREE = axode.load_scene(ROOT / "models" / "swinging_arm.json").tree
RUN = axode.simulate_file(
    ROOT / "models" / "swinging_arm.json",
    duration=0.5,
    sample_interval=0.01,
    checkpoint_interval=0.25,
    events=[axode.Event("swing", lambda t, q, v: q[1] - 1.25)],
)
FREE = """{"axode": 1, "bodies": [
  {"name": "body", "inertia": {"mass": 2, "com": [0.1, 0, 0], "about_com": [1, 2, 2.5]},
   "joint": {"name": "float", "type": "free"}}]}"""


def free_run(**options: Any) -> axode.Run:
    scene = axode.parse_scene(FREE, "free")
    v = [1.0, -2.0, 0.5, 0.1, 0.2, 3.0]
    return axode.simulate(scene.tree, q=None, v=v, duration=1, rtol=1e-10, **options)


def test_quantities_have_shapes_names_and_units() -> None:
    assert RUN.ending == "finished" and len(RUN) == 51
    assert RUN.t == pytest.approx(np.arange(51) * 0.01)
    for name in ("q", "v", "a", "tau"):
        assert getattr(RUN, name).shape == (51, 7)
    for name in ("kinetic", "potential", "stored", "work", "energy"):
        assert getattr(RUN, name).shape == (51,)
    assert RUN.columns["v"].labels == tuple(f"joint{i}" for i in range(1, 8))
    assert set(RUN.columns["a"].units) == {"rad/s^2"}
    assert RUN.energy == pytest.approx(RUN.kinetic + RUN.potential + RUN.stored)
    # The dampers of the joints take what is missing.
    assert RUN.energy - RUN.work == pytest.approx(np.full(51, RUN.energy[0]), abs=1e-4)
    assert RUN.statistics.steps > 0 and RUN.energy_drift < 1e-4
    assert RUN.last is not None and np.array_equal(RUN.last.q, RUN.q[-1])
    assert "51 samples" in repr(RUN) and "finished" in repr(RUN)
    with pytest.raises(AttributeError, match="it has t, q, v"):
        RUN.speed
    assert "tau" in dir(RUN)
    with pytest.raises(TypeError):
        axode.Run()


def test_the_table_has_a_field_for_each_number() -> None:
    table = RUN.table
    assert table.dtype.names is not None
    assert table.dtype.names[:3] == ("t", "q:joint1", "q:joint2")
    assert np.array_equal(table["tau:joint7"], RUN.tau[:, 6])
    assert np.array_equal(table["work"], RUN.work)


def test_slices_are_runs() -> None:
    part = RUN[10:20:2]
    assert len(part) == 5 and np.array_equal(part.q, RUN.q[10:20:2])
    assert np.array_equal(part.energy, RUN.energy[10:20:2])
    with pytest.raises(TypeError):
        RUN[3]  # type: ignore[index]


def test_states_between_samples_are_on_the_group() -> None:
    coarse = free_run(sample_interval=0.05)
    times = np.linspace(0, 1, 41)
    fine = free_run(sample_times=times)
    found = coarse.at(times)
    assert abs(np.linalg.norm(found.q[:, :4], axis=1) - 1).max() < 1e-14
    assert abs(found.q - fine.q).max() < 2e-5
    assert abs(found.v - fine.v).max() < 2e-4
    assert coarse.at(0.5).q.shape == (7,)
    assert np.array_equal(coarse.at(coarse.t).v, coarse.v)
    linear = coarse.interpolate("kinetic", [0.025])
    assert linear == pytest.approx(coarse.kinetic[:2].mean())
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(axode.Error, match="outside"):
            coarse.at(bad)
    with pytest.raises(axode.Error, match="choose among"):
        coarse.interpolate("speed", 0.5)


@pytest.mark.parametrize("binary", [False, True])
def test_files_keep_all_bits(tmp_path: Path, binary: bool) -> None:
    path = tmp_path / "run.mcap"
    RUN.save(path, binary=binary)
    read = axode.Run.from_file(path)
    for name in RUN.columns:
        assert np.array_equal(getattr(read, name), getattr(RUN, name)), name
        assert read.columns[name].labels == RUN.columns[name].labels
        assert read.columns[name].units == RUN.columns[name].units
    assert (read.ending, read.message) == (RUN.ending, RUN.message)
    assert [(e.t, e.name) for e in read.events] == [(e.t, e.name) for e in RUN.events]
    assert read.statistics.steps == RUN.statistics.steps
    assert read.checkpoint is not None and RUN.checkpoint is not None
    assert np.array_equal(read.checkpoint.numbers, RUN.checkpoint.numbers)
    assert read.complete and read.energy_drift == RUN.energy_drift
    assert read.tree is not None and read.tree.nq == 7
    assert np.array_equal(read.at(0.123).q, RUN.at(0.123).q)
    with pytest.raises(axode.IoError, match="exists"):
        RUN.save(path)
    RUN.save(path, overwrite=True)


def test_saved_runs_are_shown_by_the_command(tmp_path: Path) -> None:
    command, page = ROOT / "build/release/axode", tmp_path / "page.html"

    def view(path: Path) -> subprocess.CompletedProcess[str]:
        line = [command, "view", path, "--out", page, "--no-browser", "--force"]
        return subprocess.run(line, capture_output=True, text=True)

    arm = axode.FlexibleTree.from_file(ROOT / "examples/flexible/pendulum.json")
    arm.simulate(0.05).save(tmp_path / "arm.mcap")
    done = view(tmp_path / "arm.mcap")
    assert (done.returncode, done.stderr) == (0, "") and page.stat().st_size > 100_000
    # Coordinates of a system are not those of the mechanism: without bodies there is nothing to show.
    crank = axode.Mechanism.from_file(ROOT / "examples/mechanisms/slider_crank.json")
    crank.simulate(duration=0.05).save(tmp_path / "crank.mcap")
    done = view(tmp_path / "crank.mcap")
    assert done.returncode == 3 and "holds no model" in done.stderr


def test_runs_of_mechanisms_have_poses_reactions_and_violation(tmp_path: Path) -> None:
    path, again = tmp_path / "crank.mcap", tmp_path / "again.mcap"
    command = ROOT / "build/release/axode"  # scripts/build_python makes it along
    model = ROOT / "examples/mechanisms/slider_crank.json"
    subprocess.run([command, "simulate", model, "--for", "1s", "--out", path], check=True)
    run = axode.Run.from_file(path)
    assert run.columns["q"].labels[0] == "A.angle" and run.q.shape == (101, 4)
    assert run.poses.shape == (101, 21) and run.reactions.shape == (101, 24)
    assert run.violation.max() < 1e-8
    crank = run.poses[:, :7]
    assert 2 * np.arctan2(crank[:, 3], crank[:, 0]) % (2 * np.pi) == pytest.approx(
        run.q[:, 0] % (2 * np.pi)
    )
    # The slider's guide only pushes across.
    names = run.columns["reactions"].labels
    assert abs(run.reactions[:, names.index("S.fx")]).max() < 1e-8
    run.export(tmp_path / "crank.npz")
    arrays = np.load(tmp_path / "crank.npz")
    for name in ("q", "poses", "reactions", "violation"):
        assert np.array_equal(arrays[name], getattr(run, name), equal_nan=True), name
    assert list(arrays["reactions_names"]) == list(names)
    run.save(again)
    read = axode.Run.from_file(again)
    for name in run.columns:
        assert np.array_equal(getattr(read, name), getattr(run, name), equal_nan=True), name
        assert read.columns[name][1:] == run.columns[name][1:], name


def test_a_file_written_along_the_way_is_the_run(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    run = free_run(out=path, sample_interval=0.1)
    read = axode.Run.from_file(path)
    assert np.array_equal(read.q, run.q) and read.ending == "finished"
    assert read.options["rtol"] == 1e-10
    assert run.checkpoint is not None  # every second by default
    with pytest.raises(axode.IoError):
        free_run(out=path)
    free_run(out=path, overwrite=True, binary=True)
    with pytest.raises(axode.IoError):
        free_run(out=tmp_path / "no" / "run.mcap")


def test_a_file_of_a_run_that_failed_has_the_data_so_far(tmp_path: Path) -> None:
    def control(t: float, q: Any, v: Any) -> Any:
        return np.zeros(6) if t < 0.5 else 1 / 0

    with pytest.raises(ZeroDivisionError) as caught:
        free_run(out=tmp_path / "run.mcap", control=control)
    read = axode.Run.from_file(tmp_path / "run.mcap")
    run: axode.Run = caught.value.run  # type: ignore[attr-defined]
    assert read.ending == "stopped" and len(read) == len(run)


def test_a_file_is_gone_on_with_to_the_same_bytes(tmp_path: Path) -> None:
    ends: list[float] = []

    def control(t: float, q: Any, v: Any) -> Any:
        if ends and t > ends[0]:
            raise KeyboardInterrupt
        return -v

    whole = free_run(out=tmp_path / "whole.mcap", control=control, checkpoint_interval=0.2)
    ends.append(0.7)
    path = tmp_path / "cut.mcap"
    with pytest.raises(KeyboardInterrupt):
        free_run(out=path, control=control, checkpoint_interval=0.2)
    assert axode.Run.from_file(path).t[-1] < 0.8
    ends.clear()
    rest = free_run(out=path, control=control, checkpoint_interval=0.2, resume=True)
    assert np.array_equal(rest.q, whole.q) and len(rest) == 101
    assert path.read_bytes() == (tmp_path / "whole.mcap").read_bytes()
    with pytest.raises(axode.Error, match="other options"):
        free_run(out=path, checkpoint_interval=0.3, resume=True)
    with pytest.raises(axode.Error, match="out"):
        free_run(resume=True)


def test_retried_from_the_first_attempt_on(tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.mcap", tmp_path / "run.mcap"
    free_run(out=whole, checkpoint_interval=0.2)
    data = whole.read_bytes()
    for left in (None, b"", data[:5], data[:1500], data[:4000]):
        path.unlink(missing_ok=True)
        if left is not None:
            path.write_bytes(left)
        run = free_run(out=path, checkpoint_interval=0.2, resume=True)
        assert run.ending == "finished" and len(run) == 101
        assert path.read_bytes() == data


def test_files_know_the_model_file_they_were_made_from(tmp_path: Path) -> None:
    path = tmp_path / "arm.json"
    text = (ROOT / "models" / "scara.json").read_bytes()
    path.write_bytes(text)
    scene = axode.load_scene(path)
    tree = scene.tree
    run = axode.simulate(tree, duration=0.01, out=tmp_path / "out.mcap")
    run.save(tmp_path / "saved.mcap")
    axode.Run.from_file(tmp_path / "out.mcap").save(tmp_path / "again.mcap")
    free_run(out=tmp_path / "free.mcap")
    for name, wanted in [
        ("out", str(zlib.crc32(text))),
        ("saved", str(zlib.crc32(text))),
        ("again", str(zlib.crc32(text))),
        ("free", "none"),  # of no file
    ]:
        raw = compiled._load_run(tmp_path / f"{name}.mcap", False)
        assert raw["model_file_crc32"] == wanted, name


SLIDER = """<robot name="slider"><link name="a"/><link name="b">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""


@pytest.mark.parametrize("kind", ["scene", "tree", "pickle", "urdf"])
def test_runs_are_of_the_model_file_as_it_was_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("arm.urdf" if kind == "urdf" else "arm.json")
    text = SLIDER if kind == "urdf" else (ROOT / "models" / "scara.json").read_text()
    path.write_text(text)
    tree = axode.load_scene(path).tree if kind == "scene" else axode.load_tree(path)
    if kind == "pickle":
        tree = pickle.loads(pickle.dumps(tree))

    def checksum(name: str) -> str:
        return str(compiled._load_run(tmp_path / f"{name}.mcap", False)["model_file_crc32"])

    path.write_text(text + "\n")  # between reading and simulating
    run = axode.simulate(tree, duration=0.01, out=tmp_path / "out.mcap")
    path.write_text(text + "\n\n")  # between simulating and saving
    run.save(tmp_path / "saved.mcap")
    path.unlink()
    run[::2].save(tmp_path / "part.mcap")
    loaded = axode.Run.from_file(tmp_path / "out.mcap")
    loaded.save(tmp_path / "again.mcap")
    axode.simulate(loaded.tree, duration=0.01, out=tmp_path / "repeated.mcap")
    for name in ("out", "saved", "part", "again", "repeated"):
        assert checksum(name) == str(zlib.crc32(text.encode())), name


def test_runs_from_files_keep_the_model_of_the_file(tmp_path: Path) -> None:
    axode.simulate(TREE, duration=0.01, out=tmp_path / "run.mcap")
    raw = compiled._load_run(tmp_path / "run.mcap", False)
    texts = [raw["model_text"], "// as written\n" + raw["model_text"], '{"axode_mechanism": 1}']
    for text in texts:
        for checksum in ("", "none", "123"):
            model = {
                "model_name": "a",
                "model_file": str(tmp_path / "b"),
                "model_text": text,
                "model_file_crc32": checksum,
            }
            compiled._save_run(tmp_path / "of.mcap", {**raw, **model}, True, False)
            axode.Run.from_file(tmp_path / "of.mcap").save(tmp_path / "to.mcap", overwrite=True)
            saved = compiled._load_run(tmp_path / "to.mcap", False)
            assert {key: saved[key] for key in model} == model


def test_methods_have_two_spellings(tmp_path: Path) -> None:
    whole = tmp_path / "run.mcap"
    options: dict[str, Any] = dict(duration=0.1, step=0.01, sample_interval=0.02, out=whole)
    axode.simulate(TREE, method="semi-implicit", checkpoint_interval=0.05, **options)
    data = whole.read_bytes()
    axode.simulate(TREE, method="semi_implicit", checkpoint_interval=0.05, resume=True, **options)
    assert whole.read_bytes() == data


def test_cut_and_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    RUN.save(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 200])
    assert not axode.Run.from_file(path).complete
    path.write_bytes(b"no run")
    with pytest.raises(axode.Error):
        axode.Run.from_file(path)
    with pytest.raises(axode.IoError):
        axode.Run.from_file(tmp_path / "none.mcap")


def test_exports(tmp_path: Path) -> None:
    RUN.export(tmp_path / "run.csv")
    lines = (tmp_path / "run.csv").read_text().splitlines()
    assert lines[0].startswith("time [s],q:joint1 [rad]") and len(lines) == 52
    numbers = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    assert np.array_equal(numbers[:, 1:8], RUN.q)
    RUN.export(tmp_path / "run.npz", quantities=["q", "kinetic"])
    with np.load(tmp_path / "run.npz") as arrays:
        assert np.array_equal(arrays["q"], RUN.q)
        assert arrays["q_names"].tolist() == list(RUN.columns["q"].labels)
        assert "tau" not in arrays
    RUN.export(tmp_path / "run.h5")
    assert (tmp_path / "run.h5").read_bytes()[1:4] == b"HDF"
    for bad in ("run.csv", "run.txt"):
        with pytest.raises(axode.Error):
            RUN.export(tmp_path / bad)
    with pytest.raises(axode.Error):
        RUN.export(tmp_path / "other.csv", quantities=["speed"])
    assert axode.run.run_quantities()[:2] == ["q", "v"]


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = RUN.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    assert np.array_equal(frame["v:joint3"].to_numpy(), RUN.v[:, 2])


def test_plots() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = RUN.plot("q", "energy", "tau:joint2")
    assert [ax.get_title() for ax in figure.axes] == ["coordinates", "energy", "joint forces"]
    assert len(figure.axes[0].lines) == 7 and len(figure.axes[2].lines) == 1
    assert figure.axes[0].get_ylabel() == "[rad]"
    assert figure.axes[2].get_xlabel() == "time [s]"
    assert [line.get_label() for line in figure.axes[1].lines][-1] == "sum [J]"
    _, ax = plt.subplots()
    assert RUN.plot("kinetic", ax=ax) is ax.figure
    assert len(RUN.plot().axes) == 2
    for bad in ("speed", "q:elbow", "t"):
        with pytest.raises(axode.Error):
            RUN.plot(bad)
    with pytest.raises(axode.Error, match="axes"):
        RUN.plot("q", "v", ax=ax)
    plt.close("all")


def test_html_escapes_names() -> None:
    text = FREE.replace("float", "<b>&joint")
    tree = axode.parse_scene(text, "free").tree
    html = axode.simulate(tree, duration=0.1)._repr_html_()
    assert "&lt;b&gt;&amp;joint" in html and "<b>" not in html


def test_runs_of_other_systems() -> None:
    t = np.linspace(0, 1, 11)
    run = axode.Run._from_columns(
        t,
        {
            "q": (np.column_stack([t, t**2]), ["x", "y"], ["m", "m"]),
            "v": (np.column_stack([t * 0 + 1, 2 * t]), ["x", "y"], ["m/s", "m/s"]),
            "gravity": (t, [], ["J"]),
        },
        figures={"fallbacks": 3},
    )
    assert run.gravity[-1] == 1 and run.fallbacks == 3
    assert run.at(0.55).q == pytest.approx([0.55, 0.55**2])
    with pytest.raises(AttributeError, match="no 'energy'"):
        run.energy
    with pytest.raises(axode.Error, match="rows"):
        axode.Run._from_columns(t, {"q": (np.zeros((3, 1)), ["x"], ["m"])})


def test_pickle() -> None:
    copy = pickle.loads(pickle.dumps(RUN))
    assert np.array_equal(copy.q, RUN.q) and copy.events == RUN.events
    assert np.array_equal(copy.at(0.2).q, RUN.at(0.2).q)


def test_summary_is_json() -> None:
    summary = RUN.summary()
    assert json.loads(json.dumps(summary))["ending"] == "finished"
