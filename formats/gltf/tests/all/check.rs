//! Fixtures, each about one thing, and what reading and checking say of them. The compressed rotations are those of
//! `walk` as meshoptimizer 1.3.0 encodes them.

use crate::common::{Draft, chunk, glb, said, surface, to_scene, try_read, walk, write};
use dopesheet_core::format::Format;
use dopesheet_gltf::{Glb, Gltf};
use dopesheet_testkit as testkit;
use std::collections::BTreeSet;
use std::path::Path;

/// Room, folder, file, the code it is about, bytes.
struct Fixture(&'static str, &'static str, &'static str, &'static str, Vec<u8>);

/// Folder, file, code, and what is replaced by what.
type Changed = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Text fixtures that are `walk` with some places changed.
#[rustfmt::skip]
const CHANGED: &[Changed] = &[
    ("valid", "walk.gltf", "NODE_EMPTY", &[]),
    ("invalid", "cut.gltf", "INVALID_JSON", &[("}],\"buffers\"", "}],\"buf")]),
    ("invalid", "nodes-object.gltf", "TYPE_MISMATCH", &[("[{\"name\":\"hip\",\"children\":[1]},{\"name\":\"leg\"}]", "{}")]),
    ("invalid", "sampler-without-output.gltf", "UNDEFINED_PROPERTY", &[("{\"input\":0,\"output\":1}", "{\"input\":0}")]),
    ("invalid", "translation-of-two.gltf", "ARRAY_LENGTH_NOT_IN_LIST", &[("\"name\":\"leg\"", "\"name\":\"leg\",\"translation\":[1,2]")]),
    ("invalid", "count-zero.gltf", "VALUE_NOT_IN_RANGE", &[("\"count\":3,\"type\":\"VEC4\"", "\"count\":0,\"type\":\"VEC4\"")]),
    ("invalid", "index-negative.gltf", "INVALID_INDEX", &[("\"children\":[1]", "\"children\":[-1]")]),
    ("invalid", "component-unknown.gltf", "VALUE_NOT_IN_LIST", &[("\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"", "\"componentType\":5130,\"count\":3,\"type\":\"VEC4\"")]),
    ("invalid", "node-missing.gltf", "UNRESOLVED_REFERENCE", &[("\"node\":1,\"path\":\"rotation\"", "\"node\":9,\"path\":\"rotation\"")]),
    ("invalid", "version-1.gltf", "UNKNOWN_ASSET_MAJOR_VERSION", &[("\"version\":\"2.0\"", "\"version\":\"1.0\"")]),
    ("invalid", "node-loop.gltf", "NODE_LOOP", &[("\"name\":\"leg\"", "\"name\":\"leg\",\"children\":[0]")]),
    ("invalid", "two-parents.gltf", "NODE_PARENT_OVERRIDE", &[("{\"name\":\"leg\"}", "{\"name\":\"leg\"},{\"children\":[1]}")]),
    ("invalid", "buffer-short.gltf", "BUFFER_BYTE_LENGTH_MISMATCH", &[("@BUFFER", "\"byteLength\":96,\"uri\":\"data:;base64,AAAA\"")]),
    ("invalid", "view-past-buffer.gltf", "BUFFER_VIEW_TOO_LONG", &[("\"byteOffset\":48", "\"byteOffset\":52")]),
    ("invalid", "accessor-past-view.gltf", "ACCESSOR_TOO_LONG", &[("\"byteOffset\":12,\"byteLength\":36", "\"byteOffset\":12,\"byteLength\":32")]),
    ("invalid", "stride-small.gltf", "ACCESSOR_SMALL_BYTESTRIDE", &[("\"byteOffset\":12,\"byteLength\":36", "\"byteOffset\":12,\"byteLength\":36,\"byteStride\":8")]),
    ("invalid", "sparse-count.gltf", "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", &[("\"type\":\"VEC3\"", "\"type\":\"VEC3\",\"sparse\":{\"count\":4,\"indices\":{\"bufferView\":0,\"componentType\":5125},\"values\":{\"bufferView\":1}}")]),
    ("invalid", "output-count.gltf", "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", &[("\"count\":3,\"type\":\"VEC3\"", "\"count\":2,\"type\":\"VEC3\"")]),
    ("invalid", "uri-climbs.gltf", "INVALID_URI", &[("@BUFFER", "\"byteLength\":96,\"uri\":\"..%2Fwalk.bin\"")]),
    ("invalid", "file-missing.gltf", "IO_ERROR", &[("@BUFFER", "\"byteLength\":96,\"uri\":\"walk%20data.bin\"")]),
    ("invalid", "four-billion-zeros.gltf", "gltf-limit", &[("\"bufferView\":1,\"componentType\":5126,\"count\":3", "\"componentType\":5126,\"count\":4000000000")]),
    ("invalid", "extension-unknown.gltf", "gltf-ext-required", &[("\"scene\":0", "\"extensionsUsed\":[\"EXT_upside_down\"],\"extensionsRequired\":[\"EXT_upside_down\"],\"scene\":0")]),
    ("invalid", "min-wrong.gltf", "ACCESSOR_MIN_MISMATCH", &[("\"min\":[0]", "\"min\":[0.25]")]),
    ("invalid", "max-wrong.gltf", "ACCESSOR_MAX_MISMATCH", &[("\"max\":[1]", "\"max\":[2]")]),
    ("invalid", "floats-normalised.gltf", "ACCESSOR_NORMALIZED_INVALID", &[("\"type\":\"SCALAR\"", "\"type\":\"SCALAR\",\"normalized\":true")]),
    ("invalid", "offset-odd.gltf", "ACCESSOR_OFFSET_ALIGNMENT", &[("\"bufferView\":1,", "\"bufferView\":1,\"byteOffset\":2,"), ("\"byteOffset\":12,\"byteLength\":36", "\"byteOffset\":12,\"byteLength\":38")]),
    ("invalid", "view-odd.gltf", "ACCESSOR_TOTAL_OFFSET_ALIGNMENT", &[("\"byteOffset\":12,\"byteLength\":36", "\"byteOffset\":10,\"byteLength\":36")]),
    ("invalid", "sparse-past-end.gltf", "ACCESSOR_SPARSE_INDEX_OOB", &[("\"type\":\"VEC3\"", "\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5125},\"values\":{\"bufferView\":1}}")]),
    ("invalid", "sparse-order.gltf", "ACCESSOR_SPARSE_INDICES_NON_INCREASING", &[("\"type\":\"VEC3\"", "\"type\":\"VEC3\",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":1}}")]),
    ("invalid", "matrix-animated.gltf", "ANIMATION_CHANNEL_TARGET_NODE_MATRIX", &[("\"name\":\"leg\"", "\"name\":\"leg\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,2,0,1]")]),
    ("invalid", "weights-without-morphs.gltf", "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", &[("\"path\":\"translation\"", "\"path\":\"weights\""), ("\"type\":\"VEC3\"", "\"type\":\"SCALAR\"")]),
    ("invalid", "target-twice.gltf", "ANIMATION_DUPLICATE_TARGETS", &[("\"path\":\"rotation\"", "\"path\":\"translation\"")]),
    ("invalid", "animation-stride.gltf", "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", &[("\"byteOffset\":12,\"byteLength\":36", "\"byteOffset\":12,\"byteLength\":36,\"byteStride\":12")]),
    ("invalid", "input-vectors.gltf", "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", &[("{\"input\":0,\"output\":1}", "{\"input\":1,\"output\":1}")]),
    ("invalid", "cubic-one-key.gltf", "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", &[("{\"input\":0,\"output\":1}", "{\"input\":3,\"interpolation\":\"CUBICSPLINE\",\"output\":1}"), ("\"accessors\":[", "\"accessors\":["), ("\"type\":\"VEC4\"}", "\"type\":\"VEC4\"},{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"min\":[0],\"max\":[0]}")]),
    ("invalid", "input-without-bounds.gltf", "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", &[(",\"min\":[0],\"max\":[1]", "")]),
    ("invalid", "output-type.gltf", "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", &[("{\"input\":0,\"output\":1}", "{\"input\":0,\"output\":0}")]),
    ("invalid", "zfar-near.gltf", "CAMERA_ZFAR_LEQUAL_ZNEAR", &[("\"scene\":0", "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1,\"zfar\":0.5}}],\"scene\":0")]),
    ("invalid", "array-empty.gltf", "EMPTY_ENTITY", &[("\"scene\":0", "\"meshes\":[],\"scene\":0")]),
    ("invalid", "mesh-weights.gltf", "MESH_INVALID_WEIGHTS_COUNT", &[("\"scene\":0", "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}],\"weights\":[1]}],\"scene\":0")]),
    ("invalid", "targets-unequal.gltf", "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &[("\"scene\":0", "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"targets\":[{\"POSITION\":1}]},{\"attributes\":{\"POSITION\":1}}]}],\"scene\":0")]),
    ("invalid", "node-weights.gltf", "NODE_WEIGHTS_INVALID", &[("\"scene\":0", "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],\"scene\":0"), ("\"name\":\"leg\"", "\"name\":\"leg\",\"mesh\":0,\"weights\":[1]")]),
    ("invalid", "matrix-and-scale.gltf", "NODE_MATRIX_TRS", &[("\"name\":\"hip\"", "\"name\":\"hip\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,2,0,1],\"scale\":[2,2,2]")]),
    ("invalid", "matrix-flat.gltf", "NODE_MATRIX_NON_TRS", &[("\"name\":\"hip\"", "\"name\":\"hip\",\"matrix\":[1,0,0,0,0,0,0,0,0,0,1,0,0,2,0,1]")]),
    ("invalid", "media-type.gltf", "BUFFER_DATA_URI_MIME_TYPE_INVALID", &[("\"bufferView\":0,\"componentType\":5126,\"count\":3", "\"bufferView\":0,\"componentType\":5126,\"count\":3"), ("{@BUFFER}", "{@BUFFER},{\"byteLength\":3,\"uri\":\"data:text\\/plain;base64,AAAA\"}")]),
    ("quirk", "matrix-sheared.gltf", "gltf-w-shear", &[("\"name\":\"hip\"", "\"name\":\"hip\",\"matrix\":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,2,0,1]")]),
    ("invalid", "rotation-long.gltf", "ROTATION_NON_UNIT", &[("\"name\":\"leg\"", "\"name\":\"leg\",\"rotation\":[0,0,0,0.9]")]),
    ("invalid", "scene-names-child.gltf", "SCENE_NON_ROOT_NODE", &[("\"scenes\":[{\"nodes\":[0]}]", "\"scenes\":[{\"nodes\":[0,1]}]")]),
    ("invalid", "extension-undeclared.gltf", "UNDECLARED_EXTENSION", &[("\"name\":\"leg\"", "\"name\":\"leg\",\"extensions\":{\"EXT_sock\":{}}")]),
    ("invalid", "pointer-nowhere.gltf", "gltf-pointer-missing", &[("\"scene\":0", "\"extensionsUsed\":[\"KHR_animation_pointer\"],\"scene\":0"), ("{\"node\":1,\"path\":\"translation\"}", "{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"/cameras/0/perspective/yfov\"}}}")]),
    ("quirk", "yfov-half-turn.gltf", "CAMERA_YFOV_GEQUAL_PI", &[("\"scene\":0", "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":3.2,\"znear\":1}}],\"scene\":0")]),
    ("quirk", "skinned-node-animated.gltf", "ANIMATION_CHANNEL_TARGET_NODE_SKIN", &[("\"name\":\"leg\"", "\"name\":\"leg\",\"skin\":0"), ("\"scene\":0", "\"skins\":[{\"joints\":[0]}],\"scene\":0")]),
    ("quirk", "interpolation-unknown.gltf", "VALUE_NOT_IN_LIST", &[("{\"input\":0,\"output\":1}", "{\"input\":0,\"interpolation\":\"EASE\",\"output\":1}")]),
    ("quirk", "extras-number.gltf", "NON_OBJECT_EXTRAS", &[("\"name\":\"leg\"", "\"name\":\"leg\",\"extras\":3")]),
    ("quirk", "matrix-identity.gltf", "NODE_MATRIX_DEFAULT", &[("\"name\":\"hip\"", "\"name\":\"hip\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]")]),
    ("quirk", "mesh-weights-unused.gltf", "UNUSED_MESH_WEIGHTS", &[("\"scene\":0", "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"targets\":[{\"POSITION\":1}]}],\"weights\":[1]}],\"scene\":0"), ("\"name\":\"leg\"", "\"name\":\"leg\",\"mesh\":0,\"weights\":[0]")]),
    ("quirk", "channel-without-node.gltf", "gltf-w-dropped", &[("{\"node\":1,\"path\":\"rotation\"}", "{\"path\":\"rotation\"}")]),
    ("quirk", "white-space.gltf", "NODE_EMPTY", &[("{\"asset\"", " {\n\t\"asset\""), ("\"buffers\":[", "\"buffers\" :\r\n [ ")]),
    ("valid", "draco.gltf", "NODE_EMPTY", &[("\"scene\":0", "\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":3,\"NORMAL\":4},\"indices\":5,\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":2,\"attributes\":{\"POSITION\":0,\"NORMAL\":1}}}}]}],\"scene\":0"), ("\"name\":\"hip\"", "\"name\":\"hip\",\"mesh\":0"), ("\"type\":\"VEC4\"}", "\"type\":\"VEC4\"},{\"componentType\":5126,\"count\":24,\"type\":\"VEC3\",\"min\":[-1,-1,-1],\"max\":[1,1,1]},{\"componentType\":5126,\"count\":24,\"type\":\"VEC3\"},{\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\",\"min\":[0],\"max\":[23]}")]),
    ("valid", "accessor-without-view.gltf", "NODE_EMPTY", &[("\"type\":\"VEC4\"}", "\"type\":\"VEC4\"},{\"componentType\":5126,\"count\":24,\"type\":\"VEC3\",\"min\":[-1,-1,-1],\"max\":[1,1,1]}")]),
    ("valid", "sparse-without-view.gltf", "NODE_EMPTY", &[("\"type\":\"VEC4\"}", "\"type\":\"VEC4\"},{\"componentType\":5126,\"count\":24,\"type\":\"VEC3\",\"min\":[0,-1,0],\"max\":[0,0,0],\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5121},\"values\":{\"bufferView\":1}}}")]),
    ("invalid", "sparse-min-wrong.gltf", "ACCESSOR_MIN_MISMATCH", &[("\"type\":\"VEC4\"}", "\"type\":\"VEC4\"},{\"componentType\":5126,\"count\":24,\"type\":\"VEC3\",\"min\":[-1,-1,0],\"max\":[0,0,0],\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5121},\"values\":{\"bufferView\":1}}}")]),
    ("valid", "compressed.gltf", "NODE_EMPTY", &[("\"scene\":0", "\"extensionsUsed\":[\"EXT_meshopt_compression\"],\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"scene\":0"), ("{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}", "{\"buffer\":1,\"byteLength\":48,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":2,\"byteLength\":91,\"byteStride\":16,\"count\":3,\"mode\":\"ATTRIBUTES\"}}}"), ("{@BUFFER}", "{@BUFFER},{\"byteLength\":48,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}},{\"byteLength\":91,\"uri\":\"data:application/octet-stream;base64,oAE8AAAAGRoBPAAAAAgHATwAAABqaQE8AAAAfn0AAAAAAAAAAAE8AAAAGRoBPAAAAAgHATwAAACVlgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAPw==\"}")]),
    ("invalid", "compressed-odd.gltf", "gltf-meshopt", &[("\"scene\":0", "\"extensionsUsed\":[\"EXT_meshopt_compression\"],\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"scene\":0"), ("{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}", "{\"buffer\":1,\"byteLength\":48,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":2,\"byteLength\":91,\"byteStride\":16,\"count\":3,\"mode\":\"ATTRIBUTES\"}}}"), ("{@BUFFER}", "{@BUFFER},{\"byteLength\":48,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}},{\"byteLength\":91,\"uri\":\"data:application/octet-stream;base64,4AE8AAAAGRoBPAAAAAgHATwAAABqaQE8AAAAfn0AAAAAAAAAAAE8AAAAGRoBPAAAAAgHATwAAACVlgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAPw==\"}")]),
];

