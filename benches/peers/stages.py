"""The stages of pliant on meshes that it makes itself, and the same meshes for NumPy."""

import json
import subprocess
import sys

import numpy as np

MODULUS = {"bone": 1e6, "joint": 1e3}  # as in benches/stages.rs
POISSON_RATIO = 0.4


def checked(command):
    """The standard output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def stage(setting, name, mesh, **options):
    """The record of one stage of `benches/stages.rs`, on one thread."""
    keys = [f"{key}={value}" for key, value in options.items()]
    return json.loads(checked([setting.stages, name, mesh, *keys]))


def best(record, prefix=""):
    """Processor seconds of the best round (of the clock, where the system does not tell)."""
    return min(record[prefix + "processor_seconds"] or record[prefix + "seconds"])


def tentacle(setting, vertices):
    """The file of a tentacle in 3D with about this many vertices."""
    path = setting.directory / f"tentacle-{vertices}.npz"
    if not path.exists():
        checked([setting.pliant, "mesh", "tentacle", "--dimension", "3", "--cell-size", (5 / vertices) ** (1 / 3), "-o", path])
    return path


def cube(setting, side):
    """The file of a unit cube of side^3 vertices."""
    path = setting.directory / f"cube-{side}.npz"
    if not path.exists():
        counts = ",".join([str(side - 1)] * 3)
        checked([setting.pliant, "mesh", "box", "--max", "1,1,1", "--counts", counts, "-o", path])
    return path


class Body:
    """A mesh as arrays: vertices (n x 3), cells (t x 4), and Young's modulus of each cell."""

    def __init__(self, path):
        with np.load(path) as arrays:
            self.vertices, self.cells = arrays["vertices"], arrays["cells"].astype(np.int64)
            names = [str(name) for name in arrays["region_names"]] if "region_names" in arrays else []
            regions = arrays["region"] if "region" in arrays else np.zeros(len(self.cells), int)
        moduli = np.array([MODULUS.get(name, MODULUS["bone"]) for name in names] or [MODULUS["bone"]])
        self.youngs_modulus = moduli[regions]
