"""Command lines that drive a file of some bytes through to results.

FILE is the mutated file, OUT what is written; " ; " parts commands: the next follows if the last one exits with 0.
Runs have the limit of steps that they have by themselves.
"""

# Numbers of a run file that is written are read back as a table, which is looked through.
RECORDED = "--out OUT.mcap --force ; export OUT.mcap -o OUT.csv --force"

TREE_METHODS = ("automatic", "mk1 --step 1ms", "mk4", "cf4 --step 1ms", "semi-implicit --step 1ms",
                "momentum-preserving --step 1ms", "variational --step 1ms", "cvode", "adams", "arkode",
                "ida --formulation absolute", "generalized-alpha --formulation absolute")
FAMILIES = ("relative", "reference-point", "euler-angles", "quasi-velocities", "natural", "mixed")
MECHANISM_METHODS = ("automatic", "projection", "null_space", "augmented_lagrangian", "baumgarte", "ida", "generalized_alpha")


def tree_line(rng, size):
    short = f"simulate FILE --for {rng.choice(('5ms', '20ms', '50ms'))} --quiet"
    return rng.choice((
        "info FILE --json", "check FILE --json", "info FILE", "kinematics FILE --json", "dynamics FILE --json",
        "dynamics FILE --mass-matrix --gravity --energies --json", "linearize FILE", "convert FILE -o OUT.json --force",
        "convert FILE -o OUT.urdf --force", "view FILE --out OUT.html --no-browser --force", "export FILE -o OUT.glb --force",
        "export FILE -o OUT.png --size 64x48 --force",
        f"{short} --json", f"{short} --json --method {rng.choice(TREE_METHODS)}",
        f"{short} --json --method {rng.choice(TREE_METHODS)}",
        f"{short} {RECORDED}", f"{short} {RECORDED} ; report OUT.mcap --json",
        f"{short} {RECORDED} ; view OUT.mcap --out OUT.html --no-browser --force"))


def mechanism_line(rng, size):
    how = f"--formulation {rng.choice(FAMILIES)}"
    short = f"simulate FILE --for {rng.choice(('5ms', '20ms'))} {how}"
    some = f"mechanism %s FILE {how}"
    modes = "assembly-modes" if size < 3000 else "solve"  # of larger ones the search takes many seconds
    return rng.choice((
        "info FILE --json", "check FILE --json", "mechanism solve FILE --json", f"info FILE {how} --print",
        some % "solve" + " --json", some % "solve" + " --json", some % "solve" + " --reactions --json",
        some % "solve" + " --at 0.01 --json", f"mechanism {modes} FILE --json", some % "mobility" + " --json",
        "linearize FILE --no-drivers --json", "info FILE -o OUT.svg --force",
        "mechanism compare FILE --json", f"{short} --json",
        f"{short} --json --method {rng.choice(MECHANISM_METHODS)}",
        f"{short} --csv", "view FILE --out OUT.html --no-browser --force",
        f"{short} {RECORDED}"))


def flexible_line(rng, size):
    short = f"simulate FILE --for {rng.choice(('5ms', '20ms'))} --equations {rng.choice(('linear', 'nonlinear'))}"
    return rng.choice((
        "info FILE --json", "info FILE", "check FILE --json", "flexible modes FILE --json",
        f"flexible modes FILE --joints {rng.choice(('free', 'servo'))} --json", "linearize FILE --json",
        "linearize FILE --equations linear --json", f"{short} --json",
        f"{short} --csv", "view FILE --out OUT.html --no-browser --force",
        f"{short} {RECORDED}"))


def run_line(rng, size):
    return rng.choice((
        "info FILE --json", "report FILE --json", "report FILE -o OUT.html --force", "export FILE -o OUT.csv --force",
        "export FILE -o OUT.npz --force", "export FILE -o OUT.glb --force", "view FILE --out OUT.html --no-browser --force",
        "plot FILE --term", "plot FILE -o OUT.svg --force", "export FILE -o OUT.png --size 64x48 --force",
        "report FILE --json --salvage"))


def mesh_line(rng, size):
    return rng.choice(("view FILE --out OUT.html --no-browser --force", "export FILE -o OUT.glb --force",
                       "check FILE --json", "export FILE -o OUT.png --size 64x48 --force"))


LINES = {"tree": tree_line, "mechanism": mechanism_line, "flexible": flexible_line, "run": run_line, "mesh": mesh_line}
