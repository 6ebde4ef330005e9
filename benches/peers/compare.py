"""Times pliant against other programs and prints one table: seconds of both, and how many times as long the other takes.

Both sides of a row run in the same minutes on the same machine; see the module of each comparison for how. The comparisons:
simkit (statics), dijkstra (SciPy: sampling and weights), eigsh (SciPy: eigenmodes), cholmod (factorisation), reading (meshio, gmsh).
"""

import argparse
import importlib
import json
import os
import platform
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

from table import aligned, seconds

HERE = Path(__file__).resolve().parent
COMPARISONS = ("simkit", "dijkstra", "eigsh", "cholmod", "reading")
PACKAGES = ("simkit", "numpy", "scipy", "meshio", "gmsh")
# One thread on both sides where the stages of pliant have one too; simkit and the command are compared as they come.
SINGLE_THREADED = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def machine():
    """What the figures depend on."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = models[0] if models else processor
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": processor, "cores": os.cpu_count(), "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.release()}", "load_at_start": round(os.getloadavg()[0], 2),
        "python": platform.python_version(), "packages": {name: metadata.version(name) for name in PACKAGES},
    }


def table_rows(results):
    """All rows as text, the head first."""
    rows = [("compared with", "case", "size", "pliant", "other", "ratio", "remark")]
    for name, result in results.items():
        for row in result["rows"]:
            rows.append((
                name, row["case"], row["size"], seconds(row["pliant"]), seconds(row["peer"]),
                f"{row['peer'] / row['pliant']:.1f}", row["note"],
            ))
    return rows


def markdown(rows):
    """The same table for benches/README.md."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def write(path, report):
    """Writes a report as JSON, whole or not at all."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(report, indent=1) + "\n")
    unfinished.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=COMPARISONS, default=COMPARISONS, metavar="NAME", help=", ".join(COMPARISONS))
    parser.add_argument("--quick", action="store_true", help="small bodies, about a minute in all: does it run, not how fast")
    parser.add_argument("--details", action="store_true", help="print what each comparison has to say beside the table")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--pliant", type=Path, required=True, help="the command")
    parser.add_argument("--stages", type=Path, required=True, help="the program of benches/stages.rs")
    parser.add_argument("--out", type=Path, required=True, help="file for the results as JSON")
    arguments = parser.parse_args()
    os.environ.update(dict.fromkeys(SINGLE_THREADED, "1"))

    described, results = machine(), {}
    with tempfile.TemporaryDirectory() as directory:
        setting = SimpleNamespace(
            root=HERE.parents[1], here=HERE, directory=Path(directory), quick=arguments.quick,
            pliant=arguments.pliant, stages=arguments.stages,
        )
        for name in arguments.only:
            begun = time.perf_counter()
            results[name] = importlib.import_module(f"{name}_comparison").compare(setting)
            results[name]["seconds"] = time.perf_counter() - begun
            # After each, so that a run that is stopped leaves what it has.
            write(arguments.out, {"machine": described, "quick": arguments.quick, "comparisons": results})
            print(f"{name}: {results[name]['seconds']:.0f} s", file=sys.stderr)

    rows = table_rows(results)
    if arguments.details:
        print("\n\n".join(text for result in results.values() if (text := result.get("text"))) + "\n")
    print(markdown(rows) if arguments.markdown else aligned(rows, left=3))
    if described["load_at_start"] > 0.5:
        print(f"The machine was busy when this began (load {described['load_at_start']}); long runs suffer more than short ones.")
    print(f"written: {arguments.out}")


if __name__ == "__main__":
    main()
