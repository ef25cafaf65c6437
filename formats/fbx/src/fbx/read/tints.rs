//! Motion of the colours of materials.

use super::keys::{self, Keys};
use super::materials::{self, Moved};
use super::numbers::finite;
use super::refine::{Ratios, Refiner};
use super::times;
use crate::fbx::document::{Key, Tint, TintValues};
use ufbx::{Anim, BakedAnim, BakedElement, BakedProp, ElementType, Material};

/// All moving colours of materials.
pub(super) fn of(file: &ufbx::Scene, anim: &Anim, baked: &BakedAnim, refiner: &mut Refiner) -> Vec<Tint> {
    let mut tints = Vec::new();
    for animated in &baked.elements {
        let Some(material) = material(file, animated) else { continue };
        let index = material.element.typed_id as usize;
        let moving = |names: Vec<&'static str>| {
            let list = |name: &'static str| {
                let property = animated.props.iter().find(|property| property.name.as_ref() == name)?;
                let unread = keys::unread(anim, &material.element, name);
                let mut keys = Keys::of(file).vectors(&property.keys);
                keys.iter_mut().for_each(|(key, _)| key.value[0] += unread);
                Some(List { name, keys, unread })
            };
            let lists: Vec<List> = names.into_iter().filter_map(list).collect();
            (!lists.is_empty()).then_some(Product { material, anim, lists })
        };
        if let Some(product) = moving(materials::base_sources(material)) {
            let keys = product.keys(materials::base, refiner);
            tints.push(Tint { material: index, values: TintValues::BaseColor(keys) });
        }
        if let Some(product) = moving(materials::emission_sources(material)) {
            let keys = product.keys(materials::emission, refiner);
            tints.push(Tint { material: index, values: TintValues::Emissive(keys) });
        }
    }
    tints
}

/// True if an animated property is the source of a tint.
pub(super) fn has(file: &ufbx::Scene, animated: &BakedElement, property: &BakedProp) -> bool {
    let Some(material) = material(file, animated) else { return false };
    let sources = [materials::base_sources(material), materials::emission_sources(material)];
    sources.concat().contains(&property.name.as_ref())
}

/// The material of an animated element, if it is of a kind with known properties.
fn material<'a>(file: &'a ufbx::Scene, animated: &BakedElement) -> Option<&'a Material> {
    let element = file.elements.get(animated.element_id as usize)?;
    let material = file.materials.get(element.typed_id as usize)?;
    let is_known = element.type_ == ElementType::Material && materials::is_classic(material);
    is_known.then(|| material.as_ref())
}

/// The keys of a moving property.
struct List {
    name: &'static str,
    keys: Vec<(Key<3>, bool)>,
    /// Difference of the first number from the library's.
    unread: f64,
}

/// Side of a jump.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl List {
    /// The keys at a time: several at a jump.
    fn at(&self, time_s: f64) -> &[(Key<3>, bool)] {
        let start = self.keys.partition_point(|(key, _)| key.time_s < time_s);
        let end = self.keys.partition_point(|(key, _)| key.time_s <= time_s);
        self.keys.get(start..end).unwrap_or_default()
    }
}

/// A colour as a function of properties, some of which move.
struct Product<'a> {
    material: &'a Material,
    anim: &'a Anim,
    lists: Vec<List>,
}

impl Product<'_> {
    /// Keys of a colour wherever one of its properties has keys, and as many in between as the tolerance needs.
    fn keys<const N: usize>(
        &self,
        color: fn(&Material, Moved<'_>) -> [f64; N],
        refiner: &mut Refiner,
    ) -> Vec<Key<N>> {
        let mut times: Vec<f64> =
            self.lists.iter().flat_map(|list| list.keys.iter().map(|(key, _)| key.time_s)).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut keys = Vec::with_capacity(times.len());
        for time_s in times {
            let now = || self.lists.iter().map(|list| list.at(time_s));
            let is_authored = now().flatten().any(|(_, is_authored)| *is_authored);
            let sides: &[Side] =
                if now().any(|keys| keys.len() > 1) { &[Side::Before, Side::After] } else { &[Side::After] };
            for side in sides {
                let value = color(self.material, &|name| self.on_side(name, time_s, *side));
                keys.push((Key { time_s, value }, is_authored));
            }
        }
        let at = |time_s: f64| color(self.material, &|name| self.now(name, time_s));
        let file_times = times::of_element(self.anim, &self.material.element);
        refiner.refine(self.material.element.name.as_ref(), keys, &file_times, &Ratios(at))
    }

    /// Value of a moving property on a side of a time.
    fn on_side(&self, name: &str, time_s: f64, side: Side) -> Option<[f64; 3]> {
        let keys = self.lists.iter().find(|list| list.name == name)?.at(time_s);
        let key = if side == Side::Before { keys.first() } else { keys.last() };
        key.map(|(key, _)| key.value).or_else(|| self.now(name, time_s))
    }

    /// Value of a moving property at a time.
    fn now(&self, name: &str, time_s: f64) -> Option<[f64; 3]> {
        let list = self.lists.iter().find(|list| list.name == name)?;
        let value = ufbx::evaluate_prop(self.anim, &self.material.element, name, time_s).value_vec4;
        Some([value.x + list.unread, value.y, value.z].map(finite))
    }
}
