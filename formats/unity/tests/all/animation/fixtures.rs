//! The files of `src/animation/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use dopesheet_testkit::{Fixture, assert_every_code_has_a_fixture, assert_fixtures_on_disk};
use dopesheet_unity::UnityAnim;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/animation/fixtures")
}

/// Text before the curves of a clip.
pub(crate) const HEAD: &str = "%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!74 &7400000
AnimationClip:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {fileID: 0}
  m_PrefabInstance: {fileID: 0}
  m_PrefabAsset: {fileID: 0}
  m_Name: Wave
  serializedVersion: 6
  m_Legacy: 0
  m_Compressed: 0
  m_UseHighQualityCurve: 1
";

/// A position with a cubic and a straight segment, a step at its end, and one weight.
pub(crate) const POSITION: &str = "  - curve:
      serializedVersion: 2
      m_Curve:
      - serializedVersion: 3
        time: 0
        value: {x: 1, y: 2, z: 3}
        inSlope: {x: 0, y: 0, z: 0}
        outSlope: {x: 4, y: 2, z: Infinity}
        tangentMode: 0
        weightedMode: 2
        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        outWeight: {x: 0.5, y: 0.25, z: 0.33333334}
      - serializedVersion: 3
        time: 0.5
        value: {x: 2, y: 3, z: -1.25}
        inSlope: {x: -2, y: 2, z: Infinity}
        outSlope: {x: 0, y: -1.5, z: 0}
        tangentMode: 0
        weightedMode: 0
        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
      - serializedVersion: 3
        time: 1.5
        value: {x: 2, y: 1.5, z: -1.25}
        inSlope: {x: 0, y: -1.5, z: 0}
        outSlope: {x: 0, y: 0, z: 0}
        tangentMode: 0
        weightedMode: 0
        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
      m_PreInfinity: 2
      m_PostInfinity: 2
      m_RotationOrder: 4
    path: Armature/Hips
";

/// A quarter turn about Y, with flat slopes.
const ROTATION: &str = "  - curve:
      serializedVersion: 2
      m_Curve:
      - serializedVersion: 3
        time: 0
        value: {x: 0, y: 0, z: 0, w: 1}
        inSlope: {x: 0, y: 0, z: 0, w: 0}
        outSlope: {x: 0, y: 0, z: 0, w: 0}
        tangentMode: 0
        weightedMode: 0
        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334, w: 0.33333334}
        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334, w: 0.33333334}
      - serializedVersion: 3
        time: 1
        value: {x: 0, y: 0.70710677, z: 0, w: 0.70710677}
        inSlope: {x: 0, y: 0, z: 0, w: 0}
        outSlope: {x: 0, y: 0, z: 0, w: 0}
        tangentMode: 0
        weightedMode: 0
        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334, w: 0.33333334}
        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334, w: 0.33333334}
      m_PreInfinity: 2
      m_PostInfinity: 1
      m_RotationOrder: 4
    path: Armature/Hips/Spine
";

/// Angles in degrees, straight.
const ANGLES: &str = "  - curve:
      serializedVersion: 2
      m_Curve:
      - serializedVersion: 3
        time: 0
        value: {x: 10, y: 20, z: 30}
        inSlope: {x: 30, y: 60, z: 90}
        outSlope: {x: 30, y: 60, z: 90}
        tangentMode: 0
        weightedMode: 0
        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
      - serializedVersion: 3
        time: 1
        value: {x: 40, y: 80, z: 120}
        inSlope: {x: 30, y: 60, z: 90}
        outSlope: {x: 30, y: 60, z: 90}
        tangentMode: 0
        weightedMode: 0
        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
      m_PreInfinity: 2
      m_PostInfinity: 2
      m_RotationOrder: 4
    path: Armature/Hips/Tail
";

/// A curve of one number with keys at the times 0 and 1.
pub(crate) fn number(attribute: &str, path: &str, class: i64, values: [&str; 2]) -> String {
    let key = |time: i64, value: &str| {
        format!(
            "      - serializedVersion: 3\n        time: {time}\n        value: {value}\n        inSlope: Infinity\n        \
             outSlope: Infinity\n        tangentMode: 103\n        weightedMode: 0\n        inWeight: 0.33333334\n        \
             outWeight: 0.33333334\n"
        )
    };
    format!(
        "  - curve:\n      serializedVersion: 2\n      m_Curve:\n{}{}      m_PreInfinity: 2\n      m_PostInfinity: 2\n      \
         m_RotationOrder: 4\n    attribute: {attribute}\n    path: {path}\n    classID: {class}\n    script: {{fileID: 0}}\n",
        key(0, values[0]),
        key(1, values[1])
    )
}

