//! Laws that hold for whatever arrays and archives there are.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_numpy::Npz;
use dopesheet_numpy::npz::{
    Array, Content, Deflated, Descriptor, Document, Dtype, Extra, File, Member, NumberKind, Stream, WideEnd,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn dtype() -> impl Strategy<Value = Dtype> {
    let number = |kind, bytes| Dtype::Number { kind, bytes, is_big_endian: false };
    prop_oneof![
        Just(Dtype::F32),
        Just(Dtype::F64),
        Just(number(NumberKind::Float, 2)),
        Just(Dtype::Number { kind: NumberKind::Int, bytes: 2, is_big_endian: true }),
        Just(number(NumberKind::Bool, 1)),
        Just(Dtype::Text { chars: 3, is_big_endian: false }),
        Just(Dtype::Bytes(2)),
        Just(Dtype::Other { descr: "'<c8'".into(), bytes: Some(8) }),
    ]
}

prop_compose! {
    fn array()(dtype in dtype(), shape in vec(0..4usize, 0..4))(
        data in {
            let bytes = dtype.element_bytes().unwrap_or(0) * shape.iter().product::<usize>();
            vec(any::<u8>(), bytes..=bytes)
        },
        dtype in Just(dtype), shape in Just(shape), fortran_order in any::<bool>(), trailing in vec(any::<u8>(), 0..3),
    ) -> Array {
        Array { fortran_order, trailing, ..Array::new(dtype, shape, data) }
    }
}

prop_compose! {
    fn member()(
        array in array(), name in "[a-z]{0,3}", gap in vec(any::<u8>(), 0..3), later in any::<bool>(),
        deflated in any::<bool>(), wide in any::<bool>(), descriptor in any::<(bool, bool)>(), comment in vec(any::<u8>(), 0..3),
        other in proptest::option::of(vec(any::<u8>(), 0..9)),
    ) -> Member {
        let mut member = Member::new(&name, array);
        (member.gap, member.listed.comment) = (gap, comment);
        if let Some(bytes) = other {
            member.name = format!("{name}.txt").into_bytes();
            member.content = Content::Other(bytes);
        }
        if deflated {
            member.stream = Stream::Deflated(Deflated::default());
        }
        if wide {
            let field = dopesheet_numpy::npz::Wide { length: true, stored: true, offset: false };
            member.local.header.extra = vec![Extra::Other { id: 9, bytes: vec![1] }, Extra::Wide(field)];
            member.listed.header.extra = vec![Extra::Rest(vec![7])];
        }
        if later {
            member.local.later = true;
            member.local.header.flags |= 8;
            member.listed.header.flags |= 8;
            member.descriptor = Some(Descriptor { is_marked: descriptor.0, is_wide: descriptor.1 });
        }
        member
    }
}

fn bytes(document: &Document) -> Vec<u8> {
    Npz::write(document, &WriteOptions::default()).unwrap().main
}

fn look_at(document: &Document) {
    let mut report = Report::default();
    Npz::check(document, &mut report);
    for finding in &report.findings {
        let known = |c: &dopesheet_core::format::Check| {
            c.code == finding.fault.code && c.severity == finding.severity
        };
        assert!(Npz::INFO.checks.iter().any(known), "{finding}");
    }
    for as_stored in [false, true] {
        let options = ToScene { as_stored, ..ToScene::default() };
        if let Ok(scene) = Npz::to_scene(document, &options, &mut report) {
            for curve in scene
                .clips
                .iter()
                .flat_map(|c| &c.tracks)
                .flat_map(|t| &t.channels)
                .flat_map(|c| c.composition.curves())
            {
                assert_eq!(curve.validate(), Ok(()));
            }
            let _ = Npz::from_scene(&scene, &FromScene::default(), &mut report);
        }
    }
}

proptest! {
    #[test]
    fn an_array_survives_its_file(array in array()) {
        let written = bytes(&Document::of_array(array.clone()));
        let read = dopesheet_testkit::read::<Npz>(&written);
        let found = read.array("").unwrap();
        prop_assert_eq!((&found.data, &found.shape, &found.dtype, &found.trailing), (&array.data, &array.shape, &array.dtype, &array.trailing));
        prop_assert_eq!(bytes(&read), written);
    }

    #[test]
    fn an_archive_is_written_back(members in vec(member(), 0..4), wide in any::<bool>(), behind in vec(any::<u8>(), 0..4)) {
        let mut document = Document::default();
        if let File::Npz(archive) = &mut document.file {
            archive.members = members;
            // Without members, what stands before the directory would be the start of the file.
            archive.before_directory = if archive.members.is_empty() { Vec::new() } else { behind.clone() };
            if let Some(first) = archive.members.first_mut() {
                first.gap.clear();
            }
            archive.end.trailing = behind;
            archive.end.wide = (wide && !archive.members.is_empty()).then(WideEnd::default);
        }
        let written = bytes(&document);
        let mut report = Report::default();
        let read = Npz::read(&Source::new(&written), &ReadOptions::default(), &mut report);
        let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(bytes(&read), written);
        prop_assert_eq!(read.arrays().count(), document.arrays().count());
        look_at(&read);
    }

    #[test]
    fn arrays_of_any_shape_mean_something_or_are_refused(
        name in prop_oneof![Just("poses"), Just("rotations"), Just("positions"), Just("features"), Just("root_orient"), Just("arr_0")],
        shape in prop_oneof![
            Just(vec![2, 66]), Just(vec![2, 22, 3]), Just(vec![1, 263]), Just(vec![2, 3, 4]), Just(vec![0, 3, 4]), Just(vec![2, 0, 3]), Just(vec![3]), Just(vec![]),
        ],
        value in prop_oneof![Just(0.0), Just(1.0), Just(f64::NAN), Just(1e308), Just(-1e-300)],
        facts in prop_oneof![Just(""), Just("rate=30,axes=zup,order=wxyz"), Just("layout=smpl,rate=1"), Just("layout=features"), Just("joints=smpl,rate=30,axes=-x+y-z,order=xyzw,layout=clip")],
        extra in proptest::option::of(prop_oneof![Just("fps"), Just("parents"), Just("offsets"), Just("joint_names"), Just("axes"), Just("trans"), Just("order"), Just("layout")]),
        other in array(),
    ) {
        let count: usize = shape.iter().product();
        let mut arrays = vec![(name.to_owned(), Array::f64s(&shape, vec![value; count]))];
        arrays.extend(extra.map(|extra| (extra.to_owned(), other)));
        let mut document = Document::of_arrays(arrays);
        if !facts.is_empty() {
            Npz::assume(&mut document, &facts.parse().unwrap()).unwrap();
        }
        look_at(&document);
    }
}

/// An operation of a pickle with an argument that it may have.
fn operation() -> impl Strategy<Value = Vec<u8>> {
    let line = "[ -~]{0,6}".prop_map(|text| text.into_bytes());
    let long = vec(any::<u8>(), 0..9);
    (any::<u8>(), any::<u64>(), line, long).prop_map(|(byte, bits, line, long)| {
        let number = |count: usize| [&[byte][..], &bits.to_le_bytes()[..count]].concat();
        let counted =
            |count: usize| [&[byte][..], &(long.len() as u64).to_le_bytes()[..count], &long].concat();
        match byte {
            b'F' | b'I' | b'L' | b'S' | b'V' | b'P' | b'g' | b'p' => [&[byte][..], &line, b"\n"].concat(),
            b'c' | b'i' => [&[byte][..], &line, b"\n", &line, b"\n"].concat(),
            b'K' | b'h' | b'q' | 0x80 | 0x82 => number(1),
            b'M' | 0x83 => number(2),
            b'J' | b'j' | b'r' | 0x84 => number(4),
            b'G' | 0x95 => number(8),
            b'U' | b'C' | 0x8a | 0x8c => counted(1),
            b'T' | b'X' | b'B' | 0x8b => counted(4),
            0x8d | 0x8e | 0x96 => counted(8),
            b'.' => Vec::new(),
            _ => vec![byte],
        }
    })
}

proptest! {
    #[test]
    fn any_operations_are_data_or_a_message(
        operations in vec(operation(), 0..24), trailing in vec(any::<u8>(), 0..3),
    ) {
        let bytes = [&b"\x80\x02"[..], &operations.concat(), b".", &trailing].concat();
        let read = Npz::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default());
        if let Ok(document) = read {
            prop_assert!(Npz::read_only(&document).is_some());
            Npz::check(&document, &mut Report::default());
            let _ = Npz::to_scene(&document, &ToScene::default(), &mut Report::default());
        }
    }
}