fn text_fixtures() -> Vec<Fixture> {
    let changed = CHANGED.iter().map(|(folder, name, code, swaps)| {
        let draft =
            swaps.iter().filter(|(a, b)| a != b).fold(walk(), |draft, (from, to)| draft.swap(from, to));
        Fixture("gltf", folder, name, code, draft.gltf())
    });
    let data = [
        (
            "invalid",
            "times-negative.gltf",
            "ACCESSOR_ANIMATION_INPUT_NEGATIVE",
            walk().float(0, -0.5).swap("\"min\":[0]", "\"min\":[-0.5]"),
        ),
        ("invalid", "times-equal.gltf", "ACCESSOR_ANIMATION_INPUT_NON_INCREASING", walk().float(1, 0.0)),
        (
            "invalid",
            "rotation-key-long.gltf",
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            walk().float(15, 2.0),
        ),
        ("invalid", "not-a-number.gltf", "ACCESSOR_INVALID_FLOAT", walk().float(5, f32::NAN)),
    ];
    let data =
        data.into_iter().map(|(folder, name, code, draft)| Fixture("gltf", folder, name, code, draft.gltf()));
    let surface = Fixture("gltf", "valid", "surface.gltf", "", surface().gltf());
    changed.chain(data).chain([surface]).collect()
}

