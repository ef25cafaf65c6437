//! Takes: layers put together by the library, as keys.

use super::cameras;
use super::fault::fault;
use super::limits;
use super::morphs;
use super::numbers::{finite, rotation, vector};
use super::refine;
use super::refine::Refiner;
use super::remarks::Remarks;
use super::still::Still;
use crate::fbx::document::{Baked, FieldOfView, Key, MorphWeights, Motion, Take};
use dopesheet_core::diag::Fault;
use dopesheet_core::model::NodeIndex;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::{BTreeMap, HashMap};
use ufbx::{BakeOpts, BakeStepHandling, BakedAnim, BakedKeyFlags};

/// Differences below this are none: keys that stand on the straight way between their neighbours are left out.
const STRAIGHT: f64 = 1e-7;

/// Largest number of keys that the library adds between two keys, or where a curve continues behind its last
/// one.
const MOST_SEGMENTS: usize = 1024;

/// The library's name for the weight of a morph, in hundredths.
const WEIGHT: &str = "DeformPercent";

pub(super) fn takes(
    file: &ufbx::Scene,
    still: &Still,
    rate: FrameRate,
    memory: usize,
    remarks: &mut Remarks,
) -> Result<Vec<Take>, Fault> {
    let takes = file.anim_stacks.into_iter();
    takes.map(|stack| take(&Stack { file, stack, still }, rate, memory, remarks)).collect()
}

/// Sources of a take.
struct Stack<'a> {
    file: &'a ufbx::Scene,
    stack: &'a ufbx::AnimStack,
    still: &'a Still,
}

fn take(of: &Stack<'_>, rate: FrameRate, memory: usize, remarks: &mut Remarks) -> Result<Take, Fault> {
    let options = BakeOpts {
        temp_allocator: limits::allocator(memory),
        result_allocator: limits::allocator(memory),
        resample_rate: rate.fps(),
        max_keyframe_segments: MOST_SEGMENTS,
        // Keys stand where the file has them, and in between as many as it takes; that is measured afterwards.
        minimum_sample_rate: f64::MAX,
        step_handling: BakeStepHandling::IdenticalTime,
        key_reduction_enabled: true,
        key_reduction_rotation: true,
        key_reduction_threshold: STRAIGHT,
        ..BakeOpts::default()
    };
    let anim = &of.stack.anim;
    let baked = ufbx::bake_anim(of.file, anim, options).map_err(|error| fault(&error, 0, 0))?;
    remark_on_numbers(of, &baked, remarks);
    let (begin, end) = span(of.stack, &baked);
    let unit_m = of.still.scene.basis.metres_per_unit.unwrap_or(1.0);
    let mut refiner = Refiner::new(unit_m, (begin, end), rate);
    let motions = motions(of, &baked, &mut refiner);
    let weights = weights(of, &baked, &mut refiner);
    let (fields_of_view, others) = elements(of, &baked);
    Ok(Take {
        name: of.stack.element.name.to_string(),
        begin: Seconds(begin),
        end: Seconds(end),
        rate,
        layers: of.stack.layers.len(),
        motions,
        weights,
        fields_of_view,
        others,
        baked: refiner.finish(),
    })
}

/// Start and end of a take: as the file states them, else its first and last keys.
fn span(stack: &ufbx::AnimStack, baked: &BakedAnim) -> (f64, f64) {
    let spans = [(stack.time_begin, stack.time_end), (baked.key_time_min, baked.key_time_max)];
    let sound = |(begin, end): &(f64, f64)| begin.is_finite() && end.is_finite() && begin < end;
    let begin = finite(stack.time_begin);
    spans.into_iter().find(sound).unwrap_or((begin, begin))
}

