"""Node sampling and Voronoi weights against the textbook on SciPy's `csgraph.dijkstra`, which is one full run for each node.

On the small body Lloyd passes are full runs too, and the nodes must be the same; on the large one they are SciPy's run with
many sources, which is as good as SciPy gets. Times are processor seconds, of one thread on both sides.
"""

import time

import numpy as np
from scipy import sparse

import scipy_textbook as textbook
from stages import Body, best, stage, tentacle

LLOYD_PASSES = 8


def compare(setting):
    """Rows of sampling and of weights on a small and a large body; the quick way is the small one alone, with fewer nodes."""
    sizes = [(10_000, 50, True)] if setting.quick else [(30_000, 200, True), (1_000_000, 200, False)]
    rows, details = [], []
    for vertices, nodes, full_runs in sizes:
        record = compare_one(setting, tentacle(setting, vertices), nodes, full_runs)
        details.append(record)
        rows += rows_of(record)
    return {"rows": rows, "details": details}


def clocked(seconds, name, work):
    begun = time.process_time()
    result = work()
    seconds[name] = time.process_time() - begun
    return result


def compare_one(setting, path, count, full_runs):
    prefix = setting.directory / "weights"
    ours = stage(setting, "sample", path, nodes=count, rounds=3)
    our_weights = stage(setting, "weights", path, nodes=count, rounds=3, out=prefix)
    body, seconds = Body(path), {}
    graph = clocked(seconds, "graph", lambda: textbook.compliance_graph(body))
    first = textbook.first_vertex(body)
    farthest = clocked(seconds, "farthest points", lambda: textbook.farthest_points(graph, first, count))
    labels = textbook.labels_by_full_runs if full_runs else textbook.labels_by_one_run
    nodes, passes = clocked(
        seconds, "lloyd", lambda: textbook.sample(body, graph, farthest, LLOYD_PASSES, labels)
    )
    # From pliant's nodes, so that the weights can be compared whatever the last bits did to the nodes.
    weights = clocked(seconds, "weights", lambda: textbook.voronoi_weights(graph, our_weights["nodes"]))
    return {
        "vertices": ours["vertices"], "cells": ours["cells"], "nodes": count, "lloyd_passes": passes,
        "lloyd_by_full_runs": full_runs, "same_farthest_points": farthest == ours["farthest_points"],
        "same_nodes": nodes == ours["nodes"], "scipy_seconds": seconds,
        "weights_difference": abs(weights - read_weights(prefix, weights.shape)).max(),
        "pliant_seconds": {
            "farthest points": best(ours, "farthest_points_"), "sample": best(ours),
            "weights": best(our_weights),
        },
        "pliant_peak_mib": {"sample": ours["peak_mib"], "weights": our_weights["peak_mib"]},
    }


def read_weights(prefix, shape):
    offsets, frames = (np.fromfile(f"{prefix}.{name}", dtype="<u8").astype(np.int64) for name in ("offsets", "frames"))
    return sparse.csr_matrix((np.fromfile(f"{prefix}.values"), frames, offsets), shape=shape)


def rows_of(record):
    size = f"{record['vertices']} vertices, {record['nodes']} nodes"
    ours, theirs = record["pliant_seconds"], record["scipy_seconds"]
    runs = "full runs" if record["lloyd_by_full_runs"] else "SciPy's run with many sources"
    yield {
        "case": "farthest points", "size": size, "pliant": ours["farthest points"], "peer": theirs["farthest points"],
        "note": "same nodes" if record["same_farthest_points"] else "OTHER NODES",
    }
    yield {
        "case": f"with {record['lloyd_passes']} Lloyd passes ({runs})", "size": size, "pliant": ours["sample"],
        "peer": theirs["farthest points"] + theirs["lloyd"],
        "note": "same nodes" if record["same_nodes"] else "nodes differ by ties",
    }
    yield {
        "case": "all of it", "size": size, "pliant": ours["sample"] + ours["weights"],
        "peer": theirs["farthest points"] + theirs["lloyd"] + theirs["weights"], "note": "",
    }
    yield {
        "case": "Voronoi weights", "size": size, "pliant": ours["weights"], "peer": theirs["weights"],
        "note": f"largest difference {record['weights_difference']:.0e}",
    }
