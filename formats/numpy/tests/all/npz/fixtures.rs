//! The files of `src/npz/fixtures`: built here byte by byte, without the writer under test; `UPDATE_FIXTURES=1` writes them.

use crate::npz::{pickles, research};
use dopesheet_core::format::Format;
use dopesheet_numpy::Npz;
use dopesheet_testkit::Fixture;
use flate2::write::DeflateEncoder;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/npz/fixtures")
}

/// An array with a header of its own.
pub(crate) fn npy_with(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

/// An array as NumPy writes it.
pub(crate) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    npy_with(&header, data)
}

pub(crate) fn f8(shape: &str, values: &[f64]) -> Vec<u8> {
    npy("<f8", shape, &values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())
}

pub(crate) fn text(word: &str) -> Vec<u8> {
    let data: Vec<u8> = word.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    npy(&format!("<U{}", word.len()), "()", &data)
}

pub(crate) fn texts(words: &[&str]) -> Vec<u8> {
    let width = words.iter().map(|word| word.len()).max().unwrap_or(1);
    let padded = |word: &&str| {
        let mut codes: Vec<u32> = word.chars().map(u32::from).collect();
        codes.resize(width, 0);
        codes.into_iter().flat_map(u32::to_le_bytes)
    };
    npy(
        &format!("<U{width}"),
        &format!("({},)", words.len()),
        &words.iter().flat_map(padded).collect::<Vec<_>>(),
    )
}

/// Form in which a member is written.
#[derive(Clone, Copy, Default)]
pub(crate) struct How {
    pub(crate) deflated: bool,
    /// 64-bit lengths before the member, as `numpy.savez` has them.
    pub(crate) wide: bool,
    /// Lengths behind the member, as in files that are written without going back.
    pub(crate) followed: bool,
}

pub(crate) const PLAIN: How = How { deflated: false, wide: true, followed: false };

/// An archive as Python's `zipfile` writes it.
pub(crate) fn npz(members: &[(&str, Vec<u8>)], how: How) -> Vec<u8> {
    let mut zip = Zip::default();
    members.iter().for_each(|(name, content)| zip.put(name, content, how));
    zip.finish()
}

#[derive(Default)]
pub(crate) struct Zip {
    pub(crate) bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

impl Zip {
    pub(crate) fn put(&mut self, name: &str, content: &[u8], how: How) {
        self.put_file(&format!("{name}.npy"), content, how);
    }

    pub(crate) fn put_file(&mut self, name: &str, content: &[u8], how: How) {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let (sum, offset) = (crc.sum(), self.bytes.len() as u32);
        let stored = if how.deflated { deflated(content) } else { content.to_vec() };
        let (length, size) = (content.len() as u32, stored.len() as u32);
        let version: u16 = if how.wide { 45 } else { 20 };
        let flags: u16 = if how.followed { 8 } else { 0 };
        let method: u16 = if how.deflated { 8 } else { 0 };
        let head = |out: &mut Vec<u8>| {
            out.extend([version, flags, method, 0, 0x21].iter().flat_map(|x| x.to_le_bytes()));
        };
        let [own_sum, own_size, own_length] = if how.followed { [0; 3] } else { [sum, size, length] };
        let out = &mut self.bytes;
        out.extend(b"PK\x03\x04");
        head(out);
        out.extend(own_sum.to_le_bytes());
        let narrow = |x: u32| if how.wide { u32::MAX } else { x };
        out.extend(narrow(own_size).to_le_bytes());
        out.extend(narrow(own_length).to_le_bytes());
        out.extend((name.len() as u16).to_le_bytes());
        out.extend((if how.wide { 20u16 } else { 0 }).to_le_bytes());
        out.extend(name.as_bytes());
        if how.wide {
            out.extend([1, 0, 16, 0]);
            out.extend(u64::from(own_length).to_le_bytes());
            out.extend(u64::from(own_size).to_le_bytes());
        }
        out.extend(&stored);
        if how.followed {
            out.extend(b"PK\x07\x08");
            out.extend(sum.to_le_bytes());
            let number = |x: u32| {
                if how.wide { u64::from(x).to_le_bytes().to_vec() } else { x.to_le_bytes().to_vec() }
            };
            out.extend(number(size));
            out.extend(number(length));
        }
        let out = &mut self.directory;
        out.extend(b"PK\x01\x02\x14\x03");
        head(out);
        [sum, size, length].iter().for_each(|x| out.extend(x.to_le_bytes()));
        out.extend((name.len() as u16).to_le_bytes());
        out.extend([0; 4]);
        out.extend([0; 4]);
        out.extend((0o600u32 << 16).to_le_bytes());
        out.extend(offset.to_le_bytes());
        out.extend(name.as_bytes());
        self.count += 1;
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.count.to_le_bytes());
        self.bytes.extend(self.count.to_le_bytes());
        self.bytes.extend((self.directory.len() as u32).to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0, 0]);
        self.bytes
    }
}

