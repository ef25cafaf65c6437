//! Files that are refused: encrypted ones, nodes below themselves, keys at no time.

use crate::fbx::chain::{self, Chain, assemble, joint, on, take};
use crate::fbx::faults::{on_square, own};
use crate::fbx::fixtures::{edited, named, with, without_lift};
use crate::fbx::records::{self, Record, Value, leaf, node};
use crate::fbx::unplaced;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_fbx::{Fbx, fbx::Document};

/// The header, which states a kind of encryption.
pub(crate) fn header(kind: i32) -> Record {
    let stated = [("FBXHeaderVersion", 1003), ("FBXVersion", 7400), ("EncryptionType", kind)];
    let stated = stated.map(|(word, number)| leaf(word, vec![number.into()]));
    node("FBXHeaderExtension", Vec::new(), stated.to_vec())
}

/// A header with bytes behind it that nobody reads without a password.
pub(crate) fn encrypted(write: fn(&[Record]) -> Vec<u8>) -> Vec<u8> {
    let noise = (0..512u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8);
    let mut bytes = write(&[header(1)]);
    bytes.truncate(bytes.len() - if bytes.starts_with(b"Kaydara") { 13 } else { 0 });
    bytes.into_iter().chain(noise).collect()
}

/// Three joints in a ring, and one below them.
pub(crate) fn ring() -> Vec<Record> {
    let names = ["Hips", "Chest", "Head", "Hair"];
    let joints = (1..).zip(names).map(|(id, name)| joint(id, name, Vec::new())).collect();
    assemble(&Chain::default(), joints, vec![on(4, 3), on(3, 2), on(2, 1), on(1, 3)])
}

/// The hips of the chain with other times of the keys along X in the take `Walk`.
pub(crate) fn at_times(times: Value) -> Vec<Record> {
    edited(without_lift(chain::records(&Chain::default())), "Objects", |all| {
        let lists = own(all, 30).children.as_mut().unwrap();
        lists.iter_mut().find(|list| list.word == "KeyTime").unwrap().values = vec![times];
    })
}

fn read(bytes: &[u8]) -> Result<Document, String> {
    let read = Fbx::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default());
    read.map_err(|error| format!("{}: {error}", error.fault.code))
}

#[test]
fn a_file_whose_header_states_an_encryption_is_refused_as_encrypted() {
    let expected = "(FBXHeaderExtension EncryptionType): expected 0, a file without a password, found 1, an encrypted file";
    let bytes = encrypted(records::binary);
    let number = bytes.windows(5).position(|window| window == b"I\x01\0\0\0").unwrap() + 1;
    let message = read(&bytes).unwrap_err();
    assert_eq!(message, format!("fbx-encrypted: fbx: byte {number:#x} {expected}"));
    let message = read(&encrypted(records::text)).unwrap_err();
    assert_eq!(message, format!("fbx-encrypted: fbx: line 5, column 17 {expected}"));
    for write in [records::text, records::binary] {
        let mut all = chain::records(&Chain::default());
        all[0] = header(0);
        assert_eq!(read(&write(&all)).map(|document| document.takes.len()), Ok(2));
    }
}

