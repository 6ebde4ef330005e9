use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use proptest::prelude::*;

use super::read_voxels::{finish, parse_voxels};
use super::{VoxelGrid, VoxelMesh, VoxelMeshOptions, VoxelOptions, VoxelVolume, mesh_voxels, read_voxels};
use crate::{LengthUnit, MeshError, MeshQuality};

const COUNTS: [usize; 3] = [4, 3, 2];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn shorts(big: bool) -> Vec<u8> {
    (0..24i16).flat_map(|value| if big { value.to_be_bytes() } else { value.to_le_bytes() }).collect()
}

/// A NIfTI-1 header and the numbers 0 to 23, voxels of 2 x 3 x 4 mm from (10, 20, 30).
fn nifti(big: bool) -> Vec<u8> {
    let mut bytes = vec![0; 352];
    let short = |value: i16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let float = |value: f32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, &if big { 348i32.to_be_bytes() } else { 348i32.to_le_bytes() });
    for (place, value) in [3, 4, 3, 2, 1, 1, 1, 1].into_iter().enumerate() {
        put(40 + 2 * place, &short(value));
    }
    put(70, &short(4));
    put(108, &float(352.0));
    put(123, &[2]);
    put(254, &short(1));
    for axis in 0..3 {
        put(280 + 20 * axis, &float([2.0, 3.0, 4.0][axis]));
        put(292 + 16 * axis, &float([10.0, 20.0, 30.0][axis]));
    }
    put(344, b"n+1\0");
    bytes.extend(shorts(big));
    bytes
}

/// The same as NIfTI-2.
fn nifti_2(big: bool) -> Vec<u8> {
    let mut bytes = vec![0; 544];
    let int = |value: i32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let long = |value: i64| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let double = |value: f64| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, &int(540));
    put(4, b"n+2\0\r\n\x1a\n");
    put(12, &if big { 4i16.to_be_bytes() } else { 4i16.to_le_bytes() });
    for (place, value) in [3, 4, 3, 2, 1, 1, 1, 1].into_iter().enumerate() {
        put(16 + 8 * place, &long(value));
    }
    put(168, &long(544));
    // The qform, no rotation; its steps are the sizes of the voxels.
    put(344, &int(1));
    for axis in 0..3 {
        put(104 + 8 * (axis + 1), &double([2.0, 3.0, 4.0][axis]));
        put(376 + 8 * axis, &double([10.0, 20.0, 30.0][axis]));
    }
    put(500, &int(2));
    bytes.extend(shorts(big));
    bytes
}

/// The same numbers in every format that is one file.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let nrrd = |rest: &str| {
        format!(
            "NRRD0004\n# made by hand\ntype: short\ndimension: 3\nsizes: 4 3 2\nspace: left-posterior-superior\n{rest}\
             space units: \"mm\" \"mm\" \"mm\"\nspace origin: (10,20,30)\nname:=a value\n\n"
        )
        .into_bytes()
    };
    let directions = "space directions: (2,0,0) (0,3,0) (0,0,4)\n";
    let meta = |rest: &str| {
        format!(
            "ObjectType = Image\nNDims = 3\n{rest}Offset = 10 20 30\nElementSpacing = 2 3 4\nDimSize = 4 3 2\n\
             ElementType = MET_SHORT\nElementDataFile = LOCAL\n"
        )
        .into_bytes()
    };
    vec![
        ("raw.nrrd", [nrrd(&format!("{directions}encoding: raw\nendian: big\n")), shorts(true)].concat()),
        (
            "gzip.nrrd",
            [nrrd(&format!("{directions}encoding: gzip\nendian: little\n")), gzip(&shorts(false))].concat(),
        ),
        ("raw.mha", [meta("BinaryDataByteOrderMSB = True\n"), shorts(true)].concat()),
        ("zlib.mha", [meta("CompressedData = True\n"), zlib(&shorts(false))].concat()),
        ("little.nii", nifti(false)),
        ("big.nii", nifti(true)),
        ("packed.nii.gz", gzip(&nifti(false))),
        ("little-2.nii", nifti_2(false)),
        ("big-2.nii", nifti_2(true)),
        ("packed-2.nii.gz", gzip(&nifti_2(false))),
    ]
}

fn parse(name: &str, bytes: &[u8]) -> Result<VoxelVolume, MeshError> {
    let options = VoxelOptions { unit: Some(LengthUnit::Millimetre), ..VoxelOptions::default() };
    Ok(finish(Path::new(name), parse_voxels(Path::new(name), bytes)?, &options)?.0)
}

