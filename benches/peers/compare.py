"""Times the static problems of data/reference in simkit and in pliant, and prints both and their ratio.

Every round runs both programs in turn, so that a busy machine slows both; the best round of each counts. In the full
problem pliant runs twice, with straight Newton steps as simkit's and with its own turning ones, and simkit stops at the
first iteration whose energy gap is as small as pliant's at its end; where it stalls before that, its whole run counts and
the row says so.
"""

import argparse
import json
import os
import platform
import tempfile
from pathlib import Path

import numpy as np
import scipy

from full_comparison import compare_full, full_rows, ratio_rows
from pliant_command import Pliant
from problem import Problem
from reduced_comparison import compare_reduced, reduced_rows

ROOT = Path(__file__).resolve().parents[2]
PROBLEMS = ("tentacle2d", "tentacle3d_s", "bone2d")


def aligned(rows):
    """Rows of text in columns: the first two to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row):
        cells = [cell.ljust(width) if at < 2 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))]
        return "  ".join(cells).rstrip()

    return "\n".join(line(row) for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--pliant", type=Path, default=target / "release" / "pliant", help="the command to time")
    parser.add_argument("--reference", type=Path, default=ROOT / "data" / "reference", help="meshes and figures")
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, help="by default " + ", ".join(PROBLEMS))
    parser.add_argument("--rounds", type=int, default=7, help="the best of this many counts (default %(default)s)")
    parser.add_argument("--reduced", type=int, metavar="FRAMES", help="compare the reduced problems too")
    parser.add_argument("--out", type=Path, help="file for the results as JSON")
    arguments = parser.parse_args()

    load = os.getloadavg()[0]
    full, reduced = [], []
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for problem in (Problem(arguments.reference, name) for name in arguments.problems):
            pliant = Pliant(arguments.pliant, problem, directory)
            full.append(compare_full(problem, pliant, arguments.rounds))
            if arguments.reduced:
                reduced += compare_reduced(problem, pliant, arguments.reduced, arguments.rounds, directory)

    print(aligned(full_rows(full)))
    print("\n" + aligned(ratio_rows(full)))
    print("\"processor\": simkit's processor time against pliant's wall time.")
    if load > 0.5:
        print(f"The machine was busy when this began (load {load:.1f}). Long runs suffer more than short ones, so the first two")
        print("ratios favour pliant; the third is nearer to what a quiet machine shows.")
    if reduced:
        print("\n" + aligned(reduced_rows(reduced)))
    if arguments.out:
        report = {
            "machine": {"load_at_start": load, "cores": os.cpu_count(), "architecture": platform.machine()},
            "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
            "rounds": arguments.rounds, "full": full, "reduced": reduced,
        }
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")
        print(f"written: {arguments.out}")


if __name__ == "__main__":
    main()
