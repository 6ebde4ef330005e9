"""The smallest eigenpairs of the material Laplacian against SciPy's `eigsh` (ARPACK) in shift-invert mode.

SciPy gets the same shift, the tolerance of pliant and SuperLU's symmetric mode, which is several times faster here than
what `eigsh` does by itself. Times are processor seconds, of one thread on both sides.
"""

import time

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from stages import POISSON_RATIO, Body, best, cube, stage, tentacle

TOLERANCE = 1e-10


def compare(setting):
    """One row a body; the quick way is a small tentacle."""
    if setting.quick:
        cases = [("tentacle", tentacle(setting, 5_000), 20)]
    else:
        cases = [("tentacle", tentacle(setting, 200_000), 100), ("cube", cube(setting, 40), 100)]
    details = [compare_one(setting, name, path, count) for name, path, count in cases]
    return {"rows": [row_of(record) for record in details], "details": details}


def compare_one(setting, name, path, count):
    ours = stage(setting, "eigenmodes", path, modes=count)
    body = Body(path)
    stiffness, mass = laplacian(body)
    # About the first eigenvalue above zero, as pliant's.
    shift = ours["values"][1]
    begun = time.process_time()
    options = {"SymmetricMode": True}
    factor = splu(
        (stiffness + shift * sparse.diags(mass)).tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
        options=options,
    )
    factorised = time.process_time()
    inverse = LinearOperator(stiffness.shape, matvec=factor.solve, dtype=float)
    values, vectors = eigsh(
        stiffness, k=count, M=sparse.diags(mass), sigma=-shift, OPinv=inverse, tol=TOLERANCE, which="LM"
    )
    ended = time.process_time()
    order = np.argsort(values)
    values, vectors = values[order], vectors[:, order]
    remainder = stiffness @ vectors - mass[:, None] * vectors * values
    residuals = np.sqrt((remainder**2 / mass[:, None]).sum(axis=0)) / (abs(values) + shift)
    missed, differences = matched(np.array(ours["values"]), values, shift)
    return {
        "body": name, "vertices": ours["vertices"], "cells": ours["cells"], "modes": count,
        "pliant_seconds": best(ours), "pliant_peak_mib": ours["peak_mib"],
        "pliant_largest_residual": ours["largest_residual"],
        "scipy_seconds": {"factorisation": factorised - begun, "iteration": ended - factorised},
        "scipy_largest_residual": float(residuals.max()), "scipy_missed": missed,
        "largest_difference_of_values": float(max(differences)),
    }


def matched(values, others, shift):
    """How many of some ascending values others do not have, and the relative differences of those that they have."""
    differences, place = [], 0
    for value in values:
        difference = abs(others[place] - value) / (abs(value) + shift)
        if difference < 1e-6:
            differences.append(difference)
            place += 1
    return len(values) - place, differences


def laplacian(body):
    """The stiffness of linear tetrahedra weighted by the shear modulus, and the lumped mass of unit density."""
    corners = body.vertices[body.cells]
    edges = corners[:, 1:] - corners[:, :1]
    volumes = np.linalg.det(edges) / 6
    inner = np.linalg.inv(edges).transpose(0, 2, 1)
    gradients = np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)
    weight = volumes * body.youngs_modulus / (2 * (1 + POISSON_RATIO))
    blocks = weight[:, None, None] * (gradients @ gradients.transpose(0, 2, 1))
    rows, columns = np.repeat(body.cells, 4, axis=1), np.tile(body.cells, (1, 4))
    size = len(body.vertices)
    stiffness = sparse.csc_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(size, size))
    return stiffness, np.bincount(body.cells.ravel(), weights=np.repeat(volumes / 4, 4), minlength=size)


def row_of(record):
    return {
        "case": f"{record['modes']} eigenmodes, {record['body']}",
        "size": f"{record['vertices']} vertices",
        "pliant": record["pliant_seconds"],
        "peer": sum(record["scipy_seconds"].values()),
        "note": f"residuals {record['pliant_largest_residual']:.0e}, SciPy's {record['scipy_largest_residual']:.0e}; "
        f"values agree to {record['largest_difference_of_values']:.0e}"
        + (f", but SciPy misses {record['scipy_missed']} that are repeated" if record["scipy_missed"] else ""),
    }
