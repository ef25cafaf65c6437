//! Materials and their pictures.

use super::fields::{ENCODING, text_of};
use crate::pmd::document::{Document, Material, SphereMode};
use crate::pmx::{self, MaterialFlags};
use crate::text::Name;
use std::collections::BTreeMap;

/// The alpha that marks materials without self shadow in PMD.
const NO_SELF_SHADOW: f32 = 0.98;
/// Tolerance of this alpha, which has been through decimal text.
const NEAR: f32 = 1e-6;
/// Names of the ten pictures included in every program.
const SHARED_TOONS: [&[u8]; 10] = [
    b"toon01.bmp",
    b"toon02.bmp",
    b"toon03.bmp",
    b"toon04.bmp",
    b"toon05.bmp",
    b"toon06.bmp",
    b"toon07.bmp",
    b"toon08.bmp",
    b"toon09.bmp",
    b"toon10.bmp",
];

/// Fills in the materials of `lifted`, and the textures used by them.
pub(super) fn materials(document: &Document, lifted: &mut pmx::Document) {
    let mut textures = Textures::default();
    let materials = document.materials.iter().enumerate();
    lifted.materials = materials.map(|(at, material)| lift(document, at, material, &mut textures)).collect();
    lifted.textures = textures.list;
}

/// The pictures of all materials, each once.
#[derive(Default)]
struct Textures {
    list: Vec<pmx::Text>,
    indices: BTreeMap<pmx::Text, pmx::Index>,
}

impl Textures {
    fn add(&mut self, path: &[u8]) -> pmx::Index {
        let path = text_of(path);
        let list = &mut self.list;
        *self.indices.entry(path).or_insert_with_key(|path| {
            list.push(path.clone());
            pmx::Index::of(list.len().saturating_sub(1))
        })
    }
}

/// PMD names no materials; they are numbered as in Blender's MMD tools.
fn lift(document: &Document, position: usize, material: &Material, textures: &mut Textures) -> pmx::Material {
    let number = position.saturating_add(1);
    let pictures = material.pictures();
    let (sphere_texture, sphere_mode) = match pictures.sphere {
        Some((path, SphereMode::Multiply)) => (textures.add(path), 1),
        Some((path, SphereMode::Add)) => (textures.add(path), 2),
        None => (pmx::Index::NONE, 0),
    };
    pmx::Material {
        name: pmx::Text::new(&format!("材質{number}"), ENCODING),
        english_name: pmx::Text::new(&format!("Material{number}"), ENCODING),
        diffuse: material.diffuse,
        specular: material.specular,
        shininess: material.shininess,
        ambient: material.ambient,
        flags: flags(material),
        edge_color: [0.0, 0.0, 0.0, 1.0],
        edge_size: 1.0,
        texture: pictures.color.map_or(pmx::Index::NONE, |path| textures.add(path)),
        sphere_texture,
        sphere_mode,
        toon: toon(document, material.toon, textures),
        index_count: i32::try_from(material.index_count).unwrap_or(i32::MAX),
        ..pmx::Material::default()
    }
}

/// Transparent materials have back faces; the edge switch also controls the shadow on the ground (Blender's
/// MMD tools, babylon-mmd).
fn flags(material: &Material) -> MaterialFlags {
    let alpha = material.diffuse[3];
    let parts = [
        (alpha < 1.0, MaterialFlags::DOUBLE_SIDED),
        (material.edge != 0, MaterialFlags::OUTLINE | MaterialFlags::GROUND_SHADOW),
        ((alpha - NO_SELF_SHADOW).abs() > NEAR, MaterialFlags::CASTS_SHADOW | MaterialFlags::RECEIVES_SHADOW),
    ];
    MaterialFlags(parts.into_iter().filter(|(is_set, _)| *is_set).fold(0, |flags, (_, bits)| flags | bits))
}

/// The picture of a material's shades: a picture included in every program, unless the file names another.
fn toon(document: &Document, toon: u8, textures: &mut Textures) -> pmx::Toon {
    let Some(usual) = SHARED_TOONS.get(usize::from(toon)) else { return pmx::Toon::default() };
    let named = document.toons.as_ref().and_then(|toons| toons.get(usize::from(toon)));
    let named = named.map(Name::until_nul).filter(|name| !name.is_empty()).unwrap_or(usual);
    match SHARED_TOONS.iter().zip(0..).find(|(shared, _)| named.eq_ignore_ascii_case(shared)) {
        Some((_, number)) => pmx::Toon::Shared(number),
        None => pmx::Toon::Texture(textures.add(named)),
    }
}
