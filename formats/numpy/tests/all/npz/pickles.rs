//! Pickles built operation by operation, and pickles that attack.

use crate::npz::fixtures::{How, Zip, npy};
use dopesheet_core::diag::{Place, ReadError, Report};
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use dopesheet_numpy::Npz;
use dopesheet_numpy::npz::{Array, Document};
use dopesheet_testkit::{assert_every_flip, assert_every_prefix};

/// A pickle of protocol 2 whose value the parts make.
pub(crate) fn pickle(parts: &[&[u8]]) -> Vec<u8> {
    [&b"\x80\x02"[..], &parts.concat(), b"."].concat()
}

pub(crate) fn text(word: &str) -> Vec<u8> {
    [b"X", &(word.len() as u32).to_le_bytes()[..], word.as_bytes()].concat()
}

pub(crate) fn float(number: f64) -> Vec<u8> {
    [b"G", &number.to_be_bytes()[..]].concat()
}

/// A list of texts.
pub(crate) fn texts(words: &[&str]) -> Vec<u8> {
    [&b"]("[..], &words.iter().flat_map(|word| text(word)).collect::<Vec<_>>(), b"e"].concat()
}

/// A tuple of lengths.
fn shape(lengths: &[usize]) -> Vec<u8> {
    let items = lengths.iter().flat_map(|length| [b"J", &(*length as u32).to_le_bytes()[..]].concat());
    [&b"("[..], &items.collect::<Vec<_>>(), b"t"].concat()
}

/// An array of doubles as NumPy pickles it.
pub(crate) fn array(lengths: &[usize], values: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|number| number.to_le_bytes()).collect();
    [
        &b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R(K\x01"[..],
        &shape(lengths),
        b"cnumpy\ndtype\n",
        &text("f8"),
        b"\x89\x88\x87R(K\x03",
        &text("<"),
        b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89B",
        &(data.len() as u32).to_le_bytes(),
        &data,
        b"tb",
    ]
    .concat()
}

/// A dictionary.
pub(crate) fn dict(items: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let items = items.iter().flat_map(|(name, value)| [text(name), value.clone()].concat());
    [&b"}("[..], &items.collect::<Vec<_>>(), b"u"].concat()
}

/// What MDM saves: a dictionary in an array of one object.
pub(crate) fn results(samples: usize, frames: usize, lengths: &[f64], more: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let motion: Vec<f64> = (0..samples * 66 * frames).map(|n| n as f64 / 100.0).collect();
    let mut items = vec![
        ("motion", array(&[samples, 22, 3, frames], &motion)),
        ("text", texts(&["walks", "jumps"][..samples])),
        ("lengths", array(&[samples], lengths)),
    ];
    items.extend(more.iter().cloned());
    let object = [
        &b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R(K\x01)cnumpy\ndtype\n"
            [..],
        &text("O8"),
        b"\x89\x88\x87R(K\x03",
        &text("|"),
        b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?tb\x89]",
        &dict(&items),
        b"atb",
    ];
    npy("|O", "()", &pickle(&object))
}

/// A robot as GMR saves it: two bodies on two frames, of which the root goes and turns.
pub(crate) fn gmr() -> Vec<u8> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    pickle(&[&dict(&[
        ("fps", float(30.0)),
        ("root_pos", array(&[2, 3], &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0])),
        ("root_rot", array(&[2, 4], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half])),
        ("dof_pos", array(&[2, 1], &[0.5, 0.25])),
        ("local_body_pos", array(&[2, 2, 3], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0].repeat(2))),
        ("link_body_list", texts(&["pelvis", "hand"])),
    ])])
}

/// A body as AIST++ has it, on two frames.
pub(crate) fn aist() -> Vec<u8> {
    let poses: Vec<f64> = (0..144).map(|n| if n % 7 == 0 { 0.1 } else { 0.0 }).collect();
    pickle(&[&dict(&[
        ("smpl_poses", array(&[2, 72], &poses)),
        ("smpl_trans", array(&[2, 3], &[0.0, 90.0, 0.0, 45.0, 90.0, 9.0])),
        ("smpl_scaling", array(&[1], &[90.0])),
        ("offsets", array(&[24, 3], &[0.0; 72])),
    ])])
}

/// A body as AIST++ has it, with an array that has fewer elements than its shape says.
pub(crate) fn without_elements() -> Vec<u8> {
    let poses: Vec<f64> = vec![0.0; 72];
    pickle(&[&dict(&[
        ("smpl_poses", array(&[1, 72], &poses)),
        ("smpl_trans", array(&[1, 3], &[0.0, 90.0, 0.0])),
        ("smpl_scaling", array(&[1], &[90.0])),
        ("offsets", array(&[24, 3], &[0.0; 72])),
        ("smpl_loss", array(&[7], &[0.0; 3])),
    ])])
}

