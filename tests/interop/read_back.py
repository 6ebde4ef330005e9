"""Has gmsh, meshio, VTK, TetGen, fTetWild and NumPy read what Pliant writes. usage: read_back.py PLIANT DIRECTORY"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

pliant, directory = map(os.path.abspath, sys.argv[1:])
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


def by_gmsh(path, kind, keep=False):
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
    if not keep:
        gmsh.finalize()
    return found


def by_gmsh_medit(path, kind):
    """Gmsh takes references for elementary entities."""
    import gmsh

    found, _ = by_gmsh(path, kind, keep=True)
    entities = sorted(tag for _, tag in gmsh.model.getEntities(2 if kind == "triangle" else 3))
    gmsh.finalize()
    return found, entities


def by_series(pvd):
    """The number of times, and for each block its name and the numbers of its points."""
    import pyvista

    reader = pyvista.PVDReader(pvd)
    blocks = []
    for time in reader.time_values:
        reader.set_active_time_value(time)
        shapes = reader.read()
        blocks += [shape.n_points for shape in shapes if "displacement" in shape.point_data]
    return len(reader.time_values), blocks


def by_tetgen(surface, field):
    import pyvista
    import tetgen

    nodes, cells, *_ = tetgen.TetGen(pyvista.read(surface)).tetrahedralize(quality=True)
    return abs(volume(nodes, cells))


def by_fTetWild(surface, field):
    import pytetwild
    import pyvista

    sizes = pyvista.read(field)
    sizes.point_data["size"] = np.full(sizes.n_points, 0.5)
    grid = pytetwild.tetrahedralize_pv(pyvista.read(surface), edge_length_fac=0.5, sizing_field=sizes, sizing_field_scalars="size")
    return abs(volume(grid.points, grid.cells.reshape(-1, 5)[:, 1:]))


readers = {
    "2.2.msh": [by_meshio, by_gmsh], "4.1.msh": [by_meshio, by_gmsh], "2.2b.msh": [by_meshio, by_gmsh], "4.1b.msh": [by_meshio, by_gmsh],
    "a.vtu": [by_meshio, by_vtk], "a.vtk": [by_meshio, by_vtk], "a.mesh": [by_meshio, by_gmsh_medit], "a.meshb": [by_meshio],
    "a.node": [by_meshio],
}
formats = {"2.2.msh": "ascii-2.2", "2.2b.msh": "binary-2.2", "4.1.msh": "ascii-4.1", "4.1b.msh": "binary-4.1"}
sources = [(Path(directory) / "box-meshio-2.2-ascii.msh", "tetra"), (Path(directory) / "strip-meshio-2.2-ascii.msh", "triangle")]
done = 0
scene = Path("data/scenes/tentacle2d.toml").resolve()
with tempfile.TemporaryDirectory() as scratch:
    # fTetWild leaves a file where it runs.
    os.chdir(scratch)
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
    # The mesher of each takes the boundary that Pliant writes; fTetWild takes a mesh as its field of sizes too.
    surface, field = Path(scratch) / "a.obj", Path(scratch) / "a.vtu"
    for path in (surface, field):
        subprocess.run([pliant, "convert", sources[0][0], path], check=True, capture_output=True)
    for tool in (by_tetgen, by_fTetWild):
        try:
            expect(f"surface {tool.__name__}", round(tool(surface, field), 2), 2.0)
            done += 1
        except ImportError as error:
            print(f"skipped {tool.__name__}: {error}")
    # A sweep and a swing as the series that ParaView's own reader sees.
    for command, options, times, count in (
        ("sweep", ["--frames", "3,6", "--methods", "hrpd,anchored"], 2, 6),
        ("swing", ["--set", "swing.steps=5", "--set", 'subspaces=[{ method = "hrpd", frames = 6 }]'], 5, 10),
    ):
        subprocess.run([pliant, command, scene, *options, "--out", scratch], check=True, capture_output=True)
        try:
            found, blocks = by_series(Path(scratch) / f"{command}.pvd")
            expect(command, (found, len(blocks), set(blocks)), (times, count, {1091}))
            done += 1
        except ImportError as error:
            print(f"skipped the series of {command}: {error}")
print(f"{done} files of Pliant read by other tools, {wrong} differences")
sys.exit(wrong > 0)
