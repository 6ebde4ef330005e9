//! Reading mesh files of a million tetrahedra, with the plain reading of their bytes and lines beside it.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use pliant::mesh::{BoxOptions, MshVersion, Resolution, WriteOptions, box_mesh, read_mesh, write_mesh};

/// Cubes along each edge of the box; six tetrahedra in each.
const SIDE: usize = 55;

fn reading(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("there is room for temporary files");
    let options = BoxOptions { resolution: Resolution::Counts([SIDE; 3]), ..BoxOptions::default() };
    let mesh = box_mesh(&options).expect("a box");
    let mut group = criterion.benchmark_group("read a million tetrahedra");
    group.sample_size(10);
    let files = [
        ("a.msh", MshVersion::Ascii22),
        ("b.msh", MshVersion::Binary22),
        ("c.msh", MshVersion::Ascii41),
        ("d.msh", MshVersion::Binary41),
        ("e.vtu", MshVersion::default()),
        ("f.vtk", MshVersion::default()),
        ("g.npz", MshVersion::default()),
        ("h.mesh", MshVersion::default()),
        ("i.meshb", MshVersion::default()),
    ];
    for (name, msh_version) in files {
        let path = directory.path().join(name);
        write_mesh(&path, &mesh, &[], &WriteOptions { msh_version }).expect("the mesh is written");
        let format = read_mesh(&path).expect("the mesh is read").format;
        group.bench_function(&format, |bencher| bencher.iter(|| read_mesh(black_box(&path))));
        group.bench_function(format!("{format}, lines"), |bencher| bencher.iter(|| lines(black_box(&path))));
    }
}

/// What `wc -l` does.
fn lines(path: &Path) -> usize {
    let bytes = std::fs::read(path).expect("the file is there");
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

criterion_group!(benches, reading);
criterion_main!(benches);
