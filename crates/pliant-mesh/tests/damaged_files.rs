//! Damaged files of every format are read or refused with one sentence: no panic, no hang, no memory for counts that no file
//! can hold.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::path::{Path, PathBuf};

use pliant_mesh::{VoxelOptions, read_mesh, read_voxels};
use proptest::prelude::*;

/// Files of other programs, and the bytes beside one (`.node` for `.ele`).
fn samples() -> Vec<(String, Vec<u8>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/interop");
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end != "md")).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut samples: Vec<(String, Vec<u8>)> =
        paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect();
    samples.push((
        "a.node".to_owned(),
        b"4 2 1 1\n1 0 0 0.5 0\n2 1 0 0.5 1\n3 1 1 0.5 1\n4 0 1 0.5 0\n".to_vec(),
    ));
    samples.push(("a.ele".to_owned(), b"2 3 1\n1 1 2 3 30\n2 1 3 4 31\n".to_vec()));
    samples
}

/// One piece of damage.
#[derive(Clone, Debug)]
enum Damage {
    Truncate(prop::sample::Index),
    Flip(prop::sample::Index, u8),
    /// A number of the text replaced by a large, negative or broken one.
    Number(prop::sample::Index, &'static str),
    /// Bytes replaced by a large binary number.
    Binary(prop::sample::Index, u64),
    /// A part left out.
    Cut(prop::sample::Index, usize),
    /// A part written twice.
    Repeat(prop::sample::Index, usize),
}

const NUMBERS: [&str; 9] = [
    "0",
    "-1",
    "99999999",
    "1e400",
    "9223372036854775807",
    "18446744073709551615",
    "4611686018427387905",
    "nan",
    "x",
];

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<prop::sample::Index>;
    let large =
        prop::sample::select(vec![u64::MAX, 1 << 62, 1 << 40, 1 << 31, 0x7fff_ffff, 0xffff_ffff, 0, 1]);
    prop_oneof![
        place().prop_map(Damage::Truncate),
        (place(), 0u8..8).prop_map(|(place, bit)| Damage::Flip(place, bit)),
        (place(), prop::sample::select(NUMBERS.to_vec()))
            .prop_map(|(place, text)| Damage::Number(place, text)),
        (place(), large).prop_map(|(place, value)| Damage::Binary(place, value)),
        (place(), 1usize..200).prop_map(|(place, length)| Damage::Cut(place, length)),
        (place(), 1usize..200).prop_map(|(place, length)| Damage::Repeat(place, length)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Truncate(place) => bytes.truncate(place.index(bytes.len())),
            Self::Flip(place, bit) => {
                let place = place.index(bytes.len());
                bytes[place] ^= 1 << bit;
            }
            Self::Number(place, text) => {
                // The first number from there on.
                let start = place.index(bytes.len());
                if let Some(start) = (start..bytes.len()).find(|&at| bytes[at].is_ascii_digit()) {
                    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    bytes.splice(start..start + length, text.bytes());
                }
            }
            Self::Binary(place, value) => {
                let place = place.index(bytes.len());
                for (byte, new) in bytes[place..].iter_mut().zip(value.to_le_bytes()) {
                    *byte = new;
                }
            }
            Self::Cut(place, length) => {
                let start = place.index(bytes.len());
                bytes.drain(start..(start + length).min(bytes.len()));
            }
            Self::Repeat(place, length) => {
                let start = place.index(bytes.len());
                let part = bytes[start..(start + length).min(bytes.len())].to_vec();
                bytes.splice(start..start, part);
            }
        }
    }
}

fn read_damaged(name: &str, bytes: &[u8], directory: &Path) -> Result<(), TestCaseError> {
    let path = directory.join(name);
    std::fs::write(&path, bytes).unwrap();
    let result = if name.starts_with("voxels") {
        read_voxels(&path, &VoxelOptions::default()).map(|_| ())
    } else {
        read_mesh(&path).map(|_| ())
    };
    if let Err(error) = result {
        let message = error.to_string();
        prop_assert!(!message.contains('\n'), "{}", message);
        prop_assert!(message.contains(&format!("{}", directory.display())), "{}", message);
    }
    Ok(())
}

/// The most address space that the process has had, in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

#[test]
fn damaged_files_are_read_or_refused_and_take_no_memory() {
    let samples = samples();
    let directory = tempfile::tempdir().unwrap();
    // Those that are read with a file beside them find it.
    for (name, bytes) in &samples {
        std::fs::write(directory.path().join(name), bytes).unwrap();
    }
    let before = peak_memory();
    let config = ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").map_or(1_000, |cases| cases.parse().unwrap()),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let cases = (any::<prop::sample::Index>(), prop::collection::vec(damage(), 1..4));
    let result = runner.run(&cases, |(sample, damages)| {
        let index = sample.index(samples.len());
        let (name, bytes) = &samples[index];
        let mut bytes = bytes.clone();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        let result = read_damaged(name, &bytes, directory.path());
        // The other file of a pair stays whole.
        std::fs::write(directory.path().join(name), &samples[index].1).unwrap();
        result
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    // The files have at most some thousand bytes; threads of the test harness reserve some address space too.
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before < 1 << 30, "{} bytes", after - before);
    }
}