/// Text behind the curves of a clip, up to its events.
pub(crate) const TAIL: &str = "  m_SampleRate: 60
  m_WrapMode: 0
  m_Bounds:
    m_Center: {x: 0, y: 0, z: 0}
    m_Extent: {x: 0, y: 0, z: 0}
  m_ClipBindingConstant:
    genericBindings:
    - serializedVersion: 2
      path: 1234567890
      attribute: 1
      script: {fileID: 0}
      typeID: 4
    pptrCurveMapping: []
  m_AnimationClipSettings:
    serializedVersion: 2
    m_AdditiveReferencePoseClip: {fileID: 0}
    m_AdditiveReferencePoseTime: 0
    m_StartTime: 0
    m_StopTime: 1.5
    m_OrientationOffsetY: 0
    m_Level: 0
    m_CycleOffset: 0
    m_HasAdditiveReferencePose: 0
    m_LoopTime: 1
    m_LoopBlend: 0
    m_Mirror: 0
  m_EditorCurves: []
  m_EulerEditorCurves: []
  m_HasGenericRootTransform: 0
  m_HasMotionFloatCurves: 0
";

const EVENTS: &str = "  m_Events:
  - time: 0.25
    functionName: OnMarker
    data: \"\\u30B9\\u30BF\\u30FC\\u30C8\"
    objectReferenceParameter: {fileID: 0}
    floatParameter: 0
    intParameter: 0
    messageOptions: 0
  - time: 1
    functionName: Footstep
    data: left
    objectReferenceParameter: {fileID: 8300000, guid: 0123456789abcdef0123456789abcdef, type: 3}
    floatParameter: 0.75
    intParameter: -2
    messageOptions: 1
";

fn list(name: &str, entries: &[&str]) -> String {
    if entries.is_empty() { format!("  {name}: []\n") } else { format!("  {name}:\n{}", entries.concat()) }
}

/// A clip of such curves.
pub(crate) fn clip(
    rotation: &[&str],
    euler: &[&str],
    position: &[&str],
    numbers: &[&str],
    events: &str,
) -> String {
    [
        HEAD.to_owned(),
        list("m_RotationCurves", rotation),
        "  m_CompressedRotationCurves: []\n".to_owned(),
        list("m_EulerCurves", euler),
        list("m_PositionCurves", position),
        list("m_ScaleCurves", &[]),
        list("m_FloatCurves", numbers),
        list("m_PPtrCurves", &[]),
        TAIL.to_owned(),
        events.to_owned(),
    ]
    .concat()
}

/// A rotation, a position, a blend shape, a switch and events, as Unity 2021 writes them.
pub(crate) fn plain() -> String {
    let smile = number("\"blendShape.\\u7B11\\u3044\"", "Body", 137, ["0", "100"]);
    let shown = number("m_IsActive", "Body/Hat", 1, ["1", "0"]);
    clip(&[ROTATION], &[], &[POSITION], &[&smile, &shown], EVENTS)
}

/// A clip with one curve of numbers and no events.
fn small() -> String {
    clip(&[], &[], &[], &[&number("m_IsActive", "Hat", 1, ["1", "0"])], "  m_Events: []\n")
}

fn replaced(text: &str, old: &str, new: &str) -> Vec<u8> {
    assert!(text.contains(old), "{old:?}");
    text.replacen(old, new, 1).into_bytes()
}

/// [`plain`] with the first of one part put in the place of another.
pub(crate) fn with(old: &str, new: &str) -> Vec<u8> {
    replaced(&plain(), old, new)
}

fn from_small(old: &str, new: &str) -> Vec<u8> {
    replaced(&small(), old, new)
}

const OTHER: &str = "--- !u!1 &100\nGameObject:\n  m_Name: Hat\n";

/// As Unity 2022 and later write numbers.
fn with_flags() -> Vec<u8> {
    let shown = number("m_IsActive", "Hat", 1, ["1", "0"])
        .replace("  - curve:\n", "  - serializedVersion: 2\n    curve:\n")
        .replace("    script: {fileID: 0}\n", "    script: {fileID: 0}\n    flags: 16\n");
    let text = clip(&[], &[], &[], &[&shown], "  m_Events: []\n");
    replaced(&text, "serializedVersion: 6", "serializedVersion: 7")
}