fn changed_bytes(bytes: &[u8], at: usize, to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

/// The same chunks under a header that declares their length.
fn with_chunks(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = glb("", None)[..12].to_vec();
    bytes.extend(chunks.concat());
    let length = bytes.len() as u32;
    changed_bytes(&bytes, 8, &length.to_le_bytes())
}

fn glb_fixtures() -> Vec<Fixture> {
    let whole = walk().glb();
    let json = Draft { json: walk().json.replace("@BUFFER", "\"byteLength\":96"), data: walk().data };
    let (text, bin) = (chunk(b"JSON", json.json.as_bytes(), b' '), chunk(b"BIN\0", &json.data, 0));
    let bare = chunk(b"JSON", br#"{"asset":{"version":"2.0"}}"#, b' ');
    let unaligned = {
        let mut text = bare.clone();
        text.truncate(text.len() - 1);
        changed_bytes(&text, 0, &((text.len() - 8) as u32).to_le_bytes())
    };
    let no_bin = walk().json.replace("@BUFFER", "\"byteLength\":96");
    let mut long = whole.clone();
    long.extend(b"tail");
    let length = whole.len() as u32;
    let fixtures = [
        ("valid", "walk.glb", "NODE_EMPTY", whole.clone()),
        ("valid", "surface.glb", "", surface().glb()),
        ("valid", "bare.glb", "", with_chunks(std::slice::from_ref(&bare))),
        ("invalid", "magic.glb", "GLB_INVALID_MAGIC", changed_bytes(&whole, 3, b"X")),
        ("invalid", "version-1.glb", "GLB_INVALID_VERSION", changed_bytes(&whole, 4, &[1])),
        ("invalid", "header-cut.glb", "GLB_UNEXPECTED_END_OF_HEADER", whole[..10].to_vec()),
        ("invalid", "length-zero.glb", "GLB_LENGTH_TOO_SMALL", changed_bytes(&whole, 8, &[0; 4])),
        (
            "invalid",
            "chunk-past-end.glb",
            "GLB_CHUNK_TOO_BIG",
            changed_bytes(&whole, 12, &9999u32.to_le_bytes()),
        ),
        ("invalid", "chunk-header-cut.glb", "GLB_UNEXPECTED_END_OF_CHUNK_HEADER", whole[..16].to_vec()),
        ("invalid", "data-cut.glb", "GLB_UNEXPECTED_END_OF_CHUNK_DATA", whole[..whole.len() - 4].to_vec()),
        ("invalid", "chunk-missing.glb", "GLB_LENGTH_MISMATCH", whole[..whole.len() - bin.len()].to_vec()),
        ("invalid", "bin-first.glb", "GLB_UNEXPECTED_FIRST_CHUNK", with_chunks(&[bin.clone(), text.clone()])),
        ("invalid", "json-twice.glb", "GLB_DUPLICATE_CHUNK", with_chunks(&[text.clone(), text.clone()])),
        (
            "invalid",
            "bin-third.glb",
            "GLB_UNEXPECTED_BIN_CHUNK",
            with_chunks(&[text.clone(), chunk(b"NOTE", b"hi", 0), bin.clone()]),
        ),
        ("invalid", "bin-missing.glb", "BUFFER_MISSING_GLB_DATA", glb(&no_bin, None)),
        ("invalid", "unaligned.glb", "GLB_CHUNK_LENGTH_UNALIGNED", with_chunks(&[unaligned])),
        (
            "quirk",
            "chunk-unknown.glb",
            "GLB_UNKNOWN_CHUNK_TYPE",
            with_chunks(&[text, bin, chunk(b"NOTE", b"hi", 0)]),
        ),
        ("quirk", "bin-empty.glb", "GLB_EMPTY_BIN_CHUNK", with_chunks(&[bare, chunk(b"BIN\0", &[], 0)])),
        ("quirk", "bytes-behind.glb", "GLB_EXTRA_DATA", changed_bytes(&long, 8, &length.to_le_bytes())),
        (
            "quirk",
            "bin-long.glb",
            "BUFFER_GLB_CHUNK_TOO_BIG",
            glb(&json.json, Some(&[&json.data[..], &[0; 8]].concat())),
        ),
        ("quirk", "data-uri.glb", "DATA_URI_GLB", glb(std::str::from_utf8(&walk().gltf()).unwrap(), None)),
    ];
    fixtures
        .into_iter()
        .map(|(folder, name, code, bytes)| Fixture("glb", folder, name, code, bytes))
        .collect()
}

fn fixtures() -> Vec<Fixture> {
    text_fixtures().into_iter().chain(glb_fixtures()).collect()
}

#[test]
fn the_fixtures_on_disk_are_those_built_here() {
    let mut names = BTreeSet::new();
    for Fixture(room, folder, name, _, bytes) in fixtures() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(room)
            .join("fixtures")
            .join(folder)
            .join(name);
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(testkit::bytes(&path) == bytes, "{}: run with UPDATE_FIXTURES=1", path.display());
        assert!(names.insert(path));
    }
    let on_disk = ["gltf", "glb"].into_iter().flat_map(|room| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room).join("fixtures");
        ["valid", "invalid", "quirk"]
            .into_iter()
            .flat_map(move |folder| testkit::files(&root.join(folder), &["gltf", "glb"], 1))
    });
    assert_eq!(on_disk.collect::<BTreeSet<_>>(), names);
}

