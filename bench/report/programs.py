"""The programs of bench/peers: which there are, running them, counting their instructions.

The command line and the JSON they write are those of bench/peers/protocol.hpp.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

COUNTED = "_v3"  # ends the names of programs built to be counted: valgrind knows no AVX-512
MARK = re.compile(r"_(native|v3)$")


class Failed(RuntimeError):
    """A program ended with an error, or did not write what it should."""


class TooLarge(Failed):
    """A program needs more memory than there is."""


@dataclass(frozen=True)
class Program:
    """One library in one build, e.g. pinocchio_gcc_native, and its twin to be counted."""

    name: str
    path: Path
    counted: Path | None

    @property
    def family(self):
        return self.name.split("_")[0]


def find(folder):
    """The programs in the folder, Axode's first, then Pinocchio's, then the others by name."""
    files = {p.name: p for p in Path(folder).iterdir() if p.is_file() and os.access(p, os.X_OK)}
    twins = {MARK.sub("", name): path for name, path in files.items() if name.endswith(COUNTED)}
    found = []
    for name, path in files.items():
        if name.endswith(COUNTED) or "." in name:
            continue
        # What is built for any processor can be counted itself, but for scripts.
        twin = twins.get(MARK.sub("", name)) if MARK.search(name) else None if is_script(path) else path
        found.append(Program(name, path, twin))
    first = {"axode": 0, "pinocchio": 1}
    return sorted(found, key=lambda p: (first.get(p.family, 2), p.name))


def is_script(path):
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def environment():
    """The same for all, so that the stack of a program starts where it did the last time."""
    keep = {key: os.environ[key] for key in ("LD_LIBRARY_PATH",) if key in os.environ}
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **keep}


def ask(command, timeout):
    """The line of JSON that the command writes; TooLarge if it would take most of the memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 6 // 10
    command = ["prlimit", f"--as={memory}", "--core=0", *command]
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              timeout=timeout, env=environment())
    except subprocess.TimeoutExpired:
        raise Failed(f"no answer in {timeout:.0f} s") from None
    except OSError as problem:
        raise Failed(str(problem)) from None
    if done.returncode != 0:
        if "bad_alloc" in done.stderr or "cannot allocate memory" in done.stderr.lower():
            raise TooLarge(f"it needs more than {memory / 1e9:.0f} GB of memory")
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise Failed(f"exit status {done.returncode}" + (f": {said[-1][:200]}" if said else ""))
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    try:
        return json.loads(lines[-1])
    except (IndexError, ValueError):
        raise Failed("it wrote no JSON") from None


def results(program, model, functions, timeout=600):
    """What the program finds for the first states of the model; nothing is timed."""
    return ask([program.path, model, *selection(functions), "--no-time"], timeout)


def times(program, model, functions, samples, budget, timeout=1200):
    """name -> samples in ns per state, of exactly the named functions."""
    options = ["--no-results", "--samples", samples, "--budget", budget]
    found = ask([program.path, model, *selection(functions), *options], timeout)["functions"]
    return {name: entry["ns"] for name, entry in found.items() if name in functions}


def selection(functions):
    return ["--function", ",".join(functions)] if functions else []


def listed(program, model):
    """Names of the functions that the program has for the model."""
    command = [str(program.path), str(model), "--list"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    if done.returncode != 0:
        raise Failed(done.stderr.strip())
    return done.stdout.split()


def total_of(text):
    """The instructions that a file written by callgrind is about."""
    found = re.findall(r"^totals: *(\d+)", text, re.MULTILINE)
    if not found or int(found[-1]) == 0:
        raise Failed("callgrind counted nothing")
    return int(found[-1])


def instructions(path, model, function, timeout=1200):
    """Instructions per state of one function, counted by callgrind."""
    if not shutil.which("valgrind"):
        raise Failed("valgrind is not installed")
    with tempfile.TemporaryDirectory() as folder:
        options = ["--tool=callgrind", "--instr-atstart=no"]  # the program switches it on and off
        file = Path(folder, "callgrind.out")
        command = ["valgrind", "-q", *options, f"--callgrind-out-file={file}", path, model]
        answer = ask([*command, "--count", function], timeout)
        return total_of(file.read_text(encoding="utf-8", errors="replace")) / answer["calls"]