/// Values over several lines, quotation marks of all kinds, comments, and lists in brackets.
fn folded() -> Vec<u8> {
    let text =
        String::from_utf8(with("value: {x: 1, y: 2, z: 3}", "value: {x: 1, y: 2,\n          z: 3}")).unwrap();
    let text = text.replace("path: Armature/Hips/Spine", "path: Armature/Hips of\n      the Figure/Spine");
    let text = text.replace("path: Armature/Hips\n", "path: 'Armature/Hips of\n      the Figure'\n");
    let text = text.replace("m_Name: Wave", "m_Name: \"Wave \\\n    and \\x41\" # so\n\n  # it says");
    text.replace("m_EditorCurves: []", "m_EditorCurves: [\n  ]").into_bytes()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let two = plain() + &plain()[plain().find("--- ").unwrap()..].replace("&7400000", "&7400002");
    let weighted = number("material._Cutoff", "Body", 137, ["0.25", "1e-07"])
        .replace("weightedMode: 0", "weightedMode: 3")
        .replace("Infinity", "-0.5");
    let old = String::from_utf8(from_small("serializedVersion: 6\n", "serializedVersion: 4\n")).unwrap();
    let old = old.replace(
        "        weightedMode: 0\n        inWeight: 0.33333334\n        outWeight: 0.33333334\n",
        "",
    );
    vec![
        ("plain", plain().into_bytes()),
        ("crlf", plain().replace('\n', "\r\n").into_bytes()),
        ("flags", with_flags()),
        ("folded", folded()),
        ("angles", clip(&[], &[ANGLES], &[], &[], "  m_Events: []\n").into_bytes()),
        ("two-clips", two.into_bytes()),
        ("weighted", clip(&[], &[], &[], &[&weighted], "  m_Events: []\n").into_bytes()),
        ("without-weights", old.into_bytes()),
        ("empty", clip(&[], &[], &[], &[], "  m_Events: []\n").into_bytes()),
        (
            "root",
            replaced(&clip(&[], &[], &[POSITION], &[], "  m_Events: []"), "path: Armature/Hips", "path: "),
        ),
    ]
}

/// One file per code that reading reports, named after it; and the codes of severity `error` that checking reports.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let deep = format!("m_Bounds: {}", "[".repeat(70));
    vec![
        ("binary", b"\0\0\x1a\x28\0\0\x4f\0\0\0\0\x11\0\0\x1b\x002018.4.0f1\0".to_vec()),
        ("binary-bundle", b"UnityFS\x006.x.x".to_vec()),
        ("depth", from_small("m_Bounds:", &deep)),
        ("kind", from_small("  m_EditorCurves: []", "  m_EditorCurves: 7")),
        ("kind-value", with("value: {x: 1, y: 2, z: 3}", "value: 5")),
        ("member", from_small("        time: 1\n", "")),
        ("member-axis", with("value: {x: 1, y: 2, z: 3}", "value: {x: 1, y: 2}")),
        ("member-curve", from_small("    classID: 1\n", "")),
        ("no-clip", format!("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{OTHER}").into_bytes()),
        ("nonfinite-time", from_small("time: 1\n", "time: NaN\n")),
        ("nonfinite-value", from_small("value: 0\n", "value: NaN\n")),
        ("number", from_small("m_SampleRate: 60", "m_SampleRate: sixty")),
        ("number-mode", from_small("tangentMode: 103", "tangentMode: 1.5")),
        ("number-switch", from_small("m_LoopTime: 1", "m_LoopTime: 2")),
        ("signature", b"animVersion 1.1;\nmayaVersion 2024;\n".to_vec()),
        ("syntax", from_small("  m_WrapMode: 0\n", "  m_WrapMode 0\n")),
        ("syntax-brace", from_small("script: {fileID: 0}", "script: {fileID: 0}}")),
        ("syntax-column", from_small("    path: Hat\n", "      path: Hat\n")),
        ("syntax-escape", from_small("path: Hat", "path: \"\\q\"")),
        ("syntax-header", from_small("--- !u!74 &7400000", "--- !u!74 7400000")),
        ("syntax-quote", from_small("path: Hat", "path: \"Hat")),
    ]
}

/// A section of packed rotations.
const PACKED: &str = "  m_CompressedRotationCurves:
  - m_Path: Hips
    m_Times:
      m_NumItems: 2
      m_Data: 0001
      m_BitSize: 8
    m_PreInfinity: 2
    m_PostInfinity: 2
";

