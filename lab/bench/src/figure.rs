//! `figure.pmx`: a large model whose bones are those of `sparse.vmd`, four of them goals of IK.

use crate::skeleton::{BONES, CHAIN, bone};
use dopesheet_core::format::{Format as _, WriteOptions};
use dopesheet_mmd::Pmx;
use dopesheet_mmd::pmx::{
    Bone, BoneFlags, Document, Encoding, Header, Ik, IkLink, Index, IndexSize, IndexSizes, Material,
    Skinning, Tail, Text, Vertex,
};
use std::f32::consts::TAU;

/// The last so many bones are the goals of the chains' ends.
const GOALS: usize = 4;
/// From a bone to the next one, in units of MikuMikuDance: 10 cm.
const STEP: f32 = 1.25;
/// Rings of a tube around a bone, and points of a ring.
const RINGS: usize = 50;
const POINTS: usize = 58;

/// The bytes of the model: 20 MB.
pub(crate) fn figure() -> Vec<u8> {
    let heads = heads();
    let (vertices, faces) = tubes(&heads);
    let sizes = |size| IndexSizes {
        vertex: IndexSize::Four,
        texture: size,
        material: size,
        bone: size,
        morph: size,
        body: size,
    };
    let document = Document {
        header: Header { encoding: Encoding::Utf8, index_sizes: sizes(IndexSize::One), ..Header::default() },
        name: text("figure"),
        materials: vec![Material {
            name: text("skin"),
            diffuse: [0.8, 0.8, 0.8, 1.0],
            texture: Index(-1),
            sphere_texture: Index(-1),
            index_count: i32::try_from(faces.len()).unwrap_or(i32::MAX),
            ..Material::default()
        }],
        bones: (0..BONES).map(|index| bone_at(index, heads[index])).collect(),
        vertices,
        faces,
        ..Document::default()
    };
    Pmx::write(&document, &WriteOptions::default()).unwrap_or_else(|e| panic!("{e}")).main
}

fn text(text: &str) -> Text {
    Text::new(text, Encoding::Utf8)
}

fn index(bone: usize) -> Index {
    Index(i32::try_from(bone).unwrap_or(i32::MAX))
}

/// Goals hang on the root, all others one on the other as in `sparse-model.glb`.
fn parent(index: usize) -> Option<usize> {
    let starts_a_chain = index.is_multiple_of(CHAIN) || index >= BONES - GOALS;
    if starts_a_chain { (index > 0).then_some(0) } else { index.checked_sub(1) }
}

/// The bone at the end of the chain that a goal pulls.
fn end(goal: usize) -> usize {
    CHAIN * (goal - (BONES - GOALS) + 1) - 1
}

fn heads() -> Vec<[f32; 3]> {
    let mut heads: Vec<[f32; 3]> = Vec::with_capacity(BONES);
    for index in 0..BONES {
        let head = match parent(index) {
            _ if index >= BONES - GOALS => heads[end(index)],
            Some(above) => {
                let [x, y, z] = heads[above];
                // Chains side by side, a step apart.
                let aside = if above == 0 { STEP * (index / CHAIN) as f32 } else { 0.0 };
                [x + aside, y + STEP, z]
            }
            None => [0.0; 3],
        };
        heads.push(head);
    }
    heads
}

fn bone_at(own: usize, head: [f32; 3]) -> Bone {
    const FREE: u16 = BoneFlags::ROTATABLE | BoneFlags::MOVABLE | BoneFlags::VISIBLE | BoneFlags::OPERABLE;
    let ik = (own >= BONES - GOALS).then(|| {
        let end = end(own);
        let links = [end - 1, end - 2].map(|link| IkLink { bone: index(link), limit: None }).to_vec();
        Ik { target: index(end), iterations: 20, step_rad: 1.0, links }
    });
    Bone {
        name: text(&bone(own)),
        head,
        parent: parent(own).map_or(Index(-1), index),
        flags: BoneFlags(FREE),
        tail: Tail::Offset([0.0, STEP, 0.0]),
        ik,
        ..Bone::default()
    }
}

/// A tube around every bone.
fn tubes(heads: &[[f32; 3]]) -> (Vec<Vertex>, Vec<u32>) {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (own, [x, y, z]) in heads.iter().enumerate() {
        let first = vertices.len();
        for (ring, point) in (0..RINGS).flat_map(|ring| (0..POINTS).map(move |point| (ring, point))) {
            let (sine, cosine) = (TAU * point as f32 / POINTS as f32).sin_cos();
            let along = ring as f32 / (RINGS - 1) as f32;
            let above = parent(own).unwrap_or(own);
            vertices.push(Vertex {
                position: [x + 0.3 * cosine, y + STEP * along, z + 0.3 * sine],
                normal: [cosine, 0.0, sine],
                uv: [point as f32 / POINTS as f32, along],
                skinning: Skinning::Bdef2([index(own), index(above)], (0.5 + along).min(1.0)),
                edge_scale: 1.0,
            });
        }
        for (ring, point) in (0..RINGS - 1).flat_map(|ring| (0..POINTS).map(move |point| (ring, point))) {
            let at = |ring: usize, point: usize| (first + ring * POINTS + point % POINTS) as u32;
            let [a, b, c, d] =
                [at(ring, point), at(ring, point + 1), at(ring + 1, point), at(ring + 1, point + 1)];
            faces.extend([a, b, c, b, d, c]);
        }
    }
    (vertices, faces)
}
