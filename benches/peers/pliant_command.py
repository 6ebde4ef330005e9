"""The pliant side: a reference problem as a scene file, and the command that is timed."""

import json
import subprocess
import sys
import time


def scene_text(problem):
    """The problem as a pliant scene."""
    lines = [
        f"mesh = {json.dumps(str(problem.mesh_path))}",
        f"gravity = {problem.gravity.tolist()}",
        'energy = "stable-neo-hookean"',
        'lame = "as-given"',
        f"probe = {{ nearest = {[float(value) for value in problem.probe['nearest']]} }}",
    ]
    for region, modulus in problem.youngs_modulus_of_region.items():
        lines += [
            f"[materials.{region}]",
            f"youngs_modulus = {modulus!r}",
            f"poisson_ratio = {problem.poisson_ratio!r}",
            f"density = {problem.density!r}",
        ]
    axis, most = problem.pin_selection["axis"], problem.pin_selection["max"]
    lines += [
        "[[pins]]",
        f'select = {{ axis = "{axis}", max = {most!r} }}',
        f"stiffness = {problem.pin_stiffness!r}",
    ]
    return "\n".join(lines) + "\n"


class Pliant:
    """The command on one scene."""

    def __init__(self, command, problem, directory):
        self.command = command
        self.scene = directory / f"{problem.name}.toml"
        self.scene.write_text(scene_text(problem))

    def _report(self, *arguments):
        begun = time.perf_counter()
        done = subprocess.run([self.command, *arguments, "--threads", "1", "--json"], capture_output=True, text=True)
        wall = time.perf_counter() - begun
        if done.returncode != 0:
            sys.exit(f"pliant {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout), wall

    def solve_full(self, path):
        """The report's record of the full solve with steps along `path`; its seconds also have the command's wall time."""
        report, wall = self._report("solve", self.scene, "--space", "full", "--set", f'newton.path="{path}"')
        report["full"]["seconds"]["command"] = wall
        return report["full"]

    def solve_reduced(self, method, frames):
        """The report's record of one reduced solve."""
        report, _ = self._report("solve", self.scene, "--space", method, "--frames", str(frames))
        return report["subspaces"][0]

    def write_basis(self, method, frames, file):
        """Writes the basis for SciPy."""
        self._report("basis", self.scene, "--method", method, "--frames", str(frames), "-o", file)
