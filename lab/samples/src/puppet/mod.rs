//! `standard.pmx` and its picture: a figure of our own with the bones of MikuMikuDance's standard model, for motions
//! that come without one.
//!
//! Everything is drawn by numbers here: tubes along the bones with profiles, things laid on the face, a picture of
//! pieces that are wrapped around the tubes.

mod body;
mod head;
mod math;
mod morphs;
mod packed;
mod pieces;
mod skeleton;
mod surface;
#[cfg(test)]
mod tests;
mod texture;
mod tube;
mod weights;

use dopesheet::core::format::{Format as _, WriteOptions};
use dopesheet_mmd::Pmx;
use dopesheet_mmd::pmx::{
    Document, Encoding, Header, Index, IndexSize, IndexSizes, Material, MaterialFlags, Skinning, Text, Toon,
    Vertex,
};
use math::rounded;
use skeleton::Skeleton;
use surface::{Point, Surface, Weights};
use xtask_generate::{File, Outcome};

/// The model and its picture.
pub(crate) fn files() -> Outcome<Vec<File>> {
    let file =
        |name: &str, bytes: Vec<u8>| File { path: format!("crates/dopesheet/src/standard/{name}"), bytes };
    let model = Pmx::write(&document(), &WriteOptions::default())?.main;
    let packed = packed::packed(&model).ok_or("the model is no PMX of vertices and faces")??;
    Ok(vec![file("standard.pmx", model), file("standard.packed", packed), file(PICTURE, texture::png()?)])
}

/// Places a unit: 0.08 mm apart.
const PLACES: f64 = 1024.0;
/// Parts of a normal of length 1: a fifth of a degree.
const DIRECTIONS: f64 = 256.0;
/// Parts of the picture: eighths of its pixels.
const PICTURES: f64 = 4096.0;
/// Parts of a point that bones share.
const SHARES: f64 = 256.0;

const PICTURE: &str = "standard.png";
const COMMENT: &str = "The standard model of Dopesheet. Licence: MIT OR Apache-2.0";

fn text(text: &str) -> Text {
    Text::new(text, Encoding::Utf16)
}

/// The model.
pub(super) fn document() -> Document {
    let skeleton = Skeleton::new();
    let mut materials = Vec::new();
    let mut surface = Surface::default();
    for (look, part) in parts() {
        materials.push(material(&look, part.triangles.len() * 3));
        surface = surface.and(part);
    }
    let morphs = morphs::morphs(&surface);
    let index_sizes = IndexSizes {
        vertex: IndexSize::Two,
        texture: IndexSize::One,
        material: IndexSize::One,
        bone: IndexSize::One,
        morph: IndexSize::One,
        body: IndexSize::One,
    };
    Document {
        header: Header { encoding: Encoding::Utf16, index_sizes, ..Header::default() },
        name: text("ドープシート"),
        english_name: text("Dopesheet"),
        comment: text(COMMENT),
        english_comment: text(COMMENT),
        vertices: surface.points.iter().map(|point| vertex(point, &skeleton)).collect(),
        faces: surface.triangles.iter().flatten().map(|corner| *corner as u32).collect(),
        textures: vec![text(PICTURE)],
        materials,
        display_frames: skeleton::frames(&skeleton, morphs.len()),
        bones: skeleton.bones,
        morphs,
        ..Document::default()
    }
}

/// The look of a part.
struct Look {
    name: &'static str,
    english: &'static str,
    specular: f32,
    shininess: f32,
    /// Red, green and blue of the outline; none for things that lie on others.
    edge: Option<[f32; 3]>,
}

/// Materials and what is made of them.
fn parts() -> [(Look, Surface); 4] {
    let look = |name, english, edge| Look { name, english, specular: 0.06, shininess: 8.0, edge };
    [
        (look("肌", "skin", Some([0.45, 0.25, 0.2])), head::skin().and(body::skin())),
        (look("服", "clothes", Some([0.1, 0.11, 0.2])), body::clothes()),
        (
            Look { specular: 0.15, shininess: 20.0, ..look("髪", "hair", Some([0.25, 0.11, 0.08])) },
            head::hair(),
        ),
        (look("顔", "face", None), head::face()),
    ]
}

/// Pictures are shown as they are: what a light of 154/256 adds to the ambient half makes 1.
fn material(look: &Look, index_count: usize) -> Material {
    const SOLID: u8 = MaterialFlags::DOUBLE_SIDED
        | MaterialFlags::GROUND_SHADOW
        | MaterialFlags::CASTS_SHADOW
        | MaterialFlags::RECEIVES_SHADOW
        | MaterialFlags::OUTLINE;
    let [red, green, blue] = look.edge.unwrap_or_default();
    Material {
        name: text(look.name),
        english_name: text(look.english),
        diffuse: [0.84, 0.84, 0.84, 1.0],
        specular: [look.specular; 3],
        shininess: look.shininess,
        ambient: [0.5; 3],
        flags: MaterialFlags(if look.edge.is_some() { SOLID } else { MaterialFlags::DOUBLE_SIDED }),
        edge_color: [red, green, blue, 1.0],
        edge_size: 0.6,
        texture: Index(0),
        toon: Toon::Shared(0),
        index_count: i32::try_from(index_count).unwrap_or(i32::MAX),
        ..Material::default()
    }
}

fn vertex(point: &Point, skeleton: &Skeleton) -> Vertex {
    Vertex {
        position: point.position.to_array().map(|x| rounded(x, PLACES)),
        normal: point.normal.to_array().map(|x| rounded(x, DIRECTIONS)),
        uv: point.pixel.map(|pixel| rounded(pixel / f64::from(pieces::SIZE), PICTURES)),
        skinning: skinning(&point.weights, skeleton),
        edge_scale: 1.0,
    }
}

/// The four bones that move a point most, of those that do so at all.
fn skinning(weights: &Weights, skeleton: &Skeleton) -> Skinning {
    let mut weights: Vec<(Index, f64)> = weights
        .iter()
        .map(|(bone, weight)| (skeleton.index(bone), *weight))
        .filter(|(_, w)| *w > 1e-4)
        .collect();
    weights.sort_by(|a, b| b.1.total_cmp(&a.1));
    weights.truncate(4);
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let share = |n: usize| {
        weights.get(n).map_or((Index(0), 0.0), |(bone, weight)| (*bone, rounded(weight / sum, SHARES)))
    };
    let [(a, wa), (b, wb), (c, wc), (d, wd)] = std::array::from_fn(share);
    match weights.len() {
        0 | 1 => Skinning::Bdef1(a),
        2 => Skinning::Bdef2([a, b], wa),
        _ => Skinning::Bdef4([a, b, c, d], [1.0 - wb - wc - wd, wb, wc, wd]),
    }
}