/// Remarks on keys that are no numbers.
fn remark_on_numbers(of: &Stack<'_>, baked: &BakedAnim, remarks: &mut Remarks) {
    let take = of.stack.element.name.as_ref();
    for own in &baked.nodes {
        let name = || of.file.nodes.get(own.typed_id as usize).map_or("", |node| node.element.name.as_ref());
        let vectors = own.translation_keys.iter().chain(own.scale_keys.iter()).map(|key| &key.value);
        let turns =
            own.rotation_keys.iter().flat_map(|key| [key.value.x, key.value.y, key.value.z, key.value.w]);
        let numbers = vectors.flat_map(|v| [v.x, v.y, v.z]).chain(turns);
        remarks.finite(|| format!("take {take:?} node {:?}", name()), numbers);
    }
    for own in &baked.elements {
        let numbers = own.props.iter().flat_map(|property| property.keys.iter().map(|key| key.value.x));
        remarks.finite(|| format!("take {take:?}"), numbers);
    }
}

fn motions(of: &Stack<'_>, baked: &BakedAnim, refiner: &mut Refiner) -> Vec<Motion> {
    let mut motions: Vec<Motion> = Vec::with_capacity(baked.nodes.len());
    for own in &baked.nodes {
        let Some(node) = of.file.nodes.get(own.typed_id as usize) else { continue };
        let Some(index) = of.still.node(node) else { continue };
        let at = |time: f64| ufbx::evaluate_transform(&of.stack.anim, node, time);
        let (name, keys) = (node.element.name.as_ref(), Keys::of(of.file));
        let places = refine::Places(|time| vector(&at(time).translation));
        let turns = refine::Turns(|time| rotation(&at(time).rotation));
        let factors = refine::Ratios(|time| vector(&at(time).scale));
        motions.push(Motion {
            node: index,
            translation: refiner.refine(name, keys.vectors(&own.translation_keys), &places),
            rotation: refiner.refine(name, keys.rotations(&own.rotation_keys), &turns),
            scale: refiner.refine(name, keys.vectors(&own.scale_keys), &factors),
        });
    }
    motions.sort_by_key(|motion| motion.node);
    motions
}

/// Takes over lists of keys.
#[derive(Clone, Copy)]
struct Keys {
    /// The shortest time that the clock of the file tells apart, in seconds.
    tick_s: f64,
}

impl Keys {
    fn of(file: &ufbx::Scene) -> Self {
        Self { tick_s: 1.0 / (file.metadata.ktime_second.max(1) as f64) }
    }

    fn vectors(self, keys: &[ufbx::BakedVec3]) -> Vec<(Key<3>, bool)> {
        self.keys(keys.iter().map(|key| (key.time, vector(&key.value), key.flags)))
    }

    fn rotations(self, keys: &[ufbx::BakedQuat]) -> Vec<(Key<4>, bool)> {
        self.keys(keys.iter().map(|key| (key.time, rotation(&key.value), key.flags)))
    }

    /// Keys that are one number each, which a function works out.
    fn numbers(self, keys: &[ufbx::BakedVec3], number: impl Fn(f64) -> f64) -> Vec<(Key<1>, bool)> {
        self.keys(keys.iter().map(|key| (key.time, [number(finite(key.value.x))], key.flags)))
    }

    /// Each with whether the file has it.
    ///
    /// A curve that holds the value of its *next* key has that of the key before at the time of that key alone. The library
    /// gives both the same time; here the next value counts one tick later, so that either has a time at which it counts.
    fn keys<const N: usize>(
        self,
        all: impl Iterator<Item = (f64, [f64; N], BakedKeyFlags)>,
    ) -> Vec<(Key<N>, bool)> {
        let mut keys: Vec<(Key<N>, bool)> = Vec::with_capacity(all.size_hint().0);
        for (time_s, value, flags) in all {
            let is_next = flags.has_any(BakedKeyFlags::STEP_RIGHT);
            let last = keys.last().map(|(last, _)| *last);
            if is_next && last.is_some_and(|last| last.value == value) {
                continue;
            }
            let time_s = if is_next { time_s + self.tick_s } else { time_s };
            let time_s = last.map_or(time_s, |last| time_s.max(last.time_s));
            keys.push((Key { time_s, value }, authored(flags)));
        }
        keys
    }
}

