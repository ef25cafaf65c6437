//! Bring a scene within what a format can hold.
//!
//! [`arrange`] changes only the representation (exactly); [`conform`] then changes keys and laws where
//! necessary, leaves out the parts that the format cannot hold, and reports both with counts and measured
//! errors.
//!
//! `wishes` plans, `structure` arranges, `laws` decides which segments may stay, `budget` shares out the
//! tolerance, `choose` makes the keys of a round, `chosen` leaves this choice to the caller, `storage` rounds
//! keys as the file will, `search` runs the rounds, `adapt` gives less to joints left over their tolerance by
//! a round, `bound` adds up errors that no time exceeds, `tally` counts the changes, `told` reports, `camera`
//! puts cameras on a circle, `lengths` makes quaternions unit ones, `rate` finds the frames of keys, and
//! `sparse` refuses clips with few keys on more frames than allowed.

mod adapt;
mod bound;
mod budget;
mod camera;
mod choose;
mod chosen;
mod held;
mod laws;
mod lengths;
mod light;
mod rate;
mod search;
mod sparse;
mod storage;
pub(crate) mod structure;
mod tally;
mod told;
mod wishes;

pub use camera::hold_cuts;
pub use chosen::{ChannelLimits, choose_within};
pub use held::is_held;
pub use lengths::shorten_keys;
pub use rate::frame_rate;
pub use sparse::check_frames;
pub(crate) use structure::morphs::split as split_weights;
pub use structure::rays::{has_rays, place_rays};
pub use structure::world::{WorldNodes, put_in_world};
pub use wishes::Conform;

use crate::keys::KeyPlan;
use crate::sample::angles::joined_angles;
use bound::Bound;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Capabilities;
use dopesheet_core::model::{Clip, Composition, PoseRelation, Property, Scene, TargetKind};
use rate::Frames;
pub use search::in_units;
use search::{share, within};
use std::sync::Arc;
use structure::{morphs, parts, rays, relation};
use told::{Measured, Told};
use wishes::{destination, key_plan};

/// Brings a scene into a format's representation, without changing any value at any time by more than the
/// rounding of f32.
///
/// Values relative to the rest pose become absolute, morph tracks and weight vectors become each other, light
/// directions become rotations, rays become poses of their nodes, angles of poses become quaternions, and
/// switches of a node also show as the node's scale, or no longer do, as `capabilities` asks. Clips whose
/// rotations are not single curves wait for [`conform`](fn@conform) to become absolute, and morph tracks
/// without an answering mesh stay as they are.
pub fn arrange(scene: &mut Scene, capabilities: &Capabilities) {
    if !capabilities.compositions.angles_on_frames {
        join_angles(scene);
    }
    if capabilities.relation == PoseRelation::Absolute {
        relation::make_absolute(scene);
    }
    let parts = capabilities.parts;
    if parts.weight_vectors && !parts.morph_tracks {
        morphs::merge(scene);
    } else if parts.morph_tracks && !parts.weight_vectors {
        morphs::split(scene);
    }
    if parts.lights && !parts.orbits {
        aim_lights(scene);
    }
    if parts.translation && parts.rotation && parts.hierarchy {
        place_rays(scene);
    }
    match (parts.scale && parts.hierarchy, parts.switches) {
        (true, false) => rays::show_switches(scene),
        (_, true) => rays::hide_switches(scene),
        (false, false) => {}
    }
}

