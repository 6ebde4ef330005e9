"""Reads every file with Pliant and compares it with the body that it holds. usage: check_files.py PLIANT DIRECTORY"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

pliant, directory = sys.argv[1:]
wrong = 0
# Values beside a header have no name of their own.
files = [file for file in sorted(Path(directory).iterdir()) if file.suffix not in (".zraw", ".md")]


def regions_of(file):
    """Regions with their volumes, and what else is wrong."""
    if file.name.startswith("voxels"):
        with tempfile.TemporaryDirectory() as scratch:
            mesh = Path(scratch) / "a.vtu"
            subprocess.run([pliant, "mesh", "voxels", file, "--size", "0.1", "-o", mesh], check=True, capture_output=True, text=True)
            return regions_of(mesh)
    run = subprocess.run([pliant, "info", "--json", str(file)], check=True, capture_output=True, text=True)
    info = json.loads(run.stdout)
    dimension = 2 if file.name.startswith("strip") else 3
    if info["dimension"] != dimension or info["components"] != 1:
        raise ValueError(f"{info['dimension']}D in {info['components']} components")
    return [region["volume"] for region in info["regions"].values() if region["cells"]]


for file in files:
    try:
        found = regions_of(file)
    except subprocess.CalledProcessError as error:
        found = error.stderr.strip()
    except ValueError as error:
        found = str(error)
    parts = [0.5] if file.name == "box-numpy.npz" else [2.0] if "whole" in file.name else [1.0, 1.0]
    # fTetWild moves the boundary a little; voxels lose their edges.
    within = 0.02 if "fTetWild" in file.name else 0.1 if "voxels" in file.name else 1e-6
    same = isinstance(found, list) and len(found) == len(parts)
    if not (same and all(abs(a - b) < within for a, b in zip(found, parts))):
        print(file.name, found, "instead of", parts)
        wrong += 1
print(f"read {len(files) - wrong} of {len(files)} files as the bodies that they hold")
sys.exit(wrong > 0)