#[test]
fn each_fixture_gives_the_code_it_is_about_and_only_invalid_ones_give_errors() {
    let mut seen = 0;
    for Fixture(_, folder, name, code, bytes) in fixtures() {
        let said = said(&bytes);
        assert!(code.is_empty() || said.iter().any(|(own, _)| own == code), "{name}: {said:?}");
        let is_error = said.iter().any(|(_, text)| text.starts_with("error"));
        assert_eq!(is_error, folder == "invalid", "{name}: {said:?}");
        seen += 1;
    }
    assert_eq!(seen, 90);
}

#[test]
fn accessors_whose_numbers_an_extension_holds_are_no_fault() {
    for name in ["draco.gltf", "accessor-without-view.gltf", "sparse-without-view.gltf"] {
        let Fixture(.., bytes) = fixtures().into_iter().find(|fixture| fixture.2 == name).unwrap();
        let said = said(&bytes);
        assert!(said.iter().all(|(code, _)| code == "NODE_EMPTY"), "{name}: {said:?}");
        assert_eq!(to_scene(&try_read(&bytes).unwrap()).0.clips[0].tracks.len(), 1, "{name}");
    }
}

#[test]
fn a_compressed_primitive_may_have_more_vertices_than_zeros_may_be_made() {
    let Fixture(.., bytes) = fixtures().into_iter().find(|fixture| fixture.2 == "draco.gltf").unwrap();
    let large = String::from_utf8(bytes).unwrap().replace("\"count\":24", "\"count\":20000000");
    assert_eq!(large.matches("20000000").count(), 2);
    let (scene, report) = to_scene(&try_read(large.as_bytes()).unwrap());
    assert_eq!((scene.meshes.len(), scene.clips.len()), (0, 1));
    assert!(
        matches!(&report.losses[..], [dopesheet_core::diag::Loss::Dropped { what, .. }] if what == "Draco primitives (1)"),
        "{:?}",
        report.losses
    );
    // Where something else reads the zeros of such an accessor, there would be too many of them.
    let read = large.replace("{\"input\":0,\"output\":1}", "{\"input\":0,\"output\":4}");
    assert_eq!(try_read(read.as_bytes()).unwrap_err().fault.code, "gltf-limit");
}

