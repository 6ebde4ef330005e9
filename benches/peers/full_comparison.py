"""The full problem in both programs, at the same energy gap."""

from simkit_full import Displacement, Positions, seconds_of

GAP_FLOOR = 1e-12  # below this an energy gap is round-off


def gap_history(problem, formulation):
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


def compare_full(problem, pliant, rounds):
    """The record of one problem: the best round of pliant, of simkit in each formulation, and the ratios."""
    gap = problem.energy_gap_of(pliant.solve_full()["potential_energy"])
    target = max(gap, GAP_FLOOR)

    kinds = (Positions, Displacement)
    peers = []
    for kind in kinds:
        gaps = gap_history(problem, kind(problem))  # the warm-up too
        iterations, reached = iterations_to(gaps, target)
        peers.append({
            "formulation": kind.name, "iterations": iterations, "reached": reached, "energy_gap": gaps[iterations],
            "seconds": dict.fromkeys(("setup", "solve", "solve_processor"), float("inf")), "gap_history": gaps,
        })
    records = []
    for _ in range(rounds):
        records.append(pliant.solve_full())
        for kind, peer in zip(kinds, peers):
            formulation, setup, _ = seconds_of(lambda: kind(problem))
            _, solve, processor = seconds_of(lambda: formulation.solve(formulation.start, peer["iterations"]))
            measured = {"setup": setup, "solve": solve, "solve_processor": processor}
            peer["seconds"] = {part: min(best, measured[part]) for part, best in peer["seconds"].items()}

    ours = {
        "iterations": records[0]["newton_iterations"], "termination": records[0]["termination"], "energy_gap": gap,
        "seconds": {part: min(r["seconds"][part] for r in records) for part in ("setup", "solve", "command")},
    }
    # The fastest that reached the gap speaks for simkit; if none did, the fastest.
    peer = min(peers, key=lambda run: (not run["reached"], run["seconds"]["solve"]))

    def whole(run):
        return run["seconds"]["setup"] + run["seconds"]["solve"]

    def iteration(run):
        return run["seconds"]["solve"] / run["iterations"]

    return {
        "problem": problem.name, "dofs": problem.positions.size, "target_energy_gap": target,
        "pliant": ours, "simkit": peers, "compared_formulation": peer["formulation"],
        "ratio_solve": peer["seconds"]["solve"] / ours["seconds"]["solve"],
        "ratio_whole": whole(peer) / whole(ours),
        "ratio_per_iteration": iteration(peer) / iteration(ours),
    }


def full_rows(results):
    """The results as rows of text, the head first."""
    rows = [("full problem", "solver", "iterations", "energy gap", "set-up ms", "solve ms", "ms/iteration", "ratio")]
    for result in results:
        ours = result["pliant"]["seconds"]["solve"]
        for label, solver, run in [
            (f"{result['problem']}, {result['dofs']} dofs", "pliant", result["pliant"]),
            *(("", f"simkit, {run['formulation']}", run) for run in result["simkit"]),
        ]:
            seconds = run["seconds"]
            rows.append((
                label, solver + ("" if run.get("reached", True) else " (stalls)"), str(run["iterations"]),
                f"{run['energy_gap']:.1e}", f"{1e3 * seconds['setup']:.2f}", f"{1e3 * seconds['solve']:.2f}",
                f"{1e3 * seconds['solve'] / run['iterations']:.2f}", f"{seconds['solve'] / ours:.1f}",
            ))
    return rows
