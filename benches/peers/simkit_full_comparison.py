"""The full problem in both programs, at the same energy gap."""

from simkit_full import Displacement, Positions, seconds_of

GAP_FLOOR = 1e-12  # below this an energy gap is round-off
PATHS = ("straight", "turning")  # straight steps are simkit's method too; turning ones are pliant's default


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


def smaller(seconds, measured):
    """The smaller of each part."""
    return {part: min(value, measured[part]) for part, value in seconds.items()}


def compare_full(problem, pliant, rounds):
    """The record of one problem: the best round of pliant with each path, of simkit in each formulation, and the ratios."""
    ours = []
    for path in PATHS:
        record = pliant.solve_full(path)
        ours.append({
            "path": path, "iterations": record["newton_iterations"], "termination": record["termination"],
            "energy_gap": problem.energy_gap_of(record["potential_energy"]), "seconds": record["seconds"],
        })
    target = max(GAP_FLOOR, *(run["energy_gap"] for run in ours))

    kinds = (Positions, Displacement)
    peers = []
    for kind in kinds:
        gaps = gap_history(problem, kind(problem))  # the warm-up too
        iterations, reached = iterations_to(gaps, target)
        peers.append({
            "formulation": kind.name, "iterations": iterations, "reached": reached, "energy_gap": gaps[iterations],
            "seconds": dict.fromkeys(("setup", "solve", "solve_processor"), float("inf")), "gap_history": gaps,
        })
    for _ in range(rounds):
        for run in ours:
            run["seconds"] = smaller(run["seconds"], pliant.solve_full(run["path"])["seconds"])
        for kind, peer in zip(kinds, peers):
            formulation, setup, _ = seconds_of(lambda: kind(problem))
            _, solve, processor = seconds_of(lambda: formulation.solve(formulation.start, peer["iterations"]))
            measured = {"setup": setup, "solve": solve, "solve_processor": processor}
            peer["seconds"] = smaller(peer["seconds"], measured)

    # The fastest that reached the gap speaks for simkit; if none did, the fastest.
    peer = min(peers, key=lambda run: (not run["reached"], run["seconds"]["solve"]))

    def whole(run):
        return run["seconds"]["setup"] + run["seconds"]["solve"]

    for run in ours:
        run["ratio_solve"] = peer["seconds"]["solve"] / run["seconds"]["solve"]
        run["ratio_whole"] = whole(peer) / whole(run)
        run["ratio_processor"] = peer["seconds"]["solve_processor"] / run["seconds"]["solve"]
    return {
        "problem": problem.name, "dofs": problem.positions.size, "target_energy_gap": target, "pliant": ours,
        "simkit": peers, "compared_formulation": peer["formulation"],
    }


def full_rows(results):
    """The results as rows of text, the head first."""
    rows = [("full problem", "solver", "iterations", "energy gap", "set-up ms", "solve ms", "ms/iteration")]
    for result in results:
        runs = [(f"pliant, {run['path']} steps", run) for run in result["pliant"]]
        runs += [(f"simkit, {run['formulation']}", run) for run in result["simkit"]]
        label = f"{result['problem']}, {result['dofs']} dofs"
        for solver, run in runs:
            seconds = run["seconds"]
            rows.append((
                label, solver + ("" if run.get("reached", True) else " (stalls)"), str(run["iterations"]),
                f"{run['energy_gap']:.1e}", f"{1e3 * seconds['setup']:.2f}", f"{1e3 * seconds['solve']:.2f}",
                f"{1e3 * seconds['solve'] / run['iterations']:.2f}",
            ))
            label = ""
    return rows


def ratio_rows(results):
    """How many times as long simkit takes, as rows of text, the head first."""
    rows = [("simkit / pliant", "pliant's steps", "iterations", "(simkit)", "solve", "with set-up", "processor")]
    for result in results:
        peer = next(run for run in result["simkit"] if run["formulation"] == result["compared_formulation"])
        for run in result["pliant"]:
            rows.append((
                f"{result['problem']}, {peer['formulation']}", run["path"], str(run["iterations"]),
                str(peer["iterations"]), f"{run['ratio_solve']:.1f}", f"{run['ratio_whole']:.1f}",
                f"{run['ratio_processor']:.1f}",
            ))
    return rows
