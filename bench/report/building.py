"""Building the programs of bench/peers and writing their models. All paths are in the project's root,
which must be the working folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

LOG = Path("build/bench/peers_build.log")


def run(command):
    """Quits with what the command said if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-3000:]}\nfailed: {' '.join(map(str, command))}")


def build(*targets):
    """Builds the targets as far as possible; names of programs that could not be built. Quits if one
    of them is Axode's, or the writer of models."""
    run(["cmake", "--preset", "bench"])
    jobs = ["-j", str(os.cpu_count()), "--", "-k", "0"]
    with LOG.open("w", encoding="utf-8") as log:
        command = ["cmake", "--build", "--preset", "bench", "--target", *targets, *jobs]
        status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
    failed = failures(LOG.read_text(encoding="utf-8", errors="replace"))
    if status != 0 and (not failed or any(name.startswith(("axode", "?")) for name in failed)):
        sys.exit(f"cannot build {', '.join(targets)}: see {LOG}")
    return failed


def built():
    """Names of the programs that the build knows; others in the folder are of an earlier time."""
    done = subprocess.run(["ninja", "-C", "build/bench", "-t", "targets", "all"], capture_output=True,
                          text=True)
    return known_programs(done.stdout)


def known_programs(targets):
    return set(re.findall(r"^peers/([^/.: ]+): ", targets, re.MULTILINE))


def failures(log):
    """Programs that ninja says failed, "?" for other files."""
    names = []
    for files in re.findall(r"^FAILED: (.*)$", log, re.MULTILINE):
        match = re.match(r"(?:.*/)?peers/([^/. ]+)", files.split()[0])
        name = match[1] if match else "?"
        names += [name] if name not in names else []
    return names


def write_models(folder, robots=None):
    run(["build/bench/bench_peers_models", folder, *([robots] if robots else [])])


def published_robots():
    """Folder of the URDF files of example-robot-data, None if it is not there."""
    return next(Path("build/peers").glob("python/**/share/example-robot-data/robots"), None)
