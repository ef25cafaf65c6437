//! Memory that reading takes: at most twice the limit that a file's length sets, and what is kept of it.

use crate::fbx::chain::{self, Chain, object};
use crate::fbx::fixtures::edited;
use crate::fbx::looks;
use crate::fbx::records::{self, Record, Value, leaf, node};
use dopesheet_core::diag::{ReadError, Report};
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_fbx::{Fbx, fbx::Document};

/// Memory in bytes that reading a file took.
pub(crate) struct Taken {
    /// At most at once, beside the file itself.
    pub(crate) peak: usize,
    /// For the document, which is still there.
    pub(crate) kept: usize,
}

impl Taken {
    /// Twice 128 MiB and 96 bytes for each byte of the file, and what is kept.
    pub(crate) fn limit(&self, length: usize) -> usize {
        2 * (96 * length + (128 << 20)) + self.kept
    }
}

/// Reads a file and counts.
pub(crate) fn read_counting(bytes: &[u8]) -> (Result<Document, ReadError>, Taken) {
    let mut document = None;
    let counted = allocation_counter::measure(|| {
        document = Some(Fbx::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default()));
    });
    let taken = Taken { peak: counted.bytes_max as usize, kept: counted.bytes_current.max(0) as usize };
    (document.unwrap(), taken)
}

/// A file with a mesh of so many mebibytes of vertices among other objects.
fn with_vertices(all: Vec<Record>, mebibytes: u32) -> Vec<u8> {
    let lists = vec![
        leaf("Vertices", vec![Value::Zeros(mebibytes)]),
        leaf("PolygonVertexIndex", vec![Value::Ints(vec![0, 1, !2])]),
    ];
    let mesh = |all: &mut Vec<Record>| all.push(object("Geometry", 40, "Cloud", "Geometry", "Mesh", lists));
    records::binary(&edited(all, "Objects", mesh))
}

#[test]
fn reading_stays_within_twice_its_limit_where_compressed_lists_grow_beyond_it() {
    let bomb = with_vertices(looks::lamp(), 512);
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let (refused, taken) = read_counting(&bomb);
    let error = refused.unwrap_err();
    assert_eq!(error.fault.code, "fbx-memory");
    let message = error.to_string();
    assert!(message.starts_with("fbx: byte 0x"), "{message}");
    let limit = (96 * bomb.len() + (128 << 20)) >> 20;
    let expected =
        format!("expected a file that needs at most {limit} MiB of memory, found memory limit exceeded");
    assert!(message.contains(&expected), "{message}");
    assert!(taken.peak <= taken.limit(bomb.len()), "{} bytes", taken.peak);
}

#[test]
fn a_file_that_is_loaded_twice_because_of_a_lamp_takes_memory_for_one_of_both() {
    let peak = |all: Vec<Record>| {
        let (document, taken) = read_counting(&with_vertices(all, 96));
        assert!(document.is_ok(), "{document:?}");
        taken.peak as f64
    };
    let (once, twice) = (peak(chain::records(&Chain::default())), peak(looks::lamp()));
    assert!(once > f64::from(96 << 20) && twice <= 1.2 * once, "{once}, then {twice} bytes");
}

#[test]
fn sets_of_coordinates_beyond_the_memory_are_left_out_and_told() {
    let triangles: Vec<i32> = [0, 1, !2].repeat(30_000);
    let mut lists = vec![
        leaf("Vertices", vec![Value::Doubles(vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])]),
        leaf("PolygonVertexIndex", vec![Value::Ints(triangles)]),
    ];
    lists.extend((0..1_000).map(|at| {
        let children = vec![
            leaf("MappingInformationType", vec!["ByVertice".into()]),
            leaf("ReferenceInformationType", vec!["Direct".into()]),
            leaf("UV", vec![Value::Doubles(vec![0.0, 0.25, 0.5, 0.75, 1.0, 0.0])]),
        ];
        node("LayerElementUV", vec![at.into()], children)
    }));
    let mesh = object("Geometry", 40, "Cloud", "Geometry", "Mesh", lists);
    let bytes = records::binary(&edited(looks::lamp(), "Objects", |all| all.push(mesh)));
    let (document, taken) = read_counting(&bytes);
    let document = document.unwrap();
    let sets = document.still.meshes[0].primitives[0].uv_sets.len();
    assert!((1..1_000).contains(&sets), "{sets}");
    let lost = "UV sets and vertex colours beyond the memory for a file of this length, of 1 mesh (Cloud)";
    assert_eq!(document.unplaced, [lost]);
    assert!(taken.peak <= taken.limit(bytes.len()), "{} bytes", taken.peak);
}