#[test]
fn a_message_about_what_cannot_be_read_names_the_object_the_program_and_a_way_out() {
    // The reader refuses normals with numbers missing, which 3ds Max has written.
    let short = on_square(unplaced::corners("LayerElementNormal", 0, "Normals", vec![0.0, 0.0, 1.0, 0.0]));
    let old = "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 6100\n\tCreator: \"made by hand\"\n}\n\
               Definitions:  {\n}\nObjects:  {\n\tModel: \"Model::Square\", \"Mesh\" {\n\t\tVertices: 0,0,0,1,0,0,0,1,0\n\
               \t\tPolygonVertexIndex: 0,1,-3\n\t\tLayerElementNormal: 0 {\n\
               \t\t\tMappingInformationType: \"ByVertice\"\n\t\t\tReferenceInformationType: \"Direct\"\n\
               \t\t\tNormals: 0,0,1,0\n\t\t}\n\t}\n\tModel: \"Model::Bone\", \"Limb\" {\n\t}\n}\n";
    let finding = |version: &str| {
        format!(
            "expected data that follows the format, found something that cannot be read, in a file of version {version} by \
             made by hand; open it in a current program and save it again"
        )
    };
    let message = read(old.as_bytes()).unwrap_err();
    let (place, rest) = message.split_once(" (").unwrap();
    assert!(place.starts_with("fbx-damaged: fbx: byte 0x"), "{message}");
    assert_eq!(rest, format!("Model \"Square\"): {}", finding("6.1")));
    // Without some sections the reader has been at the end of the file before it reads an object.
    let message = read(&records::text(&short)).unwrap_err();
    assert_eq!(message, format!("fbx-damaged: fbx: file: {}", finding("7.4")));
}

#[test]
fn a_message_about_nodes_below_themselves_names_them() {
    let old = "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 6100\n}\nObjects:  {\n\
               \tModel: \"Model::Hips\", \"Limb\" {\n\t}\n\tModel: \"Model::Chest\", \"Limb\" {\n\t}\n\
               \tModel: \"Model::Head\", \"Limb\" {\n\t}\n}\nConnections:  {\n\
               \tConnect: \"OO\", \"Model::Hips\", \"Model::Head\"\n\tConnect: \"OO\", \"Model::Head\", \"Model::Chest\"\n\
               \tConnect: \"OO\", \"Model::Chest\", \"Model::Hips\"\n}\n";
    for (bytes, [first, next, last]) in [
        (records::binary(&ring()), ["Head", "Chest", "Hips"]),
        (records::text(&ring()), ["Head", "Chest", "Hips"]),
        (old.as_bytes().to_vec(), ["Hips", "Head", "Chest"]),
    ] {
        let expected = format!(
            "fbx-cycle: fbx: file (node {first:?}): expected nodes that are not below themselves, \
             found {first:?} below {next:?} below {last:?} below {first:?}"
        );
        assert_eq!(read(&bytes).unwrap_err(), expected);
    }
}

#[test]
fn a_word_among_times_of_a_text_is_refused_where_it_stands() {
    let text = records::text(&at_times(Value::Longs(vec![0, 777])));
    for word in ["NaN", "-inf", "1.#QNAN", "nan(ind)"] {
        let bytes = with(&text, b"a: 0,777", format!("a: 0,{word}").as_bytes());
        let before = bytes.windows(word.len()).position(|window| window == word.as_bytes()).unwrap();
        let line = bytes[..before].iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = bytes[..before].iter().rev().position(|byte| *byte == b'\n').unwrap() + 1;
        let place = format!("line {line}, column {column} (AnimationCurve 30 KeyTime)");
        let expected =
            format!("fbx-key-time: fbx: {place}: expected a time on the clock of the file, found {word}");
        assert_eq!(read(&bytes).unwrap_err(), expected);
    }
    let list = format!("KeyTime: 0,\n\t\t{},NaN\n\t\tKeyValueFloat: 0,1,2\n", chain::SECOND);
    let old = with(&text, b"KeyTime: *2 {\n\t\t\ta: 0,777\n\t\t}\n", list.as_bytes());
    assert!(read(&old).unwrap_err().contains("found NaN"), "{:?}", read(&old).err());
}

#[test]
fn keys_beyond_all_times_are_refused_by_take_node_and_property() {
    let place = "file (take \"Walk\" Node \"Hips\" Lcl Translation key 2)";
    for (times, found) in [
        (Value::Longs(vec![0, i64::MAX]), "199699.37"),
        (Value::Longs(vec![0, i64::MIN]), "-199"),
        (Value::Doubles(vec![0.0, f64::NAN]), "-199"),
        (Value::Doubles(vec![0.0, f64::INFINITY]), "199"),
    ] {
        let message = read(&records::binary(&at_times(times))).unwrap_err();
        let expected =
            format!("fbx-key-time: fbx: {place}: expected a time on the clock of the file, found ");
        assert!(message.starts_with(&expected) && message.ends_with(" s"), "{message}, {found}");
    }
}

