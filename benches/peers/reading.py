"""Times the reading of a million tetrahedra by pliant and by meshio, in turn, and prints both and their ratio.

usage: reading.py READ_FILES PLIANT [ROUNDS]    READ_FILES is the bench `read_files`, PLIANT the command.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import meshio

read_files, pliant, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3
VARIANTS = ("ascii-2.2", "ascii-4.1", "binary-2.2", "binary-4.1")
best = {}
with tempfile.TemporaryDirectory() as scratch:
    files = [Path(scratch) / f"{variant}.msh" for variant in VARIANTS]
    for variant, file in zip(VARIANTS, files):
        command = [pliant, "mesh", "box", "--counts", "55,55,55", "--msh-format", variant, "-o", file]
        subprocess.run(command, check=True, capture_output=True)
    sizes = [file.stat().st_size / 1e6 for file in files]
    for _ in range(rounds):
        for file in files:
            run = subprocess.run([read_files, file], check=True, capture_output=True, text=True)
            mesh, plain = map(float, run.stdout.split()[1:])
            begun = time.perf_counter()
            subprocess.run(["wc", "-l", file], check=True, capture_output=True)
            lines = time.perf_counter() - begun
            begun = time.perf_counter()
            meshio.read(file)
            times = (mesh, plain, lines, time.perf_counter() - begun)
            best[file] = tuple(map(min, zip(times, best.get(file, times))))
    print("| file | MB | pliant | its bytes | wc -l | meshio | meshio / pliant | pliant / bytes |\n|---|---|---|---|---|---|---|---|")
    for file, size in zip(files, sizes):
        mesh, plain, lines, other = best[file]
        print(f"| {file.stem} | {size:.0f} | {mesh:.3f} s | {plain:.3f} s | {lines:.3f} s | {other:.2f} s | {other / mesh:.1f} | {mesh / plain:.1f} |")