#[test]
fn every_format_gives_the_same_values_at_the_same_places() {
    let grid = VoxelGrid {
        counts: COUNTS,
        origin: [0.01, 0.02, 0.03],
        steps: [[0.002, 0.0, 0.0], [0.0, 0.003, 0.0], [0.0, 0.0, 0.004]],
    };
    for (name, bytes) in files() {
        let volume = parse(name, &bytes).unwrap();
        assert_eq!(volume.values(), (0..24).map(|value| value as f32).collect::<Vec<_>>(), "{name}");
        assert_eq!(volume.grid(), &grid, "{name}");
    }
}

#[test]
fn values_beside_the_header_and_stacks_of_images_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(directory.path().join(name), bytes).unwrap();
    write("a.raw", &shorts(false));
    write("a.mhd", b"NDims = 3\nDimSize = 4 3 2\nElementType = MET_SHORT\nElementDataFile = a.raw\n");
    write("a.nhdr", b"NRRD0004\ntype: int16\ndimension: 3\nsizes: 4 3 2\nencoding: raw\ndata file: a.raw\n");
    let images = directory.path().join("stack");
    std::fs::create_dir(&images).unwrap();
    // Four bits a pixel, the second layer with a name that sorts first as text.
    for (name, first) in [("layer2.png", 0u8), ("layer10.png", 12)] {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 4, 3);
        encoder.set_depth(png::BitDepth::Four);
        encoder.set_color(png::ColorType::Grayscale);
        let pixel = |pixel: u8| (first + pixel) % 16;
        let pixels: Vec<u8> = (0..6).map(|byte| pixel(2 * byte) << 4 | pixel(2 * byte + 1)).collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        std::fs::write(images.join(name), bytes).unwrap();
    }
    let options = VoxelOptions { spacing: Some([1.0, 2.0, 3.0]), ..VoxelOptions::default() };
    for (name, modulus) in [("a.mhd", 24), ("a.nhdr", 24), ("stack", 16)] {
        let (volume, _) = read_voxels(directory.path().join(name), &options).unwrap();
        assert_eq!(
            volume.values(),
            (0..24).map(|value| (value % modulus) as f32).collect::<Vec<_>>(),
            "{name}"
        );
        assert_eq!((volume.grid().counts, volume.voxel_volume()), (COUNTS, 6.0), "{name}");
    }
    write("a.raw", &shorts(false)[1..]);
    let message = read_voxels(directory.path().join("a.mhd"), &options).unwrap_err().to_string();
    assert!(
        message.contains("a.raw, byte 0: 4 x 3 x 2 values should follow, but there are 47 bytes"),
        "{message}"
    );
}

#[test]
fn faults_name_the_line_or_the_byte() {
    let nrrd = |text: &str| ("a.nrrd", [b"NRRD0004\n", text.as_bytes()].concat());
    let meta = |text: &str| ("a.mha", text.as_bytes().to_vec());
    let mut wrong_kind = nifti(false);
    wrong_kind[70] = 128;
    for ((name, bytes), says) in [
        (nrrd("dimension: 4\n\n"), "line 2: dimension should be 3"),
        (nrrd("dimension 3\n"), "line 2: a line of the header should be \"key: value\""),
        (nrrd("dimension: 3\ntype: block\n\n"), "line 3: type should be a kind of number"),
        (nrrd("dimension: 3\ntype: int\n\n"), "line 1: the header has no field \"encoding\""),
        (
            nrrd("dimension: 3\ntype: int\nencoding: raw\nsizes: 99999999 99999999 99999999\n\n"),
            "99999999 x 99999999 x 99999999 values should follow, but there are 0 bytes",
        ),
        (
            nrrd("dimension: 3\ntype: int\nencoding: gzip\nsizes: 100 100 100\n\nabcdefghijklmnopqrstuvwxyz"),
            "100 x 100 x 100 values should follow, but there are 26 bytes",
        ),
        (
            nrrd("dimension: 3\ntype: int\nencoding: raw\nsizes: 2 0 2\n\n"),
            "line 5: sizes should be three whole numbers",
        ),
        (meta("NDims = 2\nElementDataFile = LOCAL\n"), "line 1: ndims should be 3"),
        (meta("NDims = 3\nDimSize\n"), "line 2: a line of the header should be \"Key = value\""),
        (("a.nii", wrong_kind), "byte 70: datatype 128"),
        (("a.nii", nifti(false)[..300].to_vec()), "byte 300: this is not NIfTI"),
        (("a.nii", nifti(false)[..390].to_vec()), "byte 352: 4 x 3 x 2 values should follow"),
        (("a.txt", b"abc".to_vec()), "a.txt is not a voxel volume"),
    ] {
        let message = parse(name, &bytes).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains(says), "{message}");
    }
}