const SPRITES: &str = "  m_PPtrCurves:
  - curve:
    - time: 0
      value: {fileID: 21300000, guid: 97111b25c5ba76fed0be6a7ab9cb8738, type: 3}
    - time: 0.1
      value: {fileID: 0}
    attribute: m_Sprite
    path: Hat
    classID: 212
    script: {fileID: 0}
";

/// One or more per code that checking reports of a readable file, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let hat = |values| number("m_IsActive", "Hat", 1, values);
    let twice = clip(&[], &[], &[], &[&hat(["1", "0"]), &hat(["0", "1"])], "  m_Events: []\n");
    let muscle = number("Left Arm Down-Up", "", 95, ["0", "1"]);
    let root = number("RootT.y", "", 95, ["0.9", "1"]);
    let smile = number("blendShape.Smile", "Body", 137, ["0", "100"]);
    let editor = format!("  m_EditorCurves:\n{}", number("m_LocalPosition.x", "Hat", 4, ["0", "1"]));
    let empty = "  - curve:\n      m_Curve: []\n    attribute: m_IsActive\n    path: Hat\n    classID: 1\n";
    let slope = |slope: &str| from_small("outSlope: Infinity", &format!("outSlope: {slope}"));
    let turned = ROTATION.replace(
        "{x: 0, y: 0.70710677, z: 0, w: 0.70710677}",
        "{x: 0, y: -0.70710677, z: 0, w: -0.70710677}",
    );
    let weight = |weight: &str| {
        let text = String::from_utf8(from_small("weightedMode: 0", "weightedMode: 3")).unwrap();
        replaced(&text, "inWeight: 0.33333334", &format!("inWeight: {weight}"))
    };
    let end = small();
    let events = EVENTS.replace("time: 0.25", "time: 1.25");
    vec![
        ("byte-order-mark", [b"\xef\xbb\xbf", small().as_bytes()].concat()),
        ("compressed", from_small("  m_CompressedRotationCurves: []\n", PACKED)),
        ("duplicate-curve", twice.into_bytes()),
        ("duplicate-key-time", from_small("time: 1\n", "time: 0\n")),
        ("editor-curves", from_small("  m_EditorCurves: []\n", &editor)),
        ("empty-curve", clip(&[], &[], &[], &[empty], "  m_Events: []\n").into_bytes()),
        ("end", end.replace("  m_Events: []\n", "").into_bytes()),
        ("event-order", clip(&[], &[], &[], &[], &events).into_bytes()),
        ("humanoid", clip(&[], &[], &[], &[&muscle], EVENTS).into_bytes()),
        ("humanoid-and-objects", clip(&[ROTATION], &[], &[], &[&root, &muscle, &smile], EVENTS).into_bytes()),
        ("infinity", from_small("m_PreInfinity: 2", "m_PreInfinity: 8")),
        ("nonfinite-tangent", slope("NaN")),
        ("nonfinite-weight", weight("NaN")),
        ("object-curves", from_small("  m_PPtrCurves: []\n", SPRITES)),
        ("other-objects", (small() + OTHER).into_bytes()),
        ("ping-pong", from_small("m_WrapMode: 0", "m_WrapMode: 4")),
        ("rotation-length", with("w: 0.70710677}", "w: 0.9}")),
        (
            "rotation-order",
            replaced(
                &clip(&[], &[ANGLES], &[], &[], "  m_Events: []\n"),
                "m_RotationOrder: 4",
                "m_RotationOrder: 6",
            ),
        ),
        ("rotation-sign", clip(&[&turned], &[], &[], &[], "  m_Events: []\n").into_bytes()),
        ("sample-rate", from_small("m_SampleRate: 60", "m_SampleRate: 0")),
        ("time-range", from_small("m_StopTime: 1.5", "m_StopTime: 0.5")),
        ("unsorted-keys", from_small("time: 0\n", "time: 1.25\n")),
        ("weight-range", weight("1.5")),
        ("weighted-mode", from_small("weightedMode: 0", "weightedMode: 7")),
    ]
}

pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

/// The bytes of a fixture.
pub(crate) fn named(name: &str) -> Vec<u8> {
    let found = all().into_iter().find(|(_, own, _)| *own == name);
    found.unwrap_or_else(|| panic!("no fixture {name}")).2
}

#[test]
fn files_on_disk_are_those_built_here() {
    assert_fixtures_on_disk(&folder(), "anim", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it_alone() {
    // The limit is the caller's.
    let elsewhere = ["anim-file-too-long"];
    assert_every_code_has_a_fixture::<UnityAnim>(&all(), "anim-", &elsewhere, &[]);
}
