"""The reduced problem solved with simkit: its `*_z` energies on a basis that pliant wrote, its Newton and line search.

The unknown is the change of the reduced coordinates from rest, x = X + B z, so that the stiff pins act on B z alone
and keep their digits. The basis stays sparse: simkit's products are 7 to 20 times slower with a dense one.
"""

import numpy as np
from scipy import sparse

from simkit_full import Formulation
from simkit.energies.elastic import (
    ElasticEnergyZPrecomp,
    elastic_energy_z,
    elastic_gradient_z,
    elastic_hessian_z,
)

MATERIAL = "macklin-mueller-neo-hookean"


class Reduced(Formulation):
    """The full problem seen through a basis (nD x r, full column rank)."""

    name = "reduced"

    def __init__(self, problem, basis):
        super().__init__(problem)
        self.basis = sparse.csc_matrix(basis)
        rest = problem.positions.reshape(-1, 1)
        every_cell = sparse.identity(self.jacobian.shape[0])
        self.elastic = ElasticEnergyZPrecomp(self.basis, rest, every_cell, self.jacobian, problem.dimension)
        matrix, vector = self.pins
        self.pins = (self.basis.T @ matrix @ self.basis, self.basis.T @ vector)
        self.force = self.basis.T @ self.force
        self.start = np.zeros((basis.shape[1], 1))

    @staticmethod
    def targets(problem):
        return np.zeros((len(problem.pinned), problem.dimension))

    def displacement(self, z):
        return (self.basis @ z).reshape(-1, self.dimension)

    def energy(self, z):
        return elastic_energy_z(z, *self.material, MATERIAL, self.elastic) + self.quadratic_energy(z)

    def gradient(self, z):
        return elastic_gradient_z(z, *self.material, MATERIAL, self.elastic) + self.quadratic_gradient(z)

    def hessian(self, z):
        return elastic_hessian_z(z, *self.material, MATERIAL, self.elastic, psd=True) + self.pins[0]
