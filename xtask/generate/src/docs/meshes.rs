//! The table of the contents of meshes in docs/formats.md, measured on the fixtures of all formats.

use super::markdown::{header, row};
use dopesheet::core::format::{AnyFormat, FormatInfo, FromScene, ReadOptions, ToScene};
use dopesheet::core::model::{MorphDelta, Primitive, Scene};
use dopesheet::{Loss, Report};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use xtask_generate::Outcome;

const INTRODUCTION: &str = "
What a scene takes of a mesh, in formats with meshes, as the files of the tests show: \"told\" is left out, and the report of a conversion says
so; \"in part\" is taken as far as a scene has room, and told. `vrm` is read as `glb` is. Of these formats `gltf` and `glb` are written, with all
that a scene takes.

";

/// Contents of a mesh: name, word in reports about content left out, and presence in a primitive.
type Content = (&'static str, &'static str, fn(&Primitive) -> bool);

const CONTENTS: [Content; 10] = [
    ("normals", "normals of meshes", |p| !p.normals.is_empty()),
    ("tangents", "tangents", |p| !p.tangents.is_empty()),
    ("texture coordinates, first set", "texture coordinates of", |p| {
        p.uv_sets.first().is_some_and(|set| !set.is_empty())
    }),
    ("texture coordinates, further sets", "additional texture coordinate", |p| {
        p.uv_sets.iter().skip(1).any(|set| !set.is_empty())
    }),
    ("colours of vertices", "colours of", |p| p.colors.iter().any(|set| !set.is_empty())),
    ("joints, four of a vertex", "joints of skins", |p| !p.joints.is_empty()),
    ("morphs of positions", "morphs of positions", |p| any(p, |morph| !morph.positions.is_empty())),
    ("morphs of normals", "normals of morphs", |p| any(p, |morph| !morph.normals.is_empty())),
    ("morphs of tangents", "tangents of morphs", |p| any(p, |morph| !morph.tangents.is_empty())),
    ("morphs of texture coordinates", "additional-UV", |p| {
        any(p, |morph| morph.uv_sets.iter().any(|set| !set.is_empty()))
    }),
];

fn any(primitive: &Primitive, has: fn(&MorphDelta) -> bool) -> bool {
    primitive.morphs.iter().any(has)
}

/// Fates of the contents in the fixtures of a format.
#[derive(Clone, Copy, Default)]
struct Fate {
    is_read: bool,
    is_told: bool,
}

type Fates = [Fate; CONTENTS.len()];

/// The table: a row per content, a column per format with meshes.
pub(super) fn table(root: &Path, formats: &[&FormatInfo]) -> Outcome<String> {
    let mut by_format: BTreeMap<&str, Fates> = BTreeMap::new();
    for path in fixtures(root)? {
        let file = dopesheet::open(&path, None, &ReadOptions::default())?;
        let mut report = Report::default();
        let format = file.format();
        let scene = format.to_scene(&file.document, &ToScene::default(), &mut report)?;
        if primitives(&scene).next().is_some() {
            see(&scene, &report, by_format.entry(format.info().id).or_default());
        }
        let can = &format.info().capabilities;
        if can.writes && can.parts.meshes {
            assert_written(format, &scene)?;
        }
    }
    let columns: Vec<&&FormatInfo> = formats.iter().filter(|f| by_format.contains_key(f.id)).collect();
    let ids: Vec<String> = columns.iter().map(|f| format!("`{}`", f.id)).collect();
    let titles: Vec<&str> = ["Taken of a mesh"].into_iter().chain(ids.iter().map(String::as_str)).collect();
    let mut table = INTRODUCTION.to_owned() + &header(&titles);
    for (number, (name, ..)) in CONTENTS.iter().enumerate() {
        let cell = |f: &&&FormatInfo| match by_format[f.id][number] {
            Fate { is_read: true, is_told: false } => "yes",
            Fate { is_read: true, is_told: true } => "in part",
            Fate { is_read: false, is_told: true } => "told",
            Fate { is_read: false, is_told: false } => "–",
        };
        table += &row([*name].into_iter().chain(columns.iter().map(cell)));
    }
    Ok(table)
}

fn primitives(scene: &Scene) -> impl Iterator<Item = &Primitive> {
    scene.meshes.iter().flat_map(|mesh| &mesh.primitives)
}

fn see(scene: &Scene, report: &Report, fates: &mut Fates) {
    let is_told = |word: &str| {
        report.losses.iter().any(|loss| matches!(loss, Loss::Dropped { what, .. } if what.contains(word)))
    };
    for (fate, (_, word, has)) in fates.iter_mut().zip(CONTENTS) {
        fate.is_read |= primitives(scene).any(has);
        fate.is_told |= is_told(word);
    }
}

/// Fails if a written scene lacks a content of its meshes.
fn assert_written(format: &'static dyn AnyFormat, scene: &Scene) -> Outcome<()> {
    let mut report = Report::default();
    let document = format.from_scene(scene, &FromScene::default(), &mut report)?;
    let back = format.to_scene(&document, &ToScene::default(), &mut report)?;
    for (name, _, has) in CONTENTS {
        if primitives(scene).any(has) && !primitives(&back).any(has) {
            return Err(format!("expected {name} in what {} writes, found none", format.info().id).into());
        }
    }
    Ok(())
}

/// Names of the fixtures with all that a surface of their format may have.
const WHOLE: [&str; 2] = ["surface", "everything"];

/// The fixtures of all formats with whole surfaces, by path.
fn fixtures(root: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = |folder: &Path| -> Outcome<Vec<PathBuf>> {
        let paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        paths.collect()
    };
    let mut files = Vec::new();
    for family in entries(&root.join("formats"))? {
        for room in entries(&family.join("src"))? {
            let folder = room.join("fixtures/valid");
            if folder.is_dir() {
                files.extend(entries(&folder)?);
            }
        }
    }
    files.retain(|path| path.file_stem().is_some_and(|stem| WHOLE.iter().any(|name| stem == *name)));
    files.sort();
    match files.len() {
        0 => Err("expected fixtures of formats, found none".into()),
        _ => Ok(files),
    }
}
