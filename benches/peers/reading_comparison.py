"""Reading Gmsh and VTK files of a box of tetrahedra against meshio (`meshio.read`) and gmsh (`gmsh.open`).

Every round reads a file once with each program, pliant in a fresh process; the best round of each counts, in processor seconds of one thread. Reading in pliant
includes every check, volumes and the search for repeated cells; meshio checks nothing. The remark says what reading the bytes alone and `wc -l` take.
"""

import contextlib
import io
import resource
import time

import meshio

from stages import best, checked, stage

FORMATS = (("Gmsh 2.2 text", "msh", "ascii-2.2"), ("Gmsh 4.1 text", "msh", "ascii-4.1"),
           ("Gmsh 2.2 binary", "msh", "binary-2.2"), ("Gmsh 4.1 binary", "msh", "binary-4.1"),
           ("VTK XML", "vtu", None), ("VTK legacy", "vtk", None))  # fmt: skip


def compare(setting):
    """One row a file and program; the quick way is a small box, twice."""
    cells_along, rounds = (12, 2) if setting.quick else (55, 3)
    gmsh = load_gmsh()
    details = []
    for name, extension, encoding in FORMATS:
        path = setting.directory / f"box-{encoding}.{extension}"
        counts = ",".join([str(cells_along)] * 3)
        command = [setting.pliant, "mesh", "box", "--max", "1,1,1", "--counts", counts, "-o", path]
        checked(command + (["--msh-format", encoding] if encoding else []))
        readers = {"its bytes": path.read_bytes, "wc -l": lambda: checked(["wc", "-l", path]), "meshio": lambda: meshio.read(path)}
        if gmsh and extension == "msh":
            readers["gmsh"] = lambda: open_with(gmsh, path)
        record = {"file": name, "bytes": path.stat().st_size, "pliant": float("inf")}
        record |= {reader: float("inf") for reader in readers}
        for _ in range(rounds):
            ours = stage(setting, "read", path)
            record |= {"pliant": min(record["pliant"], best(ours)), "cells": ours["cells"]}
            for reader, read in readers.items():
                record[reader] = min(record[reader], seconds_of(read))
        path.unlink()
        details.append(record)
    missing = "" if gmsh else "gmsh cannot be loaded here (on Debian: apt-get install libglu1-mesa libxcursor1 libxinerama1 libxft2)"
    return {"rows": [row for record in details for row in rows_of(record)], "details": details, "text": missing}


def load_gmsh():
    """The module, or nothing where its shared libraries are missing."""
    try:
        import gmsh
    except (ImportError, OSError):
        return None
    gmsh.initialize(interruptible=False)
    gmsh.option.setNumber("General.Terminal", 0)
    return gmsh


def open_with(gmsh, path):
    gmsh.open(str(path))
    gmsh.clear()


def seconds_of(read):
    with contextlib.redirect_stdout(io.StringIO()):  # meshio talks
        begun = processor_seconds()
        read()
        return processor_seconds() - begun


def processor_seconds():
    """Of this process and of those that it waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def rows_of(record):
    for reader in ("meshio", "gmsh"):
        if reader in record:
            yield {
                "case": f"{record['file']}, {reader}", "size": f"{record['cells']} cells",
                "pliant": record["pliant"], "peer": record[reader], "note": f"{record['bytes'] / 1e6:.0f} MB, its bytes {record['its bytes']:.3f} s, wc -l {record['wc -l']:.3f} s",
            }
