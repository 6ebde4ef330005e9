"""One static problem of data/reference: its mesh, its parameters, and the potential of a state.

The potential is evaluated without cancellation (from the displacement and from F - I), so that the energy gap of
every solver is measured with one ruler, far below the round-off noise of the solvers' own energies.
"""

import json
from pathlib import Path

import numpy as np

CELL_CORNERS = {2: 3, 4: 4}  # Gmsh element type -> corners of the cell (triangle, tetrahedron)


def read_gmsh(path):
    """Positions (n x D), cells (t x (D+1)) and the physical name of each cell, from a Gmsh 2.2 ASCII file."""
    lines = Path(path).read_text().splitlines()

    def section(name):
        first = lines.index(f"${name}") + 2  # the line after the count
        return [line.split() for line in lines[first : lines.index(f"$End{name}")]]

    names = {(int(dimension), int(tag)): name.strip('"') for dimension, tag, name in section("PhysicalNames")}
    positions = np.array([row[1:4] for row in section("Nodes")], dtype=float)
    elements = [[int(entry) for entry in row] for row in section("Elements")]
    kind = max(row[1] for row in elements if row[1] in CELL_CORNERS)
    elements = [row for row in elements if row[1] == kind]
    corners = CELL_CORNERS[kind]
    cells = np.array([row[-corners:] for row in elements]) - 1
    regions = np.array([names[corners - 1, row[3]] for row in elements])
    return positions[:, : corners - 1].copy(), cells, regions


class Problem:
    """The static problem of `DIRECTORY/NAME.msh` and `DIRECTORY/NAME.json`: soft pins, gravity, stable neo-Hookean."""

    def __init__(self, directory, name):
        reference = json.loads((Path(directory) / f"{name}.json").read_text())
        given = reference["problem"]
        self.name = name
        self.mesh_path = (Path(directory) / f"{name}.msh").resolve()
        self.positions, self.cells, regions = read_gmsh(self.mesh_path)
        self.dimension = self.positions.shape[1]
        self.youngs_modulus_of_region = given["youngs_modulus"]
        self.youngs_modulus = np.array([given["youngs_modulus"][region] for region in regions])
        self.poisson_ratio = given["poisson_ratio"]
        self.density = given["density"]
        self.gravity = np.array(given["gravity"], dtype=float)
        self.pin_selection = given["pins"]["select"]
        self.pin_stiffness = given["pins"]["stiffness"]
        self.probe = given["probe"]
        along = self.positions[:, "xyz".index(self.pin_selection["axis"])]
        self.pinned = np.flatnonzero(along <= self.pin_selection["max"])
        self.minimum = reference["full"]["potential_energy"]
        self._set_up_potential()

    def _set_up_potential(self):
        dimension = self.dimension
        corners = self.positions[self.cells]
        edges = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1)
        self._inverse_edges = np.linalg.inv(edges)
        self._volumes = np.abs(np.linalg.det(edges)) / (2.0 if dimension == 2 else 6.0)
        share = np.repeat(self._volumes * self.density / (dimension + 1), dimension + 1)
        self._mass = np.bincount(self.cells.ravel(), weights=share, minlength=len(self.positions))
        modulus, ratio = self.youngs_modulus, self.poisson_ratio
        self._mu = modulus / (2 * (1 + ratio))
        self._lambda = modulus * ratio / ((1 + ratio) * (1 - 2 * ratio))

    def potential(self, displacement):
        """Elastic energy + pins - work of gravity at a displacement (n x D); 0 at rest."""
        corners = displacement[self.cells]
        h = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1) @ self._inverse_edges
        trace = np.trace(h, axis1=1, axis2=2)
        quadratic = np.linalg.det(h)
        if self.dimension == 3:
            quadratic = quadratic + (trace**2 - np.einsum("eij,eji->e", h, h)) / 2
        density = self._mu * ((h**2).sum((1, 2)) / 2 - quadratic) + self._lambda / 2 * (trace + quadratic) ** 2
        pins = self.pin_stiffness / 2 * (displacement[self.pinned] ** 2).sum()
        return float(self._volumes @ density + pins - self._mass @ (displacement @ self.gravity))

    def energy_gap(self, displacement):
        """(P(x) - P_min) / (P(rest) - P_min), with P_min the reference minimum and P(rest) = 0."""
        return self.energy_gap_of(self.potential(displacement))

    def energy_gap_of(self, potential):
        """The energy gap of a potential energy that was computed elsewhere."""
        return (potential - self.minimum) / -self.minimum
