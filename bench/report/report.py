"""The report of all measurements, as it is kept in build/bench/peers.json.

  date, machine
  libraries  name -> library, version, compiler, flags
  models     name -> bodies, nv, and "bytes" where Axode's program says its memory
  functions  function -> model -> library -> median, quartiles, least (ns per state), samples (how
             many), instructions (per state, where counted), note
  differing  [function, model, library, difference]: not timed, because results are not equal
  failed     [library, model, why]
  left_out   [library, model, why]: the library needs more memory than there is
  unsupported  library -> function -> reason
  summary    the goals of goals.py: ratios, own
"""

import datetime
import os
import platform
import statistics
from pathlib import Path

import goals


def field(path, key):
    """The value of "key: value" in a file of /proc."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(key)), "")


def machine():
    memory = field("/proc/meminfo", "MemTotal").split()
    release = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    return {
        "processor": field("/proc/cpuinfo", "model name") or platform.processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(int(memory[0]) / 1e6, 1) if memory else None,
        "system": f"{release.get('PRETTY_NAME', platform.system())}, Linux {platform.release()}",
        "libc": " ".join(platform.libc_ver()),
    }


def empty():
    return {"date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "machine": machine(), "libraries": {}, "models": {}, "functions": {}, "differing": [],
            "failed": [], "left_out": [], "unsupported": {}}


def add_answer(report, name, answer):
    """What a program says of itself, of the model and of what it lacks."""
    keys = ("library", "version", "compiler", "flags")
    report["libraries"][name] = {key: answer.get(key, "") for key in keys}
    facts = report["models"].setdefault(answer["model"], {})
    facts.update({key: answer[key] for key in ("bodies", "nv", "bytes") if key in answer})
    report["unsupported"].setdefault(name, {}).update(answer.get("unsupported", {}))


def entry(report, function, model, library):
    by_model = report["functions"].setdefault(function, {})
    return by_model.setdefault(model, {}).setdefault(library, {})


def statistics_of(samples):
    """Median, quartiles, least and number of samples."""
    ordered = sorted(samples)
    low, middle, high = (statistics.quantiles(ordered, n=4, method="inclusive")
                         if len(ordered) > 1 else ordered * 3)
    return {"median": middle, "quartiles": [low, high], "least": ordered[0],
            "samples": len(ordered)}


def spread(report):
    """Distance of the quartiles / median: the median of all that was timed; None if nothing was."""
    entries = [e for models in report["functions"].values() for found in models.values()
               for e in found.values() if e.get("median")]
    shares = [(e["quartiles"][1] - e["quartiles"][0]) / e["median"] for e in entries]
    return statistics.median(shares) if shares else None


def add_times(report, samples):
    """samples: (function, model, library) -> ns."""
    for (function, model, library), ns in samples.items():
        if ns:
            entry(report, function, model, library).update(statistics_of(ns))


def add_summary(report):
    report["summary"] = {"ratios": goals.ratios(report), "own": goals.own(report)}
