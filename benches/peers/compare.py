"""Times the full static problems of data/reference in simkit and in pliant, and prints both and their ratio.

Every round runs pliant once and simkit once in each formulation, so that a busy machine slows all of them; the best
round counts. simkit stops at the first iteration whose energy gap is as small as pliant's at its end; where simkit
stalls before that, its whole run counts and the table says where it stalled.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy

from problem import Problem
from simkit_full import Displacement, Positions, seconds_of

ROOT = Path(__file__).resolve().parents[2]
PROBLEMS = ("tentacle2d", "tentacle3d_s", "bone2d")
GAP_FLOOR = 1e-12  # below this an energy gap is round-off


def scene_text(problem):
    """The problem as a pliant scene."""
    lines = [
        f"mesh = {json.dumps(str(problem.mesh_path))}",
        f"gravity = {problem.gravity.tolist()}",
        'energy = "stable-neo-hookean"',
        'lame = "as-given"',
        f"probe = {{ nearest = {[float(value) for value in problem.probe['nearest']]} }}",
    ]
    for region, modulus in problem.youngs_modulus_of_region.items():
        lines += [
            f"[materials.{region}]",
            f"youngs_modulus = {modulus!r}",
            f"poisson_ratio = {problem.poisson_ratio!r}",
            f"density = {problem.density!r}",
        ]
    axis, most = problem.pin_selection["axis"], problem.pin_selection["max"]
    lines += [
        "[[pins]]",
        f'select = {{ axis = "{axis}", max = {most!r} }}',
        f"stiffness = {problem.pin_stiffness!r}",
    ]
    return "\n".join(lines) + "\n"


def run_pliant(command, scene):
    """One `pliant solve`: the report's `full` record, with the wall time of the whole command."""
    begun = time.perf_counter()
    done = subprocess.run([command, "solve", scene, "--space", "full", "--json"], capture_output=True, text=True)
    wall = time.perf_counter() - begun
    if done.returncode != 0:
        sys.exit(f"pliant solve {scene} failed with status {done.returncode}: {done.stderr.strip()}")
    record = json.loads(done.stdout)["full"]
    record["seconds"]["command"] = wall
    return record


def history(problem, formulation):
    """Energy gap after each iteration of a complete simkit solve (entry 0 is the start)."""
    visited = []
    end, _ = formulation.solve(formulation.start, visited=visited)
    return [problem.energy_gap(formulation.displacement(x)) for x in [*visited, end]]


def iterations_to(gaps, target):
    """The first iteration with a gap of at most `target`, and whether there is one (else the last iteration)."""
    for iteration, gap in enumerate(gaps):
        if gap <= target:
            return iteration, True
    return len(gaps) - 1, False


def compare(problem, pliant, rounds, directory):
    """The record of one problem: pliant's best round, simkit's in each formulation, and the ratios."""
    scene = Path(directory) / f"{problem.name}.toml"
    scene.write_text(scene_text(problem))
    first = run_pliant(pliant, scene)
    gap = problem.energy_gap_of(first["potential_energy"])
    target = max(gap, GAP_FLOOR)

    runs = []
    for kind in (Positions, Displacement):
        gaps = history(problem, kind(problem))  # the warm-up too
        iterations, reached = iterations_to(gaps, target)
        runs.append({
            "kind": kind, "formulation": kind.name, "iterations": iterations, "reached": reached,
            "energy_gap": gaps[iterations], "gap_history": gaps, "setup": [], "solve": [],
        })
    records = []
    for _ in range(rounds):
        records.append(run_pliant(pliant, scene))
        for run in runs:
            formulation, setup = seconds_of(lambda: run["kind"](problem))
            _, solve = seconds_of(lambda: formulation.solve(formulation.start, run["iterations"]))
            run["setup"].append(setup)
            run["solve"].append(solve)

    best = min(records, key=lambda record: record["seconds"]["solve"])
    ours = {
        "iterations": best["newton_iterations"], "termination": best["termination"], "energy_gap": gap,
        "seconds": {part: min(r["seconds"][part] for r in records) for part in ("setup", "solve", "command")},
    }
    theirs = [
        {key: run[key] for key in ("formulation", "iterations", "reached", "energy_gap", "gap_history")}
        | {"seconds": {part: min(run[part]) for part in ("setup", "solve")}}
        for run in runs
    ]
    # The fastest that reached the gap speaks for simkit; if none did, the fastest.
    peer = min(theirs, key=lambda run: (not run["reached"], run["seconds"]["solve"]))

    def whole(run):
        return run["seconds"]["setup"] + run["seconds"]["solve"]

    return {
        "problem": problem.name, "dofs": problem.positions.size, "target_energy_gap": target,
        "pliant": ours, "simkit": theirs, "compared_formulation": peer["formulation"],
        "ratio_solve": peer["seconds"]["solve"] / ours["seconds"]["solve"],
        "ratio_whole": whole(peer) / whole(ours),
        "ratio_per_iteration": (peer["seconds"]["solve"] / peer["iterations"])
        / (ours["seconds"]["solve"] / ours["iterations"]),
    }


def table(results):
    """The results as text, one row a solver."""
    rows = [("problem", "solver", "iterations", "energy gap", "set-up ms", "solve ms", "ms/iteration", "ratio")]

    def row(problem, solver, run, ratio):
        seconds = run["seconds"]
        rows.append((
            problem, solver, str(run["iterations"]), f"{run['energy_gap']:.1e}", f"{1e3 * seconds['setup']:.2f}",
            f"{1e3 * seconds['solve']:.2f}", f"{1e3 * seconds['solve'] / run['iterations']:.2f}", ratio,
        ))

    for result in results:
        row(result["problem"], "pliant", result["pliant"], "1")
        for run in result["simkit"]:
            ratio = f"{run['seconds']['solve'] / result['pliant']['seconds']['solve']:.1f}"
            row("", f"simkit, {run['formulation']}" + ("" if run["reached"] else " (stalls)"), run, ratio)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for entries in rows:
        cells = [e.ljust(w) if c < 2 else e.rjust(w) for c, (e, w) in enumerate(zip(entries, widths))]
        lines.append("  ".join(cells).rstrip())
    for result in results:
        lines.append(
            f"{result['problem']}: simkit ({result['compared_formulation']}) takes {result['ratio_solve']:.1f} times as "
            f"long as pliant for the solve, {result['ratio_whole']:.1f} with set-up, "
            f"{result['ratio_per_iteration']:.1f} an iteration"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--pliant", type=Path, default=target / "release" / "pliant", help="the command to time")
    parser.add_argument("--reference", type=Path, default=ROOT / "data" / "reference", help="meshes and figures")
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, help="by default " + ", ".join(PROBLEMS))
    parser.add_argument("--rounds", type=int, default=7, help="the best of this many counts (default %(default)s)")
    parser.add_argument("--out", type=Path, help="file for the results as JSON")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as directory:
        results = [
            compare(Problem(arguments.reference, name), arguments.pliant, arguments.rounds, directory)
            for name in arguments.problems
        ]
    print(table(results))
    if arguments.out:
        report = {
            "machine": {"cores": os.cpu_count(), "architecture": platform.machine()},
            "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
            "rounds": arguments.rounds, "results": results,
        }
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")
        print(f"written: {arguments.out}")


if __name__ == "__main__":
    main()
