"""The static problems of data/reference in simkit and in pliant.

Every round runs both programs in turn, so that a busy machine slows both; the best round of each counts. In the full
problem pliant runs twice, with straight Newton steps as simkit's and with its own turning ones, and simkit stops at the
first iteration whose energy gap is as small as pliant's at its end; where it stalls before that, its whole run counts and
the row says so.
"""

from pliant_command import Pliant
from problem import Problem
from simkit_full_comparison import compare_full, full_rows, ratio_rows
from simkit_reduced_comparison import compare_reduced, reduced_rows
from table import aligned

PROBLEMS = ("tentacle2d", "tentacle3d_s", "bone2d")
REDUCED_FRAMES = 9


def compare(setting):
    """The records and rows of all problems; the quick way is the smallest problem in two rounds."""
    problems, rounds = (("tentacle2d",), 2) if setting.quick else (PROBLEMS, 7)
    full, reduced = [], []
    for problem in (Problem(setting.root / "data" / "reference", name) for name in problems):
        pliant = Pliant(setting.pliant, problem, setting.directory)
        full.append(compare_full(problem, pliant, rounds))
        reduced += compare_reduced(problem, pliant, REDUCED_FRAMES, rounds, setting.directory)
    return {
        "rows": [row for result in full for row in full_table(result)] + [reduced_row(record) for record in reduced],
        "details": {"full": full, "reduced": reduced},
        "text": "\n\n".join(aligned(rows) for rows in (full_rows(full), ratio_rows(full), reduced_rows(reduced))),
    }


def full_table(result):
    """One row for each path of pliant."""
    peer = next(run for run in result["simkit"] if run["formulation"] == result["compared_formulation"])
    for run in result["pliant"]:
        yield {
            "case": f"{result['problem']}, full, {run['path']} steps",
            "size": f"{result['dofs']} unknowns",
            "pliant": sum(run["seconds"][part] for part in ("setup", "solve")),
            "peer": sum(peer["seconds"][part] for part in ("setup", "solve")),
            "note": "" if peer["reached"] else "simkit stalls at a larger energy gap",
        }


def reduced_row(record):
    return {
        "case": f"{record['problem']}, {record['frames']} frames, {record['method']}",
        "size": f"{record['dofs']} unknowns",
        "pliant": record["pliant"]["seconds"]["solve"],
        "peer": sum(record["simkit"]["seconds"].values()),
        "note": "",
    }