/// A tensor as PyTorch pickles it, on a storage of `count` numbers.
pub(crate) fn tensor(
    storage: &str,
    key: &str,
    count: usize,
    lengths: &[usize],
    strides: &[usize],
) -> Vec<u8> {
    [
        &b"ctorch._utils\n_rebuild_tensor_v2\n(("[..],
        &text("storage"),
        format!("ctorch\n{storage}\n").as_bytes(),
        &text(key),
        &text("cpu"),
        b"J",
        &(count as u32).to_le_bytes(),
        b"tQK\x00",
        &shape(lengths),
        &shape(strides),
        b"\x89ccollections\nOrderedDict\n)RtR",
    ]
    .concat()
}

/// A body of 22 joints on two frames as PyTorch saves it, with translations that are stored by axes; with operations before it.
pub(crate) fn torch(before: &[u8]) -> Vec<u8> {
    torch_with(before, 132)
}

/// As [`torch`], with so many numbers in the storage of the poses, which needs 132.
pub(crate) fn torch_with(before: &[u8], stored: u8) -> Vec<u8> {
    let items = dict(&[
        ("poses", tensor("FloatStorage", "0", 132, &[2, 66], &[66, 1])),
        ("trans", tensor("DoubleStorage", "1", 6, &[2, 3], &[1, 2])),
        ("offsets", tensor("FloatStorage", "0", 132, &[22, 3], &[3, 1])),
        ("mocap_framerate", float(30.0)),
    ]);
    let poses: Vec<u8> = (0..stored).flat_map(|n| (f32::from(n) / 1000.0).to_le_bytes()).collect();
    let trans: Vec<u8> = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0f64].iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut zip = Zip::default();
    zip.put_file("body/data.pkl", &pickle(&[before, &items]), How::default());
    zip.put_file("body/byteorder", b"little", How::default());
    zip.put_file("body/data/0", &poses, How::default());
    zip.put_file("body/data/1", &trans, How::default());
    zip.put_file("body/version", b"3\n", How::default());
    zip.finish()
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    Npz::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default())
}

/// The code, the byte and the message of a pickle that is refused.
fn refused(bytes: &[u8]) -> (&'static str, u64, String) {
    let error = read(bytes).unwrap_err();
    let Place::Byte(at) = error.fault.place else { panic!("{error}") };
    (error.fault.code, at.0, error.to_string())
}

#[test]
fn whatever_names_anything_but_arrays_is_refused_with_its_byte() {
    let stack_global = [&text("os")[..], &text("system"), b"\x93"].concat();
    // The names come out of memory, and from a text that was made of another.
    let computed = [&text("system")[..], b"q\x000", &text("posix"), b"h\x00\x93"].concat();
    let of_latin =
        [&b"c_codecs\nencode\n"[..], &text("os"), &text("latin1"), b"\x86R", &text("system"), b"\x93"]
            .concat();
    let within = [&b"cnumpy\nndarray\n("[..], b"cbuiltins\neval\n", &text("1+1"), b"\x85RtR"].concat();
    for (parts, at, name) in [
        (&b"cos\nsystem\n"[..], 2, "os.system"),
        (b"cposix\nsystem\n", 2, "posix.system"),
        (b"cnt\nsystem\n", 2, "nt.system"),
        (b"c__builtin__\neval\n", 2, "__builtin__.eval"),
        (b"cbuiltins\nexec\n", 2, "builtins.exec"),
        (b"cbuiltins\ngetattr\n", 2, "builtins.getattr"),
        (b"csubprocess\nPopen\n", 2, "subprocess.Popen"),
        (b"cnumpy\nload\n", 2, "numpy.load"),
        (b"cnumpy.testing._private.utils\nrunstring\n", 2, "numpy.testing._private.utils.runstring"),
        (b"ctorch.serialization\nload\n", 2, "torch.serialization.load"),
        (b"cnumpy\nndarray.__reduce__\n", 2, "numpy.ndarray.__reduce__"),
        (b"(S'x'\nios\nsystem\n", 8, "os.system"),
        (&stack_global, 20, "os.system"),
        (&computed, 28, "posix.system"),
        (&of_latin, 49, "os.system"),
        (&within, 18, "builtins.eval"),
    ] {
        let (code, byte, message) = refused(&pickle(&[parts]));
        assert_eq!((code, byte), ("npz-pickle-global", at), "{message}");
        assert!(message.ends_with(&format!("found {name}; nothing was run")), "{message}");
    }
}

