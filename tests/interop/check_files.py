"""Reads every file with Pliant and compares it with the body that it holds. usage: check_files.py PLIANT DIRECTORY"""

import json
import subprocess
import sys
from pathlib import Path

pliant, directory = sys.argv[1:]
wrong = 0
files = sorted(Path(directory).iterdir())
for file in files:
    run = subprocess.run([pliant, "info", "--json", str(file)], capture_output=True, text=True)
    if run.returncode:
        print(file.name, run.stderr.strip())
        wrong += 1
        continue
    info = json.loads(run.stdout)
    whole, dimension = (2.0, 3) if file.name.startswith("box") else (2.0, 2)
    regions = {name: region["volume"] for name, region in info["regions"].items() if region["cells"]}
    if file.name == "box-numpy.npz":
        whole, parts = 0.5, [0.5]
    else:
        parts = [1.0, 1.0]
    same = abs(info["volume"] - whole) < 1e-6 and info["dimension"] == dimension and info["components"] == 1
    same = same and len(regions) == len(parts) and all(abs(a - b) < 1e-6 for a, b in zip(regions.values(), parts))
    if not same:
        print(file.name, info["dimension"], info["volume"], regions, info["components"])
        wrong += 1
print(f"read {len(files) - wrong} of {len(files)} files as the bodies that they hold")
sys.exit(wrong > 0)
