"""Has gmsh, meshio and VTK read what Pliant writes. usage: read_back.py PLIANT DIRECTORY"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

pliant, directory = sys.argv[1:]
wrong = 0


def volume(points, cells):
    points = np.asarray(points, float)
    if cells.shape[1] == 3:
        edges = points[cells[:, 1:]] - points[cells[:, :1]]
        return float(np.sum(edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]) / 2)
    return float(np.sum(np.linalg.det(points[cells[:, 1:]] - points[cells[:, :1]])) / 6)


def expect(what, found, wanted):
    global wrong
    if found != wanted:
        print(what, found, "instead of", wanted)
        wrong += 1


def by_meshio(path, kind):
    import meshio

    mesh = meshio.read(path)
    cells = np.vstack([block.data for block in mesh.cells if block.type == kind])
    names = ("region", "gmsh:physical", "medit:ref", "tetgen:ref")
    labels = next((mesh.cell_data[name] for name in names if name in mesh.cell_data), [])
    labels = [part for part, block in zip(labels, mesh.cells) if block.type == kind]
    return round(volume(mesh.points, cells), 9), sorted(np.unique(np.concatenate(labels)).tolist())


def by_vtk(path, kind):
    import pyvista

    grid = pyvista.read(path)
    cells = grid.cells.reshape(-1, 4 if kind == "triangle" else 5)[:, 1:]
    return round(volume(grid.points, cells), 9), sorted(np.unique(grid.cell_data["region"]).tolist())


def by_gmsh(path, kind):
    import gmsh

    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.open(str(path))
    tags, points, _ = gmsh.model.mesh.getNodes()
    index = {tag: row for row, tag in enumerate(tags)}
    _, nodes = gmsh.model.mesh.getElementsByType(2 if kind == "triangle" else 4)
    cells = np.array([index[node] for node in nodes]).reshape(-1, 3 if kind == "triangle" else 4)
    dimension = 2 if kind == "triangle" else 3
    groups = sorted(group for _, group in gmsh.model.getPhysicalGroups(dimension))
    found = round(volume(np.reshape(points, (-1, 3)), cells), 9), groups
    gmsh.finalize()
    return found


readers = {
    "2.2.msh": [by_meshio, by_gmsh], "4.1.msh": [by_meshio, by_gmsh], "2.2b.msh": [by_meshio, by_gmsh], "4.1b.msh": [by_meshio, by_gmsh],
    "a.vtu": [by_meshio, by_vtk], "a.vtk": [by_meshio, by_vtk], "a.mesh": [by_meshio], "a.node": [by_meshio],
}
formats = {"2.2.msh": "ascii-2.2", "2.2b.msh": "binary-2.2", "4.1.msh": "ascii-4.1", "4.1b.msh": "binary-4.1"}
sources = [(Path(directory) / "box-meshio-2.2-ascii.msh", "tetra"), (Path(directory) / "strip-meshio-2.2-ascii.msh", "triangle")]
done = 0
with tempfile.TemporaryDirectory() as scratch:
    for source, kind in sources:
        for name, tools in readers.items():
            if kind == "triangle" and name == "a.node":
                continue  # meshio's TetGen has solids only.
            path = Path(scratch) / name
            options = ["--msh-format", formats[name]] if name in formats else []
            subprocess.run([pliant, "convert", source, path, *options], check=True, capture_output=True)
            for tool in tools:
                try:
                    found = tool(path, kind)
                except ImportError as error:
                    print(f"skipped {tool.__name__}: {error}")
                    continue
                expect(f"{kind} {name} {tool.__name__}", found, (2.0, [1, 2]))
                done += 1
        # NumPy's own reader.
        path = Path(scratch) / "a.npz"
        subprocess.run([pliant, "convert", source, path], check=True, capture_output=True)
        arrays = np.load(path)
        found = round(volume(arrays["vertices"], arrays["cells"]), 9), list(arrays["region_names"])
        expect(f"{kind} npz", found, (2.0, ["bone", "flesh"]))
        expect(f"{kind} npz", np.unique(arrays["region"]).tolist(), [0, 1])
        done += 1
print(f"{done} files of Pliant read by other tools, {wrong} differences")
sys.exit(wrong > 0)