/// A motion along X in a file of version 6.1, whose times may be any numbers.
fn old_motion(keys: &str) -> Vec<u8> {
    format!(
        "; FBX 6.1.0 project file\nFBXHeaderExtension:  {{\n\tFBXVersion: 6100\n}}\nObjects:  {{\n\
         \tModel: \"Model::Hips\", \"Limb\" {{\n\t\tVersion: 232\n\t}}\n}}\nConnections:  {{\n\
         \tConnect: \"OO\", \"Model::Hips\", \"Model::Scene\"\n}}\nTakes:  {{\n\tTake: \"Walk\" {{\n\
         \t\tLocalTime: 0,46186158000\n\t\tModel: \"Model::Hips\" {{\n\t\t\tVersion: 1.1\n\
         \t\t\tChannel: \"Transform\" {{\n\t\t\t\tChannel: \"T\" {{\n\t\t\t\t\tChannel: \"X\" {{\n\
         \t\t\t\t\t\tDefault: 0\n\t\t\t\t\t\tKeyVer: 4005\n\t\t\t\t\t\tKeyCount: 2\n\t\t\t\t\t\tKey: {keys}\n\
         \t\t\t\t\t}}\n\t\t\t\t}}\n\t\t\t}}\n\t\t}}\n\t}}\n}}\n"
    )
    .into_bytes()
}

#[test]
fn times_of_old_files_that_are_no_numbers_are_refused_by_node() {
    let document = read(&old_motion("0,0,L,46186158000,10,L")).unwrap();
    assert_eq!(document.takes[0].motions.len(), 1, "{document:?}");
    for (word, found) in [("NaN", "NaN"), ("inf", "inf"), ("-inf", "-inf")] {
        let message = read(&old_motion(&format!("0,0,L,{word},10,L"))).unwrap_err();
        let expected =
            "fbx-key-time: fbx: file (take \"Walk\" Node \"Hips\" Lcl Translation key 2): expected a time";
        assert!(message.starts_with(expected) && message.ends_with(&format!("found {found} s")), "{message}");
    }
}

#[test]
fn a_take_that_never_ends_is_as_long_as_its_keys() {
    let records = edited(without_lift(chain::records(&Chain::default())), "Objects", |all| {
        let mut endless = take(10, "Walk", 0);
        let properties = &mut endless.children.as_mut().unwrap()[0];
        let stop = &mut properties.children.as_mut().unwrap()[1];
        *stop.values.last_mut().unwrap() = i64::MAX.into();
        *own(all, 10) = endless;
    });
    let document = read(&records::binary(&records)).unwrap();
    assert_eq!((document.takes[0].begin.0, document.takes[0].end.0), (0.0, 1.0));
}

#[test]
fn a_file_cut_anywhere_says_at_which_byte_more_was_expected() {
    for name in ["chain", "chain-text", "face", "face-text"] {
        let bytes = named(name);
        for length in 1..bytes.len() {
            let cut = &bytes[..length];
            let last_line = cut.rsplit(|byte| *byte == b'\n').next().unwrap();
            // Outside of all braces nobody sees that a word is half of another.
            let is_of_text = name.ends_with("text") && !last_line.starts_with(b"\t");
            let Some(message) = read(cut).err().filter(|_| !is_of_text) else { continue };
            let expected = format!(
                "fbx-truncated: fbx: byte {length:#x}: expected more bytes, found the end of the file"
            );
            assert!(message.starts_with(&expected), "{name}: {message}");
        }
    }
}