#[test]
fn messages_of_all_fixtures() {
    let line = |Fixture(_, _, name, _, bytes): Fixture| {
        let said = said(&bytes);
        let lines =
            said.iter().filter(|(code, _)| code != "NODE_EMPTY").map(|(_, text)| format!("  {text}\n"));
        format!("{name}\n{}", lines.collect::<String>())
    };
    insta::assert_snapshot!(fixtures().into_iter().map(line).collect::<String>());
}

#[test]
fn every_code_has_a_fixture_or_belongs_to_conversion() {
    let about: BTreeSet<&str> = fixtures().iter().map(|fixture| fixture.3).collect();
    // These are tested in tests/convert.rs and tests/attach.rs; the URI of a GLB needs a second file (below).
    let converting = ["URI_GLB", "gltf-shear", "gltf-w-ambiguous-name", "gltf-w-half-turn"];
    for check in Glb::INFO.checks {
        assert!(about.contains(check.code) != converting.contains(&check.code), "{}", check.code);
        assert!(!check.about.is_empty());
    }
    let of_gltf: Vec<_> = Gltf::INFO.checks.iter().map(|check| check.code).collect();
    assert!(of_gltf.iter().all(|code| !code.starts_with("GLB_")));
    assert!(Glb::INFO.checks.iter().filter(|check| !check.code.starts_with("GLB_")).count() == of_gltf.len());
}

