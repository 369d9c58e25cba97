"""What is mutated: the shipped models, short runs of them and small meshes."""

import subprocess
from pathlib import Path

from meshes import mesh_seeds

ROOT = Path(__file__).resolve().parents[3]
MODELS = {
    "tree": ["models/*.json", "examples/tutorials/robot.json", "examples/tutorials/screw.json",
             "examples/tutorials/arm.json"],
    "mechanism": ["examples/mechanisms/*.json", "examples/tutorials/four_bar.json"],
    "flexible": ["examples/flexible/*.json", "examples/tutorials/boom.json"],
}


def run_seeds(axode, folder):
    """Short runs of each kind of model, made by the command itself."""
    made = []
    for name, line in (
            ("tree", "simulate models/swinging_arm.json --for 50ms --sample 10ms --out OUT --quiet"),
            ("joints", "simulate models/all_joints.json --for 20ms --sample 10ms --out OUT --quiet"),
            ("binary", "simulate models/scara.json --for 50ms --sample 10ms --binary --out OUT --quiet"),
            ("mechanism", "simulate examples/mechanisms/rssp.json --for 30ms --out OUT"),
            ("flexible", "simulate examples/flexible/two_link.json --equations nonlinear --for 30ms --out OUT")):
        out = folder / f"{name}.mcap"
        subprocess.run([axode, *line.replace("OUT", str(out)).split()], cwd=ROOT, check=True, capture_output=True)
        made.append(out.read_bytes())
    return made


class Seeds:
    def __init__(self, axode, folder):
        self.models = {kind: [p.read_text() for pattern in patterns for p in sorted(ROOT.glob(pattern))]
                       for kind, patterns in MODELS.items()}
        self.runs = run_seeds(axode, folder)
        self.meshes = mesh_seeds()
