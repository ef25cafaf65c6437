//! Takes: layers put together by the library, as keys.

use super::fault::fault;
use super::keys::{self, Keys};
use super::lanes::Curves;
use super::limits;
use super::looks;
use super::morphs;
use super::numbers::{finite, rotation, vector};
use super::refine;
use super::refine::Refiner;
use super::remarks::Remarks;
use super::still::Still;
use super::times::{self, is_on_clock};
use super::tints;
use crate::fbx::document::{Baked, Lanes, MorphWeights, Motion, Take};
use dopesheet_core::diag::Fault;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;
use ufbx::{BakeOpts, BakeStepHandling, BakedAnim};

/// Smallest difference of a key from the straight way between its neighbours, in units of the file and of quaternions; keys nearer than
/// this are left out.
const STRAIGHT: f64 = 1e-7;

/// Largest number of keys added by the library between two keys, or behind the last key of a repeating curve.
pub(super) const MOST_SEGMENTS: usize = 1024;

pub(super) fn takes(
    file: &ufbx::Scene,
    still: &Still,
    rate: FrameRate,
    memory: usize,
    remarks: &mut Remarks,
) -> Result<Vec<Take>, Fault> {
    let mut left = refine::MOST_BESIDES;
    let stacks = file.anim_stacks.into_iter();
    stacks.map(|stack| take(&Stack { file, stack, still }, rate, memory, &mut left, remarks)).collect()
}

/// Sources of a take.
struct Stack<'a> {
    file: &'a ufbx::Scene,
    stack: &'a ufbx::AnimStack,
    still: &'a Still,
}

fn take(
    of: &Stack<'_>,
    rate: FrameRate,
    memory: usize,
    left: &mut usize,
    remarks: &mut Remarks,
) -> Result<Take, Fault> {
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
    let baked = ufbx::bake_anim(of.file, anim, options).map_err(|error| fault(&error, &[], (0, memory)))?;
    remark_on_numbers(of, &baked, remarks);
    let (begin, end) = span(of, &baked);
    let unit_m = of.still.scene.basis.metres_per_unit.unwrap_or(1.0);
    let mut refiner = Refiner::new(unit_m, (begin, end), rate, *left);
    let motions = motions(of, &baked, (begin, end), &mut refiner);
    let weights = weights(of, &baked, &mut refiner);
    let tints = tints::of(of.file, anim, &baked, &mut refiner);
    let (looks, others) = looks::of(of.file, of.still, anim, &baked);
    let (account, keys_left) = refiner.finish();
    *left = keys_left;
    Ok(Take {
        name: of.stack.element.name.to_string(),
        begin: Seconds(begin),
        end: Seconds(end),
        rate,
        layers: of.stack.layers.len(),
        motions,
        weights,
        looks,
        tints,
        others,
        baked: account,
    })
}

/// Start and end of a take: as the file states them, else its first and last keys. A file may state the end of its clock.
fn span(of: &Stack<'_>, baked: &BakedAnim) -> (f64, f64) {
    let stack = of.stack;
    let spans = [(stack.time_begin, stack.time_end), (baked.key_time_min, baked.key_time_max)];
    let mut spans = spans.into_iter().chain(times::ends(stack));
    let is_time = |time_s: f64| is_on_clock(of.file, time_s);
    let sound = |(begin, end): &(f64, f64)| is_time(*begin) && is_time(*end) && begin < end;
    let begin = if is_time(stack.time_begin) { stack.time_begin } else { 0.0 };
    spans.find(sound).unwrap_or((begin, begin))
}

/// Remarks on keys with numbers beyond all bounds.
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

fn motions(of: &Stack<'_>, baked: &BakedAnim, span: (f64, f64), refiner: &mut Refiner) -> Vec<Motion> {
    let mut motions: Vec<Motion> = Vec::with_capacity(baked.nodes.len());
    let curves = Curves::of(of.stack, span);
    for own in &baked.nodes {
        let Some(node) = of.file.nodes.get(own.typed_id as usize) else { continue };
        let Some(index) = of.still.node(node) else { continue };
        let at = |time: f64| ufbx::evaluate_transform(&of.stack.anim, node, time);
        let (name, keys) = (node.element.name.as_ref(), Keys::of(of.file));
        let places = refine::Places(|time| vector(&at(time).translation));
        let turns = refine::Turns(|time| rotation(&at(time).rotation));
        let factors = refine::Ratios(|time| vector(&at(time).scale));
        let lanes = Lanes {
            translation: curves.translation(node),
            rotation: curves.rotation(node),
            scale: curves.scale(node),
        };
        let is_whole = lanes.translation.is_some() && lanes.rotation.is_some() && lanes.scale.is_some();
        let times = if is_whole { Vec::new() } else { times::of_element(&of.stack.anim, &node.element) };
        let translation = match &lanes.translation {
            Some(lanes) => refiner.keep(lanes),
            None => refiner.refine(name, keys.vectors(&own.translation_keys), &times, &places),
        };
        let rotation = match &lanes.rotation {
            Some((_, lanes)) => refiner.keep(lanes),
            None => refiner.refine(name, keys.rotations(&own.rotation_keys), &times, &turns),
        };
        let scale = match &lanes.scale {
            Some(lanes) => refiner.keep(lanes),
            None => refiner.refine(name, keys.vectors(&own.scale_keys), &times, &factors),
        };
        motions.push(Motion { node: index, translation, rotation, scale, lanes });
    }
    motions.sort_by_key(|motion| motion.node);
    motions
}

fn weights(of: &Stack<'_>, baked: &BakedAnim, refiner: &mut Refiner) -> Vec<MorphWeights> {
    let by_element: HashMap<u32, &ufbx::BakedElement> =
        baked.elements.iter().map(|own| (own.element_id, own)).collect();
    let mut weights = Vec::new();
    for (mesh, first, channel) in morphs::all(of.file) {
        let (element, name) = morphs::weighed_by(channel);
        let animated = by_element.get(&element);
        let Some(property) = animated.and_then(|own| own.props.iter().find(|own| own.name.as_ref() == name))
        else {
            continue;
        };
        let nodes = of.still.meshes.shown_by.get(mesh).cloned().unwrap_or_default();
        let anim = &of.stack.anim;
        let owner = of.file.elements.get(element as usize);
        let unread = owner.map_or(0.0, |owner| keys::unread(anim, owner, name)) / 100.0;
        let keys = Keys::of(of.file).numbers(&property.keys, |percent| percent / 100.0 + unread);
        let path = refine::Ratios(|time| [finite(ufbx::evaluate_blend_weight(anim, channel, time)) + unread]);
        let times = owner.map_or_else(Vec::new, |owner| times::of_element(anim, owner));
        let keys = refiner.refine(channel.element.name.as_ref(), keys, &times, &path);
        for (shape, keys) in morphs::split(channel, &keys).into_iter().enumerate() {
            weights.push(MorphWeights { nodes: nodes.clone(), morph: first + shape, keys });
        }
    }
    weights
}

/// Adds up the channels of a take.
impl Baked {
    pub(super) fn add(&mut self, keys: usize, inserted: usize) {
        self.keys += keys;
        self.inserted += inserted;
        self.channels += usize::from(inserted > 0);
    }
}