#[test]
fn what_to_scene_mends() {
    let mut lines = String::new();
    for Fixture(_, folder, name, _, bytes) in fixtures() {
        let (Ok(document), true) = (try_read(&bytes), folder != "valid") else { continue };
        let mut report = dopesheet_core::diag::Report::default();
        match Glb::to_scene(&document, &Default::default(), &mut report) {
            Err(error) => lines += &format!("{name}\n  refused: {error}\n"),
            Ok(_) if report.findings.is_empty() && report.losses.is_empty() => {}
            Ok(_) => {
                let findings = report.findings.iter().map(ToString::to_string);
                let losses = report.losses.iter().map(|loss| format!("{loss:?}"));
                lines += &format!("{name}\n  {}\n", findings.chain(losses).collect::<Vec<_>>().join("\n  "));
            }
        }
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn accepted_fixtures_are_written_back_byte_for_byte() {
    let mut accepted = 0;
    for Fixture(_, _, name, _, bytes) in fixtures() {
        if let Ok(document) = try_read(&bytes) {
            assert!(write(&document) == bytes, "{name}");
            accepted += 1;
        }
    }
    assert_eq!(accepted, 58);
}

#[test]
fn a_file_beside_the_main_one_is_asked_for_and_handed_on() {
    use dopesheet_core::format::{ReadOptions, Source, WriteOptions};
    let draft = walk().swap("@BUFFER", r#""byteLength":96,"uri":"data/walk%20%C3%A9.bin""#);
    for is_glb in [false, true] {
        let bytes = if is_glb { glb(&draft.json, None) } else { draft.json.clone().into_bytes() };
        let wants = if is_glb { Glb::wants(&bytes) } else { Gltf::wants(&bytes) };
        assert_eq!(wants, ["data/walk é.bin"]);
        let mut source = Source::new(&bytes);
        source.resources.insert(wants[0].clone(), draft.data.clone());
        let (options, mut report) = (ReadOptions::default(), Default::default());
        let document = if is_glb {
            Glb::read(&source, &options, &mut report)
        } else {
            Gltf::read(&source, &options, &mut report)
        }
        .unwrap();
        let output = if is_glb {
            Glb::write(&document, &WriteOptions::default())
        } else {
            Gltf::write(&document, &WriteOptions::default())
        }
        .unwrap();
        assert_eq!((output.main, output.resources), (bytes, vec![(wants[0].clone(), draft.data.clone())]));
        assert_eq!(to_scene(&document).0.clips[0].tracks.len(), 1);
        if is_glb {
            Glb::check(&document, &mut report);
            assert!(report.findings.iter().any(|finding| finding.fault.code == "URI_GLB"));
        }
    }
}

#[test]
fn pictures_beside_the_main_file_are_handed_on_if_they_are_there() {
    use dopesheet_core::format::{ReadOptions, Source, WriteOptions};
    let text =
        br#"{"asset":{"version":"2.0"},"images":[{"uri":"a.png"},{"uri":"b.png"},{"uri":"../c.png"}]}"#;
    assert_eq!(Gltf::wants(text), ["a.png", "b.png"]);
    let mut source = Source::new(text);
    source.resources.insert("a.png".into(), vec![1, 2]);
    let document = Gltf::read(&source, &ReadOptions::default(), &mut Default::default()).unwrap();
    let output = Gltf::write(&document, &WriteOptions::default()).unwrap();
    assert_eq!(output.resources, [("a.png".to_owned(), vec![1, 2])]);
}

#[test]
fn every_prefix_and_every_flip_of_small_files() {
    for Fixture(room, folder, name, _, bytes) in fixtures() {
        if folder == "valid" && room == "glb" {
            testkit::assert_every_prefix::<Glb>(&bytes, &[]);
            testkit::assert_every_flip::<Glb>(&bytes);
        } else if name == "walk.gltf" || name == "white-space.gltf" {
            testkit::assert_every_prefix::<Gltf>(&bytes, &[]);
            testkit::assert_every_flip::<Gltf>(&bytes);
        }
    }
}
