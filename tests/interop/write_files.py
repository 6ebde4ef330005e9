"""Writes one body in every format and variant that gmsh, meshio, VTK, TetGen, fTetWild and NumPy know.

`box-*`: 2 x 1 x 1, `bone` or 1 where x < 1, `flesh` or 2 elsewhere. `strip-*`: the same in the plane, 2 x 1. With `whole` in the
name: one region. `voxels-*`: the box as 4 x 2 x 2 voxels of half a metre.
usage: write_files.py DIRECTORY
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

OUT = Path(sys.argv[1]).resolve()


def with_gmsh():
    import gmsh

    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)

    def save(name, version=None, binary=0):
        if version:
            gmsh.option.setNumber("Mesh.MshFileVersion", version)
        gmsh.option.setNumber("Mesh.Binary", binary)
        gmsh.write(str(OUT / name))

    def two_boxes(structured=False):
        gmsh.clear()
        occ = gmsh.model.occ
        occ.addBox(0, 0, 0, 1, 1, 1)
        occ.addBox(1, 0, 0, 1, 1, 1)
        occ.fragment([(3, 1)], [(3, 2)])
        occ.synchronize()
        gmsh.model.addPhysicalGroup(3, [1], 11, "bone")
        gmsh.model.addPhysicalGroup(3, [2], 12, "flesh")
        held = [s for d, s in gmsh.model.getEntities(2) if gmsh.model.getBoundingBox(d, s)[3] < 1e-3]
        gmsh.model.addPhysicalGroup(2, held, 21, "held")
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.6)
        gmsh.option.setNumber("Mesh.MeshSizeMax", 0.6)
        if structured:
            for _, curve in gmsh.model.getEntities(1):
                gmsh.model.mesh.setTransfiniteCurve(curve, 3)
            for _, surface in gmsh.model.getEntities(2):
                gmsh.model.mesh.setTransfiniteSurface(surface)
                gmsh.model.mesh.setRecombine(2, surface)
            for _, volume in gmsh.model.getEntities(3):
                gmsh.model.mesh.setTransfiniteVolume(volume)
        gmsh.model.mesh.generate(3)

    two_boxes()
    save("box-gmsh-1.msh", 1)
    save("box-gmsh-2.2-ascii.msh", 2.2)
    save("box-gmsh-2.2-binary.msh", 2.2, 1)
    save("box-gmsh-4.0-ascii.msh", 4.0)
    save("box-gmsh-4.1-ascii.msh", 4.1)
    save("box-gmsh-4.1-binary.msh", 4.1, 1)
    save("box-gmsh.vtk")
    save("box-gmsh-binary.vtk", binary=1)
    save("box-gmsh.mesh")
    gmsh.option.setNumber("Mesh.SaveGroupsOfElements", -1111)
    save("box-gmsh.inp")
    gmsh.model.mesh.partition(2)
    save("box-gmsh-4.1-partitioned.msh", 4.1)
    save("box-gmsh-4.1-partitioned-binary.msh", 4.1, 1)
    save("box-gmsh-2.2-partitioned.msh", 2.2)
    two_boxes()
    gmsh.model.mesh.setOrder(2)
    save("box-gmsh-4.1-quadratic.msh", 4.1)
    save("box-gmsh-2.2-quadratic.msh", 2.2)
    save("box-gmsh-quadratic.inp")
    two_boxes(structured=True)
    save("box-gmsh-4.1-hexahedra.msh", 4.1)
    save("box-gmsh-4.0-hexahedra.msh", 4.0)
    save("box-gmsh-hexahedra.vtk")
    save("box-gmsh-hexahedra.mesh")
    save("box-gmsh-hexahedra.inp")
    # In the plane, with a quadrangle and a triangle mesh; formats without groups hold the whole.
    for structured, kind in ((False, "triangles"), (True, "quadrangles")):
        gmsh.clear()
        occ = gmsh.model.occ
        occ.addRectangle(0, 0, 0, 1, 1)
        occ.addRectangle(1, 0, 0, 1, 1)
        occ.fragment([(2, 1)], [(2, 2)])
        occ.synchronize()
        gmsh.model.addPhysicalGroup(2, [1], 11, "bone")
        gmsh.model.addPhysicalGroup(2, [2], 12, "flesh")
        if structured:
            for _, curve in gmsh.model.getEntities(1):
                gmsh.model.mesh.setTransfiniteCurve(curve, 3)
            for _, surface in gmsh.model.getEntities(2):
                gmsh.model.mesh.setTransfiniteSurface(surface)
                gmsh.model.mesh.setRecombine(2, surface)
        gmsh.model.mesh.generate(2)
        save(f"strip-gmsh-{kind}-1.msh", 1)
        save(f"strip-gmsh-{kind}-2.2-ascii.msh", 2.2)
        save(f"strip-gmsh-{kind}-4.1-binary.msh", 4.1, 1)
        save(f"strip-gmsh-{kind}.vtk")
        save(f"strip-gmsh-{kind}.mesh")
        save(f"strip-gmsh-{kind}.inp")
        for binary in (0, 1):
            save(f"strip-gmsh-{kind}-whole-{'binary' if binary else 'ascii'}.stl", binary=binary)
    gmsh.finalize()


def mixed_box():
    """A hexahedron, two prisms, six pyramids around a centre and six tetrahedra, conforming, as meshio has them."""
    grid = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 0.5, 1, 1.5, 2)], float)
    points = np.vstack([grid, [[1.25, 0.5, 0.5], [1.75, 0.5, 0.5]]])

    def brick(i):
        return [i, i + 1, i + 6, i + 5, i + 10, i + 11, i + 16, i + 15]

    a, b, c, d = (brick(i) for i in range(4))
    # Halves side by side: the square face between them is a face of both.
    prisms = [[b[0], b[1], b[4], b[3], b[2], b[7]], [b[1], b[5], b[4], b[2], b[6], b[7]]]
    faces = [[0, 1, 2, 3], [4, 7, 6, 5], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
    around = lambda cell, centre: [[cell[k] for k in face] + [centre] for face in faces]
    return points, [
        ("hexahedron", np.array([a]), 1),
        ("wedge", np.array(prisms), 1),
        ("pyramid", np.array(around(c, 20)), 2),
        ("pyramid", np.array(around(d, 21)), 2),
        ("quad", np.array([[a[0], a[3], a[7], a[4]]]), 7),
    ]


def strip():
    points = np.array([[x, y, 0.0] for y in (0, 0.5, 1) for x in (0, 0.5, 1, 1.5, 2)])
    quads = [[i + 5 * j, i + 1 + 5 * j, i + 6 + 5 * j, i + 5 + 5 * j] for j in (0, 1) for i in range(4)]
    left = [q for q in quads if q[0] % 5 < 2]
    right = [t for q in quads if q[0] % 5 >= 2 for t in ([q[0], q[1], q[2]], [q[0], q[2], q[3]])]
    return points, [("quad", np.array(left), 1), ("triangle", np.array(right), 2)]


def with_meshio():
    import meshio

    for name, (points, blocks) in (("box", mixed_box()), ("strip", strip())):
        cells = [(kind, nodes) for kind, nodes, _ in blocks]
        labels = [np.full(len(nodes), number) for _, nodes, number in blocks]
        modulus = [np.full(len(nodes), 1e6 if number == 1 else 1e3) for _, nodes, number in blocks]

        def write(file, label, form, cells=cells, data=True, **options):
            arrays = {label: labels, **({"E": modulus} if data else {})}
            points_data = {"height": points[:, 1].copy()} if data else {}
            mesh = meshio.Mesh(points, cells, cell_data=arrays, point_data=points_data)
            if form == "gmsh":
                mesh.cell_data["gmsh:geometrical"] = [part.copy() for part in labels]
                mesh.field_data = {"bone": np.array([1, 3 if name == "box" else 2]), "flesh": np.array([2, 3 if name == "box" else 2])}
            meshio.write(OUT / f"{name}-meshio-{file}", mesh, file_format=options.pop("file_format", form), **options)

        for binary in (False, True):
            kind = "binary" if binary else "ascii"
            # As text, meshio 5.3.5 writes the values of arrays as `np.float64(1.0)`.
            write(f"2.2-{kind}.msh", "gmsh:physical", "gmsh", file_format="gmsh22", binary=binary, data=binary)
            write(f"4.2-{kind}.vtk", "region", "vtk42", binary=binary)
            write(f"5.1-{kind}.vtk", "material", "vtk51", binary=binary)
            write(f"{kind}.vtu", "region", "vtu", binary=binary, compression=None)
        write("zlib.vtu", "region", "vtu", binary=True, compression="zlib")
        write("ascii.mesh", "medit:ref", "medit", data=False)
        if name == "box":
            write("binary.meshb", "medit:ref", "medit", data=False)
        if name == "strip":
            write("whole.inp", "region", "abaqus", data=False)
            fan = np.vstack([[[q[0], q[1], q[2]], [q[0], q[2], q[3]]] for q in blocks[0][1]] + [blocks[1][1]])
            flat = meshio.Mesh(points, [("triangle", fan)])
            for form in ("obj", "off", "stl", "ply"):
                for binary in (False, True) if form in ("stl", "ply") else (None,):
                    options = {} if binary is None else {"binary": binary}
                    kind = {None: "", False: "-ascii", True: "-binary"}[binary]
                    meshio.write(OUT / f"strip-meshio-whole{kind}.{form}", flat, **options)
            labels = np.array([0] * 8 + [1] * 8)
            for array, values in (("V", points[:, :2]), ("F", fan), ("region", labels), ("region_names", np.array(["bone", "flesh"]))):
                np.save(OUT / f"strip-numpy-{array}.npy", np.asfortranarray(values))
        np.savez_compressed(
            OUT / f"{name}-numpy.npz",
            V=points if name == "box" else points[:, :2],
            **({"T": blocks[0][1]} if name == "box" else {"F": np.vstack([[[q[0], q[1], q[2]], [q[0], q[2], q[3]]] for q in blocks[0][1]] + [blocks[1][1]])}),
            region=[0] * (1 if name == "box" else 8) + [1] * (0 if name == "box" else 8),
            region_names=np.array(["bone", "flesh"]),
        )


def with_vtk():
    import pyvista
    import vtk

    for name in ("box", "strip"):
        grid = pyvista.read(OUT / f"{name}-meshio-4.2-binary.vtk")
        grid.field_data["bone"] = [1, 3 if name == "box" else 2]
        for version in (42, 51):
            for binary in (0, 1):
                writer = vtk.vtkUnstructuredGridWriter()
                writer.SetInputData(grid)
                writer.SetFileVersion(version)
                writer.SetFileName(str(OUT / f"{name}-vtk-{version}-{'binary' if binary else 'ascii'}.vtk"))
                (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
                writer.Write()
        variants = [
            ("Appended", "None", 0, 32, 0), ("Appended", "None", 1, 64, 0), ("Appended", "ZLib", 0, 64, 0),
            ("Appended", "ZLib", 1, 32, 1), ("Binary", "ZLib", 1, 64, 0), ("Binary", "LZ4", 1, 64, 0), ("Appended", "LZ4", 0, 32, 1), ("Binary", "None", 1, 32, 1), ("Ascii", "None", 1, 32, 0),
        ]
        for mode, compressor, base64, header, big in variants:
            writer = vtk.vtkXMLUnstructuredGridWriter()
            writer.SetInputData(grid)
            words = [mode, compressor, "base64" if base64 else "raw", str(header), "big" if big else "little"]
            writer.SetFileName(str(OUT / f"{name}-vtk-{'-'.join(words).lower()}.vtu"))
            getattr(writer, f"SetDataModeTo{mode}")()
            getattr(writer, f"SetCompressorTypeTo{compressor}")()
            writer.SetEncodeAppendedData(base64)
            getattr(writer, f"SetHeaderTypeToUInt{header}")()
            (writer.SetByteOrderToBigEndian if big else writer.SetByteOrderToLittleEndian)()
            writer.Write()
    flat = pyvista.read(OUT / "strip-meshio-4.2-binary.vtk").extract_surface(algorithm=None)
    for form in ("ply", "stl", "obj"):
        for binary in (False, True) if form != "obj" else (False,):
            flat.triangulate().save(OUT / f"strip-vtk-whole-{'binary' if binary else 'ascii'}.{form}", binary=binary)
    voxels = vtk.vtkImageData()
    voxels.SetDimensions(4, 2, 2)
    voxels.SetSpacing(0.5, 0.5, 0.5)
    voxels.SetOrigin(0.25, 0.25, 0.25)
    voxels.AllocateScalars(vtk.VTK_SHORT, 1)
    for x in range(4):
        for y in range(2):
            for z in range(2):
                voxels.SetScalarComponentFromDouble(x, y, z, 0, 1 + x // 2)
    for file, writer in (("mha", vtk.vtkMetaImageWriter()), ("mhd", vtk.vtkMetaImageWriter()), ("nii", vtk.vtkNIFTIImageWriter()), ("nii.gz", vtk.vtkNIFTIImageWriter())):
        writer.SetInputData(voxels)
        writer.SetFileName(str(OUT / f"voxels-vtk.{file}"))
        writer.Write()
    writer = vtk.vtkNIFTIImageWriter()
    writer.SetInputData(voxels)
    writer.SetNIFTIVersion(2)
    writer.SetFileName(str(OUT / "voxels-vtk-2.nii"))
    writer.Write()


def two_box_surface():
    """The boundary of both boxes and the square between them, as triangles."""
    import pyvista

    points = [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1, 2)]
    squares = [[0, 1, 4, 3], [1, 2, 5, 4], [6, 9, 10, 7], [7, 10, 11, 8], [0, 6, 7, 1], [1, 7, 8, 2], [3, 4, 10, 9], [4, 5, 11, 10]]
    ends, between = [[0, 3, 9, 6], [2, 8, 11, 5]], [[1, 4, 10, 7]]
    triangles = lambda squares: np.array([t for q in squares for t in ([q[0], q[1], q[2]], [q[0], q[2], q[3]])])
    surface = lambda squares: pyvista.PolyData.from_regular_faces(np.array(points, float), triangles(squares))
    return surface(squares + ends + between), surface(squares + ends)


def with_tetgen():
    import meshio
    import pyvista
    import tetgen

    mesher = tetgen.TetGen(two_box_surface()[0])
    mesher.add_region(1, (0.5, 0.5, 0.5))
    mesher.add_region(2, (1.5, 0.5, 0.5))
    nodes, cells, labels, _ = mesher.tetrahedralize(regionattrib=True, quality=True, maxvolume=0.1)
    grid = mesher.grid
    grid.cell_data.clear()
    grid.cell_data["region"] = np.ravel(labels).astype(int)
    for binary in (False, True):
        grid.save(OUT / f"box-tetgen-{'binary' if binary else 'ascii'}.vtk", binary=binary)
    grid.save(OUT / "box-tetgen.vtu")
    np.savez(OUT / "box-tetgen-numpy.npz", points=nodes, elements=cells, region=np.ravel(labels).astype(int))
    data = {"tetgen:ref": [np.ravel(labels).astype(int)]}
    meshio.write(OUT / "box-tetgen.node", meshio.Mesh(nodes, [("tetra", cells)], cell_data=data))
    quadratic = tetgen.TetGen(two_box_surface()[1])
    quadratic.tetrahedralize(order=2, quality=True)
    quadratic.grid.save(OUT / "box-tetgen-quadratic-whole.vtu")


def with_fTetWild():
    import meshio
    import pytetwild
    import pyvista

    grid = pytetwild.tetrahedralize_pv(two_box_surface()[1], edge_length_fac=0.6, num_threads=1)
    grid.save(OUT / "box-fTetWild-whole.vtu")
    nodes, cells = np.asarray(grid.points, float), grid.cells.reshape(-1, 5)[:, 1:]
    meshio.write(OUT / "box-fTetWild-whole.msh", meshio.Mesh(nodes, [("tetra", cells)]), file_format="gmsh22", binary=True)
    np.savez_compressed(OUT / "box-fTetWild-whole.npz", V=nodes, T=cells)


# fTetWild leaves a file where it runs.
os.chdir(tempfile.mkdtemp())
for make in (with_gmsh, with_meshio, with_vtk, with_tetgen, with_fTetWild):
    try:
        make()
    except (ImportError, OSError) as error:
        print(f"skipped {make.__name__}: {error}")