#[test]
fn what_makes_objects_of_classes_is_refused() {
    let array_class = b"cnumpy\nndarray\n";
    for parts in [
        &[&array_class[..], b")\x81"].concat()[..],
        &[&array_class[..], b")}\x92"].concat(),
        &[&b"("[..], array_class, b"o"].concat(),
        b"\x82\x01",
        b"\x83\x01\x00",
        b"\x84\x01\x00\x00\x00",
        b"\x97",
        b"Pfile\n",
        &[&text("file")[..], b"Q"].concat(),
        b"(inumpy\nndarray\n",
        // A class is nothing to call, and neither is what somebody called made.
        &[&array_class[..], b")R"].concat(),
        b"))R",
        b"ccollections\nOrderedDict\n)R)R",
        // The state of what nobody has made.
        b"}N}b0N}b",
        b"K\x00K\x01b",
    ] {
        let (code, _, message) = refused(&pickle(&[parts]));
        assert_eq!(code, "npz-pickle", "{message}");
    }
}

#[test]
fn counts_stacks_and_memories_that_lie_are_refused() {
    for (bytes, code) in [
        (&b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f."[..], "npz-truncated"),
        (b"\x80\x02B\xff\xff\xff\xff.", "npz-truncated"),
        (b"\x80\x02X\xff\xff\xff\x7f.", "npz-truncated"),
        (b"\x80\x02\x8b\xff\xff\xff\xff.", "npz-truncated"),
        (b"\x80\x02h\x07.", "npz-pickle"),
        (b"\x80\x02j\xff\xff\xff\xff.", "npz-pickle"),
        (b"\x80\x02.", "npz-pickle"),
        (b"\x80\x02t.", "npz-pickle"),
        (b"\x80\x02(.", "npz-pickle"),
        (b"\x80\x02N(K\x00\x86.", "npz-pickle"),
        (b"\x80\x02}K\x00(K\x01u.", "npz-pickle"),
        (b"\x80\x02](K\x00(u.", "npz-pickle"),
        (b"\x80\x02\xfe.", "npz-pickle"),
        (b"\x80\x02\x8a\x0900000000\x00.", "npz-pickle"),
        (b"\x80\x02N", "npz-truncated"),
    ] {
        assert_eq!(refused(bytes).0, code, "{bytes:?}");
    }
    let huge = dict(&[("motion", array(&[0x7fff_ffff, 22, 3, 9], &[]))]);
    assert_eq!(dopesheet_testkit::codes_of::<Npz>(&pickle(&[&huge])), ["npz-pickled-array", "npz-no-motion"]);
}

#[test]
fn depth_and_references_cost_what_the_file_costs() {
    // Lists in lists, a hundred thousand deep.
    let deep = pickle(&[&b"]".repeat(100_000), &b"a".repeat(99_999)]);
    assert_eq!(dopesheet_testkit::codes_of::<Npz>(&deep), ["npz-pickled-array", "npz-no-motion"]);
    // Each list holds the one before twice: 2^60 texts, if somebody followed them.
    let mut doubled = [&text("a")[..], b"q\x00"].concat();
    for at in 0..60u8 {
        doubled.extend([b'0', b']', b'(', b'h', at, b'h', at, b'e', b'q', at + 1]);
    }
    let bomb = pickle(&[&b"}"[..], &text("text"), &doubled, b"s"]);
    assert_eq!(dopesheet_testkit::codes_of::<Npz>(&bomb), ["npz-pickled-array", "npz-no-motion"]);
    // A list that holds itself.
    let own = pickle(&[&b"}"[..], &text("poses"), b"]q\x00h\x00as"]);
    assert_eq!(dopesheet_testkit::codes_of::<Npz>(&own), ["npz-pickled-array", "npz-no-motion"]);
    // A long text a thousand times beside short ones, which an array would fill up to its length.
    let long = [&text(&"x".repeat(60_000))[..], b"q\x00"].concat();
    let list = [&b"]("[..], &long, &b"h\x00".repeat(1_000), &text("y").repeat(5_000), b"e"].concat();
    let wide = pickle(&[&dict(&[("text", list)])]);
    assert_eq!(dopesheet_testkit::codes_of::<Npz>(&wide), ["npz-no-motion"]);
    // A text that is made bytes of again and again.
    let encode = b"c_codecs\nencode\nh\x00h\x01\x86R0".repeat(1_000);
    let again = pickle(&[&long, &text("latin1"), b"q\x01", &encode]);
    assert_eq!(refused(&again).0, "npz-pickle");
    // Five thousand names for one dictionary of five thousand.
    let names = |count: usize, value: &[u8]| -> Vec<u8> {
        (0..count).flat_map(|name| [text(&name.to_string()), value.to_vec()].concat()).collect()
    };
    let inner = [&b"}("[..], &names(5_000, b"N"), b"uq\x000"].concat();
    let many = pickle(&[&inner, b"}(", &names(5_000, b"h\x00"), b"u"]);
    assert_eq!(dopesheet_testkit::codes_of::<Npz>(&many), ["npz-pickled-array", "npz-no-motion"]);
    // More operations than any array needs.
    assert_eq!(refused(&pickle(&[&b"N0".repeat(400_000)])).0, "npz-pickle");
}

#[test]
fn a_pickle_that_is_cut_or_changed_anywhere_is_refused_or_read_only() {
    for bytes in [gmr(), aist()] {
        assert_every_prefix::<Npz>(&bytes, &[]);
    }
    assert_every_flip::<Npz>(&gmr());
    // The number of their bytes stands nowhere, so that a part of them is an array without its last operation.
    let small = results(1, 1, &[1.0], &[]);
    assert_every_prefix::<Npz>(&small, &[]);
}

#[test]
fn a_file_that_is_a_pickle_is_refused_by_the_writer_with_the_way_out() {
    for (bytes, name) in
        [(gmr(), "gmr.pkl"), (torch(&[]), "body.pt"), (results(1, 1, &[1.0], &[]), "mdm.npy")]
    {
        let document = read(&bytes).unwrap();
        for file_name in [None, Some(name.to_owned())] {
            let error = Npz::write(&document, &WriteOptions { file_name }).unwrap_err();
            assert_eq!(
                error.to_string(),
                "npz: file: expected arrays, which are written back (convert the file with -t npz), found a pickle, which is only read"
            );
            assert_eq!(Npz::read_only(&document), Some(*error.fault));
        }
    }
}

#[test]
fn a_hostile_pickle_in_an_array_or_an_archive_is_refused_with_its_byte_in_the_file() {
    let names = b"cos\nsystem\n";
    let array = npy("|O", "()", &pickle(&[names]));
    let mut deflated = Zip::default();
    deflated.put_file(
        "body/data.pkl",
        &pickle(&[names, &b"0".repeat(40)]),
        How { deflated: true, ..How::default() },
    );
    for (bytes, path) in [
        (array, "pickle"),
        (torch(b"cos\nsystem\n0"), "body/data.pkl"),
        (deflated.finish(), "body/data.pkl (byte 0x2 after decompression)"),
    ] {
        let (code, byte, message) = refused(&bytes);
        assert_eq!(code, "npz-pickle-global", "{message}");
        assert!(message.contains(&format!("({path})")), "{message}");
        let is_at_its_byte = bytes[usize::try_from(byte).unwrap()..].starts_with(names);
        assert!(is_at_its_byte || path.contains("decompression"), "{message}");
    }
}

#[test]
fn all_spellings_of_numbers_and_texts_are_read() {
    let of = |value: &[u8]| {
        let document = read(&pickle(&[&dict(&[("a", value.to_vec())])])).unwrap();
        document.array("a").cloned().unwrap()
    };
    for (spelling, number) in [
        (&b"I01\n"[..], 1.0),
        (b"I00\n", 0.0),
        (b"I-7\n", -7.0),
        (b"L12345678901L\n", 12_345_678_901.0),
        (b"F1.5e3\n", 1500.0),
        (b"K\x07", 7.0),
        (b"M\x01\x02", 513.0),
        (b"J\xff\xff\xff\xff", -1.0),
        (b"\x8a\x01\xff", -1.0),
        (b"\x8a\x00", 0.0),
        (b"G?\xf0\x00\x00\x00\x00\x00\x00", 1.0),
        (b"\x95\x00\x00\x00\x00\x00\x00\x00\x00K\x02\x94", 2.0),
        (b"K\x03p7\n0g7\n", 3.0),
        (b"K\x04(120", 4.0),
    ] {
        assert_eq!(Array::numbers(&of(spelling)).unwrap(), [number], "{spelling:?}");
    }
    for (spelling, text) in [
        (&b"S'a\\x41\\n'\n"[..], "aA\n"),
        (b"Vu\\u3072\n", "u\u{3072}"),
        (b"T\x02\x00\x00\x00ab", "ab"),
        (b"U\x01c", "c"),
        (b"C\x01d", "d"),
        (b"\x8c\x01a", "a"),
        (b"\x8d\x01\x00\x00\x00\x00\x00\x00\x00b", "b"),
        (b"\x96\x01\x00\x00\x00\x00\x00\x00\x00c", "c"),
    ] {
        assert_eq!(Array::strings(&of(spelling)).unwrap(), [text], "{spelling:?}");
    }
    for bytes in [&b"(dp0\n."[..], b"]q\x00.", b"\x80\x02](I1\nlp7\ng7\n(d0(t220(1}."] {
        assert!(read(bytes).is_ok(), "{bytes:?}");
    }
}
