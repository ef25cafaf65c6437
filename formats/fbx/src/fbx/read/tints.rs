//! Motion of the colours of materials.

use super::keys::Keys;
use super::materials::{self, ColorSource};
use super::numbers::finite;
use super::refine::{Ratios, Refiner};
use crate::fbx::document::{Key, Tint, TintValues};
use ufbx::{Anim, BakedAnim, BakedElement, BakedProp, ElementType, Material, ShaderType};

/// All moving colours of materials.
pub(super) fn of(file: &ufbx::Scene, anim: &Anim, baked: &BakedAnim, refiner: &mut Refiner) -> Vec<Tint> {
    let mut tints = Vec::new();
    for animated in &baked.elements {
        let Some(material) = material(file, animated) else { continue };
        let index = material.element.typed_id as usize;
        for (source, is_emission) in sources(material) {
            let Some(property) = moved(&source, animated) else { continue };
            let color = |value: [f64; 3]| match property.name.as_ref() == source.factor_name {
                true => materials::product(source.color, value[0]),
                false => materials::product(value, source.factor),
            };
            let at = |time_s: f64| {
                let now = ufbx::evaluate_prop(anim, &material.element, property.name.as_ref(), time_s);
                color([now.value_vec4.x, now.value_vec4.y, now.value_vec4.z].map(finite))
            };
            let keys = Keys::of(file).vectors(&property.keys).into_iter();
            let keys = keys.map(|(key, is_authored)| (Key { value: color(key.value), ..key }, is_authored));
            let keys = refiner.refine(material.element.name.as_ref(), keys.collect(), &Ratios(at));
            let values = match is_emission {
                true => TintValues::Emissive(keys),
                false => TintValues::BaseColor(opaque(keys, materials::alpha(material))),
            };
            tints.push(Tint { material: index, values });
        }
    }
    tints
}

/// True if an animated property is the source of a tint.
pub(super) fn has(file: &ufbx::Scene, animated: &BakedElement, property: &BakedProp) -> bool {
    let name = property.name.as_ref();
    let is_source =
        |source: &ColorSource| moved(source, animated).is_some_and(|moved| moved.name.as_ref() == name);
    material(file, animated).is_some_and(|material| sources(material).iter().any(|own| is_source(&own.0)))
}

/// The material of an animated element, if its shading is known to make its colours of [`sources`].
fn material<'a>(file: &'a ufbx::Scene, animated: &BakedElement) -> Option<&'a Material> {
    let element = file.elements.get(animated.element_id as usize)?;
    let material = file.materials.get(element.typed_id as usize)?;
    let known = [ShaderType::FbxLambert, ShaderType::FbxPhong, ShaderType::BlenderPhong];
    (element.type_ == ElementType::Material && known.contains(&material.shader_type))
        .then(|| material.as_ref())
}

/// The sources of the base colour and of the emission, the latter with `true`.
fn sources(material: &Material) -> [(ColorSource, bool); 2] {
    [(materials::base(material), false), (materials::emission(material), true)]
}

/// The moving property of a source; `None` if the colour and the factor move, because two curves of different keys
/// have no common keys.
fn moved<'a>(source: &ColorSource, animated: &'a BakedElement) -> Option<&'a BakedProp> {
    let find = |name: &str| animated.props.iter().find(|property| property.name.as_ref() == name);
    match (find(source.color_name), find(source.factor_name)) {
        (Some(color), None) if source.color_counts => Some(color),
        (color, Some(factor)) if color.is_none() || !source.color_counts => Some(factor),
        _ => None,
    }
}

/// Colours with an alpha.
fn opaque(keys: Vec<Key<3>>, alpha: f64) -> Vec<Key<4>> {
    let with = |Key { time_s, value: [r, g, b] }: Key<3>| Key { time_s, value: [r, g, b, alpha] };
    keys.into_iter().map(with).collect()
}
