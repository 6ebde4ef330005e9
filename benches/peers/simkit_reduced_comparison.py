"""The reduced problem in both programs, on the basis that pliant wrote."""

from scipy import sparse

from simkit_full import seconds_of
from simkit_reduced import Reduced

METHODS = ("sparse-meshless", "uniform-eigenmodes", "material-eigenmodes", "hrpd")


def compare_reduced(problem, pliant, frames, rounds, directory):
    """One record a method: iterations, seconds and energy gap of both, the best round of each."""
    records = []
    for method in METHODS:
        file = directory / f"{problem.name}-{method}.npz"
        pliant.write_basis(method, frames, file)
        basis = sparse.load_npz(file)
        start = Reduced(problem, basis)
        end, info = start.solve(start.start)  # the warm-up too
        theirs = {"iterations": info["iters"] + 1, "energy_gap": problem.energy_gap(start.displacement(end))}
        ours = pliant.solve_reduced(method, frames)
        best = {"setup": float("inf"), "solve": float("inf"), "pliant": ours["seconds"]["solve"]}
        for _ in range(rounds):
            best["pliant"] = min(best["pliant"], pliant.solve_reduced(method, frames)["seconds"]["solve"])
            formulation, setup, _ = seconds_of(lambda: Reduced(problem, basis))
            _, solve, _ = seconds_of(lambda: formulation.solve(formulation.start))
            best["setup"], best["solve"] = min(best["setup"], setup), min(best["solve"], solve)
        theirs["seconds"] = {"setup": best["setup"], "solve": best["solve"]}
        records.append({
            "problem": problem.name, "method": method, "frames": frames, "dofs": ours["dofs"],
            "pliant": {"iterations": ours["newton_iterations"], "seconds": {"solve": best["pliant"]}},
            "simkit": theirs, "ratio_solve": (best["setup"] + best["solve"]) / best["pliant"],
        })
    return records


def reduced_rows(records):
    """The records as rows of text, the head first."""
    rows = [("reduced problem", "method", "dofs", "iterations", "(simkit)", "solve ms", "(simkit)", "ratio")]
    for record in records:
        ours, theirs = record["pliant"], record["simkit"]
        rows.append((
            record["problem"], record["method"], str(record["dofs"]), str(ours["iterations"]),
            str(theirs["iterations"]), f"{1e3 * ours['seconds']['solve']:.2f}",
            f"{1e3 * sum(theirs['seconds'].values()):.2f}", f"{record['ratio_solve']:.1f}",
        ))
    return rows
