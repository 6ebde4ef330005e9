"""Node sampling and Voronoi weights as the papers write them, on SciPy's Dijkstra: one full run from each node for everything.

The tie rule is pliant's: values within 1e-9 of the extreme are equal, and equal means the first.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

TIE = 1e-9
ROWS = 50_000  # vertices whose weights are made at once


def compliance_graph(body):
    """The edges of the cells, |X_i - X_j| times the mean of 1/E over the cells around, in both directions."""
    corners = [(a, b) for a in range(4) for b in range(4) if a != b]
    rows = np.concatenate([body.cells[:, a] for a, _ in corners])
    columns = np.concatenate([body.cells[:, b] for _, b in corners])
    compliance = np.tile(1 / body.youngs_modulus, len(corners))
    shape = (len(body.vertices),) * 2
    graph = sparse.csr_matrix((compliance, (rows, columns)), shape=shape)  # adds up what is repeated
    counts = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
    ends = np.repeat(np.arange(shape[0]), np.diff(graph.indptr))
    lengths = np.linalg.norm(body.vertices[ends] - body.vertices[graph.indices], axis=1)
    graph.data *= lengths / counts.data
    return graph


def first_vertex(body):
    """The vertex of smallest first coordinate."""
    extent = np.linalg.norm(np.ptp(body.vertices, axis=0))
    return int(np.flatnonzero(body.vertices[:, 0] <= body.vertices[:, 0].min() + TIE * extent)[0])


def farthest_points(graph, first, count):
    """`count` full runs."""
    nodes, distances = [first], dijkstra(graph, indices=first)
    while len(nodes) < count:
        nodes.append(int(np.flatnonzero(distances >= distances.max() * (1 - TIE))[0]))
        distances = np.minimum(distances, dijkstra(graph, indices=nodes[-1]))
    return nodes


def labels_by_full_runs(graph, nodes):
    """The nearest node of every vertex from one full run for each node, ties to the first."""
    distances = dijkstra(graph, indices=nodes)
    return np.argmax(distances <= distances.min(axis=0) * (1 + TIE), axis=0)


def labels_by_one_run(graph, nodes):
    """The same from SciPy's own run with many sources; ties go where the last bit says."""
    _, _, sources = dijkstra(graph, indices=nodes, min_only=True, return_predecessors=True)
    places = np.empty(graph.shape[0], int)
    places[nodes] = np.arange(len(nodes))
    return places[sources]


def lloyd_pass(body, labels, count):
    """For each node the member nearest the Euclidean mean of its members, ties to the first."""
    members = np.bincount(labels, minlength=count)
    sums = [np.bincount(labels, weights=body.vertices[:, axis], minlength=count) for axis in range(3)]
    distances = np.linalg.norm(body.vertices - (np.array(sums) / members).T[labels], axis=1)
    radii = np.full(count, np.inf)
    np.minimum.at(radii, labels, distances)
    candidates = np.flatnonzero(distances <= radii[labels] * (1 + TIE))
    _, places = np.unique(labels[candidates], return_index=True)
    return candidates[places].tolist()


def sample(body, graph, nodes, passes, labels_of):
    """At most `passes` Lloyd passes; returns the nodes and how many passes there were."""
    for done in range(passes):
        moved = lloyd_pass(body, labels_of(graph, nodes), len(nodes))
        if moved == nodes:
            return nodes, done + 1
        nodes = moved
    return nodes, passes


def voronoi_weights(graph, nodes):
    """w_a = max(0, 1 - d_a / max(r_a, d1 + d2)), rows divided by their sums; from one full run for each node."""
    distances = dijkstra(graph, indices=nodes)
    among = distances[:, nodes].copy()
    np.fill_diagonal(among, np.inf)
    spacing = among.min(axis=1)
    parts = []
    for start in range(0, graph.shape[0], ROWS):
        part = distances[:, start : start + ROWS].T
        nearest = np.partition(part, 1, axis=1)[:, :2].sum(axis=1)
        values = np.maximum(0, 1 - part / np.maximum(spacing, nearest[:, None]))
        values /= values.sum(axis=1, keepdims=True)
        values[values <= 1e-9] = 0
        values /= values.sum(axis=1, keepdims=True)
        parts.append(sparse.csr_matrix(values))
    return sparse.vstack(parts, format="csr")