fn deflated(content: &[u8]) -> Vec<u8> {
    // Level 1 is none that the writer under test uses.
    let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Rotation vectors of a body of 22 joints on three frames, of which some turn.
fn poses() -> Vec<f64> {
    (0..3 * 66).map(|n| if n % 7 == 0 { 0.1 * f64::from(n % 5) } else { 0.0 }).collect()
}

fn trans() -> Vec<f64> {
    vec![0.0, 0.0, 1.0, 0.1, 0.0, 1.0, 0.2, -0.1, 1.0]
}

/// A body as AMASS has it, but of 22 joints, so that it is small.
pub(crate) fn amass() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("trans", f8("(3, 3)", &trans())),
        ("gender", text("male")),
        ("mocap_framerate", f8("()", &[120.0])),
        ("betas", f8("(2,)", &[0.5, -1.0])),
        ("poses", f8("(3, 66)", &poses())),
    ]
}

/// Two joints that turn, with all that is to be known of them.
pub(crate) fn clip() -> Vec<(&'static str, Vec<u8>)> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let unit = [0.0, 0.0, 0.0, 1.0];
    let turns = [unit, unit, [0.0, 0.0, half, half], unit].concat();
    vec![
        ("fps", f8("()", &[30.0])),
        ("axes", texts(&["+x", "+y", "+z"])),
        ("order", text("xyzw")),
        ("metres_per_unit", f8("()", &[1.0])),
        ("joint_names", texts(&["hip", "leg"])),
        ("parents", npy("<i8", "(2,)", &[(-1i64).to_le_bytes(), 0i64.to_le_bytes()].concat())),
        ("offsets", f8("(2, 3)", &[0.0, 1.0, 0.0, 1.0, 0.0, 0.0])),
        ("rotations", f8("(2, 2, 4)", &turns)),
    ]
}

/// Two joints that are known by their places.
pub(crate) fn positions() -> Vec<(&'static str, Vec<u8>)> {
    let mut arrays: Vec<_> =
        clip().into_iter().filter(|(name, _)| !matches!(*name, "order" | "rotations")).collect();
    let places = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0];
    arrays.push(("positions", f8("(2, 2, 3)", &places)));
    arrays
}