proptest! {
    #[test]
    fn damaged_files_are_errors_or_volumes(
        format in 0usize..7,
        keep in 0.0..1.0f64,
        flips in prop::collection::vec((0.0..1.0f64, 0u8..8), 0..4),
    ) {
        let (name, mut bytes) = files().swap_remove(format);
        for (place, bit) in flips {
            let place = (place * bytes.len() as f64) as usize;
            bytes[place] ^= 1 << bit;
        }
        if keep < 0.7 {
            bytes.truncate((keep / 0.7 * bytes.len() as f64) as usize);
        }
        match parse(name, &bytes) {
            Ok(volume) => prop_assert!(volume.values().iter().all(|value| value.is_finite())),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

/// A ball of label 1 around a ball of label 2, and a slab of label 5 through both.
fn phantom(count: usize) -> VoxelVolume {
    let size = 1.0 / count as f64;
    let label = |index: usize| {
        let place = [index % count, index / count % count, index / (count * count)];
        let [x, y, z] = place.map(|value| (value as f64 + 0.5) * size - 0.5);
        let radius = (x * x + y * y + z * z).sqrt();
        match radius {
            _ if radius > 0.45 => 0.0,
            _ if (0.02..0.14).contains(&z) => 5.0,
            _ if radius > 0.28 => 1.0,
            _ => 2.0,
        }
    };
    let steps = super::read_voxels::along_axes([size; 3]);
    let grid = VoxelGrid { counts: [count; 3], origin: [0.5 * size; 3], steps };
    VoxelVolume::new(grid, (0..count.pow(3)).map(label).collect()).unwrap()
}

#[test]
fn three_labels_become_three_regions_of_the_same_volume() {
    let volume = phantom(48);
    for size in [1.0 / 16.0, 1.0 / 32.0] {
        let names = vec![(5, "slab".to_owned())];
        let options = VoxelMeshOptions { cell_size: Some(size), names, ..VoxelMeshOptions::default() };
        let VoxelMesh { mesh, regions } = mesh_voxels(&volume, &options).unwrap();
        assert_eq!(mesh.regions(), ["1", "2", "slab"]);
        for region in &regions {
            let ratio = region.mesh_volume / region.voxel_volume;
            assert!((ratio - 1.0).abs() < 0.02, "{size}: {region:?} {ratio}");
        }
        let minimum = MeshQuality::new(&mesh).minimum();
        assert!(minimum > 8.2, "{minimum}");
    }
}

#[test]
fn a_block_of_one_label_keeps_its_size_and_place() {
    let grid = VoxelGrid {
        counts: [20, 18, 16],
        origin: [1.0, 2.0, 3.0],
        steps: [[0.0, 0.1, 0.0], [-0.1, 0.0, 0.0], [0.0, 0.0, 0.1]],
    };
    let volume = VoxelVolume::new(grid, vec![7.0; 20 * 18 * 16]).unwrap();
    let options = VoxelMeshOptions { cell_size: Some(0.1), ..VoxelMeshOptions::default() };
    let VoxelMesh { mesh, regions } = mesh_voxels(&volume, &options).unwrap();
    assert_eq!((mesh.regions(), regions[0].label), (&["7".to_owned()][..], 7));
    assert!((regions[0].voxel_volume - 5.76).abs() < 1e-12);
    let (low, high) = mesh.bounding_box();
    for (found, wanted) in low.into_iter().chain(high).zip([-0.75, 1.95, 2.95, 1.05, 3.95, 4.55]) {
        assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
    }
}

#[test]
fn what_are_no_labels_is_refused() {
    let volume = |values: Vec<f32>| {
        let grid = VoxelGrid {
            counts: [2, 1, 1],
            origin: [0.0; 3],
            steps: super::read_voxels::along_axes([1.0; 3]),
        };
        VoxelVolume::new(grid, values)
    };
    let refused = |values: Vec<f32>, options: VoxelMeshOptions| {
        mesh_voxels(&volume(values).unwrap(), &options).unwrap_err().to_string()
    };
    let options = VoxelMeshOptions::default;
    assert!(refused(vec![0.5, 1.0], options()).contains("voxel 0 has the value 0.5"));
    assert!(refused(vec![1.0, -1.0], options()).contains("voxel 1 has the value -1"));
    assert!(refused(vec![0.0, 0.0], options()).contains("every voxel has the background's label 0"));
    let named = VoxelMeshOptions { names: vec![(3, "bone".to_owned())], ..options() };
    assert!(refused(vec![1.0, 2.0], named).contains("the label 3 of the name \"bone\"; the labels are 1, 2"));
    let coarse = VoxelMeshOptions { cell_size: Some(100.0), ..options() };
    assert!(refused(vec![1.0, 1.0], coarse).contains("lies inside of the body"));
    assert!(volume(vec![1.0, f32::NAN]).is_err() && volume(vec![1.0]).is_err());
}
