"""The full problem solved with simkit's own energies, Newton, line search and sparse solve.

Two ways of writing it down, both with simkit's functions alone:

* `positions`: the unknown is x and a pin is `dirichlet_penalty`, as simkit's tutorials write elastostatics.
* `displacement`: the unknown is u = x - X (simkit's `*_u` tier), and so the stiff pins no longer drown the energy's
  digits, and the line search works further down. simkit at its best on this problem.
"""

import time
import warnings

import numpy as np

warnings.filterwarnings("ignore", message="simkit: some functionality is unavailable")

import simkit  # noqa: E402
from simkit import energies  # noqa: E402
from simkit.solvers import newton_solver  # noqa: E402

TOLERANCE = 1e-6  # of the 2-norm of the step, the tutorials' value
MOST_ITERATIONS = 150


class Formulation:
    """What the two ways share: operators built once from the rest shape, and the Newton call."""

    def __init__(self, problem):
        self.dimension = problem.dimension
        rest = problem.positions
        self.jacobian = simkit.deformation_jacobian(rest, problem.cells)
        self.volumes = simkit.volume(rest, problem.cells)
        mu, lam = simkit.ympr_to_lame(problem.youngs_modulus.reshape(-1, 1), problem.poisson_ratio)
        self.material = (mu, lam, self.volumes)
        force = simkit.gravity_force(rest, problem.cells, a=problem.gravity[1], rho=problem.density)
        self.force = force.reshape(-1, 1)
        self.pins = simkit.dirichlet_penalty(
            problem.pinned, self.targets(problem), len(rest), problem.pin_stiffness
        )

    def solve(self, start, most_iterations=MOST_ITERATIONS, visited=None):
        """Newton from `start`; every iterate is appended to `visited` when it is given."""

        def gradient(x):
            if visited is not None:
                visited.append(x.copy())
            return self.gradient(x)

        return newton_solver(
            start, self.energy, gradient, self.hessian, tolerance=TOLERANCE, max_iter=most_iterations,
            do_line_search=True, return_info=True,
        )

    def quadratic_energy(self, x):
        return energies.quadratic_energy(x, *self.pins) - float((self.force.T @ x).item())

    def quadratic_gradient(self, x):
        return energies.quadratic_gradient(x, *self.pins) - self.force


class Positions(Formulation):
    """The unknown is x."""

    name = "positions"

    def __init__(self, problem):
        super().__init__(problem)
        self.start = problem.positions.reshape(-1, 1).copy()

    @staticmethod
    def targets(problem):
        return problem.positions[problem.pinned]

    def displacement(self, x):
        return (x - self.start).reshape(-1, self.dimension)

    def energy(self, x):
        place = x.reshape(-1, self.dimension)
        elastic = energies.macklin_mueller_neo_hookean_energy_x(place, self.jacobian, *self.material)
        return elastic + self.quadratic_energy(x)

    def gradient(self, x):
        place = x.reshape(-1, self.dimension)
        elastic = energies.macklin_mueller_neo_hookean_gradient_x(place, self.jacobian, *self.material)
        return elastic + self.quadratic_gradient(x)

    def hessian(self, x):
        place = x.reshape(-1, self.dimension)
        elastic = energies.macklin_mueller_neo_hookean_hessian_x(place, self.jacobian, *self.material, psd=True)
        return elastic + self.pins[0]


class Displacement(Formulation):
    """The unknown is u = x - X."""

    name = "displacement"

    def __init__(self, problem):
        super().__init__(problem)
        self.rest_gradient = self.jacobian @ problem.positions.reshape(-1, 1)
        self.start = np.zeros((problem.positions.size, 1))

    @staticmethod
    def targets(problem):
        return np.zeros((len(problem.pinned), problem.dimension))

    def displacement(self, u):
        return u.reshape(-1, self.dimension)

    def energy(self, u):
        moved = u.reshape(-1, self.dimension)
        elastic = energies.macklin_mueller_neo_hookean_energy_u(
            moved, self.jacobian, self.rest_gradient, *self.material
        )
        return elastic + self.quadratic_energy(u)

    def gradient(self, u):
        moved = u.reshape(-1, self.dimension)
        elastic = energies.macklin_mueller_neo_hookean_gradient_u(
            moved, self.jacobian, self.rest_gradient, *self.material
        )
        return elastic + self.quadratic_gradient(u)

    def hessian(self, u):
        moved = u.reshape(-1, self.dimension)
        elastic = energies.macklin_mueller_neo_hookean_hessian_u(
            moved, self.jacobian, self.rest_gradient, *self.material, psd=True
        )
        return elastic + self.pins[0]


def seconds_of(work):
    """The result of work(), its wall time and its processor time."""
    begun, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - begun, time.process_time() - processor