/// Brings an arranged scene within the capabilities of a format.
///
/// Keys outside 0..=duration are cut off, with a new key at the cut, but keys before 0 stay in a format with
/// negative times; a segment across the cut is divided, and its part inside keeps its law. Segments that the
/// format can express keep their authored keys; the others get straight ones (or cubic ones, where wanted),
/// as few as the tolerance needs; with a bake, one per frame. In a format with a grid, keys stand on its
/// frames alone (see [`linearise`](fn@crate::keys::linearise)). Where a format keys all channels of a node
/// together, keys of different channels within 1e-6 s of each other become one.
pub fn conform(scene: &mut Scene, capabilities: &Capabilities, options: &Conform<'_>, report: &mut Report) {
    parts::leave_out(scene, capabilities, report);
    let mut tally = tally::Tally::default();
    let keeps = relation::is_kept(&scene.nodes, capabilities.relation);
    if !keeps {
        relation::make_absolute(scene);
    }
    let mut done = Vec::with_capacity(scene.clips.len());
    let mut largest: Option<Measured> = None;
    let (mut bound, mut proved) = (Bound::NONE, None);
    let mut rounded = storage::Rounded::default();
    for mut clip in std::mem::take(&mut scene.clips) {
        let plan = key_plan(&clip, capabilities, options);
        let tolerance = in_units(scene, &options.tolerance);
        let circled = camera::take_out(scene, &mut clip, &plan, capabilities, &tolerance);
        let aimed = light::take_out(scene, &mut clip, &plan, capabilities, &tolerance);
        // On a grid timing curves are found for what is written, so rest poses are taken out first.
        let flat = if keeps || !plan.only_on_grid { None } else { relation::unturned(scene, &clip) };
        let is_flat = flat.is_some();
        drop_tail(&clip, &plan, report);
        let solved = clip.solved.clone();
        let frames = plan.every_frame.then(|| Frames::of(&clip, plan.rate, capabilities.grid.is_some()));
        let (on, clip) = flat.map_or((None, clip), |(flat, clip)| (Some(flat), clip));
        let target = destination(&clip, &solved, &plan, capabilities, options, keeps || is_flat);
        let candidate = within(on.as_ref().unwrap_or(scene), clip, &target, &options.for_keys()).counted();
        tally.add(&candidate.tally);
        rounded.add(candidate.rounded);
        let measured = match options.in_world {
            Some(nodes) => nodes.measured(scene, &candidate.clip, done.len(), candidate.measured, &tolerance),
            None => candidate.measured,
        };
        if circled.is_some() || options.in_world.is_some() {
            bound = Bound::UNKNOWN;
        } else if measured.is_some() {
            bound = bound.max(candidate.bound);
        } else if candidate.bound.value.is_finite() {
            proved = Some(candidate.bound.max(proved.unwrap_or(Bound::NONE)));
        }
        let of_camera = circled.as_ref().map(|circled| Measured::unexplained(circled.comparison().clone()));
        let of_clip =
            measured.map(|comparison| Measured { comparison, precision: candidate.precision, frames });
        largest = largest
            .into_iter()
            .chain(of_clip)
            .chain(of_camera)
            .max_by(|a, b| share(Some(&a.comparison)).total_cmp(&share(Some(&b.comparison))));
        let grid = Some(plan.rate).filter(|_| plan.only_on_grid).or(candidate.clip.grid);
        let mut clip = Clip { grid, ..Arc::unwrap_or_clone(candidate.clip) };
        if !is_flat {
            relation::relate(scene, &mut clip, capabilities.relation);
        }
        if let Some(circled) = circled {
            circled.put_back(&mut clip, scene.basis.metres_per_unit, report);
        }
        if let Some(aimed) = aimed {
            aimed.put_back(scene, &mut clip, &options.tolerance, report);
        }
        done.push(clip);
    }
    scene.clips = done;
    let outcome = Told { tally, rounded, largest, bound, proved };
    outcome.report(scene, &capabilities.parts, options, report);
}

/// Reports the lost end of a clip between two frames, where the format holds nothing but a value on every
/// frame of a grid.
fn drop_tail(clip: &Clip, plan: &KeyPlan, report: &mut Report) {
    let rate = plan.rate;
    let tail = clip.end().0 - rate.seconds(rate.frame(clip.end()).floor()).0;
    if plan.every_frame && plan.only_on_grid && rate.grid_point(clip.end()).is_none() {
        report.dropped(format!("the last {tail:.6} s"), "the clip ends between two frames");
    }
}

/// Turns angles of poses into quaternions.
fn join_angles(scene: &mut Scene) {
    let tracks = scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks);
    for channel in tracks.flat_map(|track| &mut track.channels) {
        if let Some(joined) = joined_angles(channel) {
            *channel = joined;
        }
    }
}

/// Light directions become rotations of the light's node.
fn aim_lights(scene: &mut Scene) {
    let axis = scene.basis.light_shines.vector();
    let tracks = scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks);
    for channel in tracks.filter(|t| t.target.kind == TargetKind::Light).flat_map(|t| &mut t.channels) {
        if channel.property != Property::Direction {
            continue;
        }
        if let Composition::Whole(curve) = &channel.composition {
            let direction = Box::new(curve.clone());
            channel.composition = Composition::Aim { direction, axis };
            channel.property = Property::Rotation;
        }
    }
}