/// True if the file has a key there; a step has two.
fn authored(flags: BakedKeyFlags) -> bool {
    let step = BakedKeyFlags::STEP_LEFT | BakedKeyFlags::STEP_RIGHT | BakedKeyFlags::STEP_KEY;
    flags.has_any(BakedKeyFlags::KEYFRAME | step)
}

fn weights(of: &Stack<'_>, baked: &BakedAnim, refiner: &mut Refiner) -> Vec<MorphWeights> {
    let by_element: HashMap<u32, &ufbx::BakedElement> =
        baked.elements.iter().map(|own| (own.element_id, own)).collect();
    let mut weights = Vec::new();
    for (mesh, morph, channel) in morphs::all(of.file) {
        let own = by_element.get(&channel.element.element_id);
        let Some(property) = own.and_then(|own| own.props.iter().find(|p| p.name.as_ref() == WEIGHT)) else {
            continue;
        };
        let nodes = of.still.meshes.shown_by.get(mesh).cloned().unwrap_or_default();
        let keys = Keys::of(of.file).numbers(&property.keys, |percent| percent / 100.0);
        let path =
            refine::Ratios(|time| [finite(ufbx::evaluate_blend_weight(&of.stack.anim, channel, time))]);
        let keys = refiner.refine(channel.element.name.as_ref(), keys, &path);
        weights.push(MorphWeights { nodes, morph, keys });
    }
    weights
}

/// Fields of view, and the names of what the scene has no place for with how many things it moves.
fn elements(of: &Stack<'_>, baked: &BakedAnim) -> (Vec<FieldOfView>, Vec<(String, usize)>) {
    let mut fields = Vec::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for own in &baked.elements {
        let Some(element) = of.file.elements.get(own.element_id as usize) else { continue };
        let camera = camera(of, element);
        for property in own.props.iter().filter(|property| property.name.as_ref() != WEIGHT) {
            let name = property.name.as_ref();
            let field =
                camera.and_then(|(camera, nodes)| Some((field_of_view(of, camera, property)?, nodes)));
            match field {
                Some((keys, nodes)) => {
                    let nodes = nodes.into_iter().filter_map(|node| of.still.node(node));
                    fields.extend(nodes.map(|node: NodeIndex| FieldOfView { node, keys: keys.clone() }));
                }
                None => *others.entry(name.to_owned()).or_default() += 1,
            }
        }
    }
    (fields, others.into_iter().collect())
}

/// The camera that an element is, and the nodes that have it.
fn camera<'a>(
    of: &Stack<'a>,
    element: &'a ufbx::Element,
) -> Option<(&'a ufbx::Camera, &'a ufbx::RefList<ufbx::Node>)> {
    let is_camera = element.type_ == ufbx::ElementType::Camera;
    let camera = of.file.cameras.get(element.typed_id as usize).filter(|_| is_camera)?;
    Some((camera.as_ref(), &camera.as_ref().element.instances))
}

fn field_of_view(of: &Stack<'_>, camera: &ufbx::Camera, property: &ufbx::BakedProp) -> Option<Vec<Key<1>>> {
    let angle = |value: f64| cameras::field_of_view(camera, property.name.as_ref(), value);
    property.keys.iter().try_for_each(|key| angle(finite(key.value.x)).map(|_| ()))?;
    let keys = Keys::of(of.file).numbers(&property.keys, |value| angle(value).unwrap_or_default());
    Some(keys.into_iter().map(|(key, _)| key).collect())
}

/// Adds up the channels of a take.
impl Baked {
    pub(super) fn add(&mut self, keys: usize, inserted: usize) {
        self.keys += keys;
        self.inserted += inserted;
        self.channels += usize::from(inserted > 0);
    }
}