/// `arrays` with one of them another, or one more.
pub(crate) fn with(
    mut arrays: Vec<(&'static str, Vec<u8>)>,
    name: &'static str,
    array: Vec<u8>,
) -> Vec<(&'static str, Vec<u8>)> {
    match arrays.iter_mut().find(|own| own.0 == name) {
        Some(own) => own.1 = array,
        None => arrays.push((name, array)),
    }
    arrays
}

/// `arrays` without one of them.
pub(crate) fn without(mut arrays: Vec<(&'static str, Vec<u8>)>, name: &str) -> Vec<(&'static str, Vec<u8>)> {
    arrays.retain(|own| own.0 != name);
    arrays
}

/// Bytes with a part put in the place of another, which is there.
pub(crate) fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|part| part == old).expect("the part is there");
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

fn small() -> Vec<u8> {
    npz(&clip(), PLAIN)
}

/// Files of research projects without a finding.
fn valid_research() -> Vec<(&'static str, Vec<u8>)> {
    let still = |joints: usize| f8(&format!("({joints}, 3)"), &vec![0.1; 3 * joints]);
    vec![
        ("kimodo", npz(&research::kimodo(), PLAIN)),
        ("mdm", pickles::results(1, 1, &[1.0], &[("offsets", pickles::array(&[22, 3], &[0.1; 66]))])),
        ("motionx", npz(&[("motion", research::motion_x()), ("offsets", still(55))], PLAIN)),
        ("pickle-aist", pickles::aist()),
        ("torch", pickles::torch(&[])),
    ]
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let (stored, followed) = (How::default(), How { followed: true, ..How::default() });
    let mut all = vec![
        ("clip", small()),
        ("clip-narrow", npz(&clip(), stored)),
        ("clip-deflated", npz(&clip(), How { deflated: true, ..PLAIN })),
        ("clip-streamed", npz(&clip(), How { deflated: true, ..followed })),
        ("clip-streamed-wide", npz(&clip(), How { wide: true, ..followed })),
        ("positions", npz(&positions(), PLAIN)),
        ("amass", npz(&with(amass(), "offsets", f8("(22, 3)", &[0.0; 66])), PLAIN)),
        (
            "humanml3d",
            npz(
                &[
                    ("layout", text("humanml3d")),
                    ("positions", f8("(1, 22, 3)", &[0.5; 66])),
                    ("offsets", f8("(22, 3)", &[0.1; 66])),
                ],
                PLAIN,
            ),
        ),
    ];
    all.extend(valid_research());
    all
}

/// An archive whose second member is where the first one is.
fn overlapping() -> Vec<u8> {
    let mut overlap = Zip::default();
    overlap.put("fps", &f8("()", &[30.0]), How::default());
    let first = overlap.bytes.len() as u32;
    overlap.put("fps2", &f8("()", &[30.0]), How::default());
    replaced(&overlap.finish(), &[&first.to_le_bytes()[..], b"fps2.npy"].concat(), b"\0\0\0\0fps2.npy")
}

/// An archive that announces as many bytes as no limit allows.
fn announcing() -> Vec<u8> {
    let zeros = npz(
        &[("poses", f8("(1, 4200000)", &vec![0.0; 4_200_000]))],
        How { deflated: true, ..How::default() },
    );
    let length = (128 + 8 * 4_200_000u32).to_le_bytes();
    let bytes = replaced(&zeros, &length, &0x7fff_ffffu32.to_le_bytes());
    replaced(&bytes, &length, &0x7fff_ffffu32.to_le_bytes())
}

/// As [`invalid`], for the archive around the arrays.
fn invalid_archives() -> Vec<(&'static str, Vec<u8>)> {
    let bytes = small();
    let deflated = npz(&clip(), How { deflated: true, ..How::default() });
    let local = b"PK\x03\x04\x14\x00\x00\x00\x08\x00";
    let method = replaced(
        &replaced(&deflated, local, b"PK\x03\x04\x14\x00\x00\x00\x0c\x00"),
        b"\x14\x03\x14\x00\x00\x00\x08\x00",
        b"\x14\x03\x14\x00\x00\x00\x0c\x00",
    );
    vec![
        ("checksum", replaced(&bytes, &30.0f64.to_le_bytes(), &31.0f64.to_le_bytes())),
        ("deflate", replaced(&deflated, &deflated[38..44], &[0xff; 6])),
        ("directory", replaced(&bytes, b"PK\x05\x06\0\0", b"PK\x05\x06\x01\0")),
        ("inflated", announcing()),
        ("member", replaced(&deflated, local, b"PK\x03\x04\x14\x00\x00\x00\x00\x00")),
        ("method", method),
        ("overlap", overlapping()),
        ("signature", b"PK\x01\x02".to_vec()),
        ("truncated", bytes[..bytes.len() - 30].to_vec()),
    ]
}

/// One file per code that reading reports, or that stops a conversion, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let mut all = invalid_archives();
    all.extend([
        ("axes", npz(&with(clip(), "axes", text("up")), PLAIN)),
        ("frame-count", npz(&with(clip(), "root_positions", f8("(1, 3)", &[0.0; 3])), PLAIN)),
        ("joint-count", npz(&with(clip(), "joint_names", texts(&["hip"])), PLAIN)),
        ("joint-count-parents", npz(&with(clip(), "parents", npy("<i8", "(1,)", &[255; 8])), PLAIN)),
        (
            "nonfinite",
            npz(
                &with(
                    positions(),
                    "positions",
                    f8("(1, 2, 3)", &[0.0, f64::NAN, 0.0, 1.0, 1.0, f64::INFINITY]),
                ),
                PLAIN,
            ),
        ),
        ("npy-header", npy_with("{'descr': '<f8', 'shape': (1,)}\n", &[0; 8])),
        ("npy-header-syntax", npy_with("['descr']\n", &[0; 8])),
        ("npy-shape", npy("<f8", "(3, 3)", &[0; 71])),
        ("npy-shape-huge", npy("<f8", "(99999999999, 3)", &[0; 8])),
        ("npy-signature", npz(&[("fps", b"\x93NUMPX\x01\x00\x00\x00".to_vec())], PLAIN)),
        ("npy-signature-version", b"\x93NUMPY\x04\x00\x00\x00".to_vec()),
        ("order", npz(&with(clip(), "order", text("zyx")), PLAIN)),
        (
            "parents",
            npz(
                &with(
                    clip(),
                    "parents",
                    npy("<i8", "(2,)", &[(-1i64).to_le_bytes(), 1i64.to_le_bytes()].concat()),
                ),
                PLAIN,
            ),
        ),
        ("pickle", b"\x80\x02(.".to_vec()),
        ("pickle-global", b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.".to_vec()),
        ("pickle-global-torch", pickles::torch(b"cos\nsystem\n0")),
        ("pickle-global-npy", npy("|O", "()", b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.")),
        ("rate", npz(&with(clip(), "fps", f8("()", &[0.0])), PLAIN)),
        ("shape", npz(&with(clip(), "offsets", f8("(3, 2)", &[0.0; 6])), PLAIN)),
        ("truncated-pickle", b"\x80\x02X\xff\xff\xff\x7f.".to_vec()),
        ("truncated-npy", b"\x93NUMPY\x01\x00\xff".to_vec()),
        ("type", npz(&with(clip(), "offsets", npy("<U1", "(2, 3)", &[0; 24])), PLAIN)),
    ]);
    all.sort_by_key(|(name, _)| *name);
    all
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let mut gap = Zip::default();
    for (index, (name, array)) in clip().into_iter().enumerate() {
        if index == 2 {
            gap.bytes.extend(b"left over");
        }
        gap.put(name, &array, How::default());
    }
    let fortran = {
        let header = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n";
        npy_with(header, &[0.0f64, 1.0, 1.0, 0.0, 0.0, 0.0].map(f64::to_le_bytes).concat())
    };
    let big: Vec<u8> = [0.0f64, 1.0, 0.0, 1.0, 0.0, 0.0].iter().flat_map(|x| x.to_be_bytes()).collect();
    let mut features = vec![0.0; 263];
    features[3] = 0.9;
    let short: Vec<u8> =
        [0.0, 0.0, 0.0, 1.01].iter().cycle().take(16).flat_map(|x: &f64| x.to_le_bytes()).collect();
    let rest = f8("(22, 3)", &[0.1; 66]);
    vec![
        ("axes-unknown", npz(&without(clip(), "axes"), PLAIN)),
        ("big-endian", npz(&with(clip(), "offsets", npy(">f8", "(2, 3)", &big)), PLAIN)),
        ("duplicate-name", npz(&[clip(), vec![("order", text("xyzw"))]].concat(), PLAIN)),
        ("fortran-order", npz(&with(clip(), "offsets", fortran), PLAIN)),
        ("gap", gap.finish()),
        (
            "height",
            npz(
                &[
                    ("features", {
                        features[3] = 9.0;
                        f8("(1, 263)", &features)
                    }),
                    ("offsets", rest),
                ],
                PLAIN,
            ),
        ),
        ("hierarchy-unknown", npz(&without(clip(), "parents"), PLAIN)),
        ("hierarchy-unknown-bodies", npz(&research::isaac_lab(), PLAIN)),
        ("hierarchy-unknown-gmr", pickles::gmr()),
        ("layout-by-shape", f8("(1, 22, 3)", &[0.5; 66])),
        ("no-motion", npz(&[("weights", f8("(2, 2)", &[0.0; 4]))], PLAIN)),
        (
            "not-an-array",
            replaced(
                &replaced(&npz(&with(clip(), "a", f8("()", &[0.0])), PLAIN), b"a.npy", b"a.txt"),
                b"a.npy",
                b"a.txt",
            ),
        ),
        ("object-array", npz(&with(clip(), "notes", npy("|O", "()", b"\x80\x04N.")), PLAIN)),
        ("order-unknown", npz(&without(clip(), "order"), PLAIN)),
        ("pickled-array", pickles::without_elements()),
        ("rate-unknown", npz(&without(clip(), "fps"), PLAIN)),
        ("rest-assumed", npz(&amass(), PLAIN)),
        ("rest-assumed-places", npz(&without(positions(), "offsets"), PLAIN)),
        ("trailing-bytes", [npz(&clip(), PLAIN), b"more".to_vec()].concat()),
        ("trailing-bytes-npy", npz(&with(clip(), "order", [text("xyzw"), vec![0; 3]].concat()), PLAIN)),
        ("unit", npz(&with(clip(), "rotations", npy("<f8", "(2, 2, 4)", &short)), PLAIN)),
        ("unit-unknown", npz(&without(clip(), "metres_per_unit"), PLAIN)),
    ]
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

/// One of them.
pub(crate) fn named(name: &str) -> Vec<u8> {
    all().into_iter().find(|fixture| fixture.1 == name).unwrap_or_else(|| panic!("{name}")).2
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "npz", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    // That of what is to be written is shown by the test of it.
    let elsewhere = ["npz-bare", "npz-file-too-long", "npz-read-only"];
    // What a layout that is known by its shape leaves open, and a figure that stands for one that is not there.
    let beside = ["npz-rest-assumed"];
    dopesheet_testkit::assert_every_code_has_a_fixture::<Npz>(&all(), "npz-", &elsewhere, &beside);
}

#[test]
fn codes_are_unique_and_sorted() {
    assert!(Npz::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
    assert_eq!(Npz::INFO.checks.len(), 44);
}

#[test]
fn sound_files_have_no_findings() {
    let mut seen = 0;
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (_, report) = dopesheet_testkit::read_reporting::<Npz>(&bytes);
        assert_eq!(report.findings, [], "{name}");
        seen += 1;
    }
    assert_eq!(seen, 13);
}
