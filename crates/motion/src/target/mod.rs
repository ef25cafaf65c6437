//! Bring a scene within what a format can hold.
//!
//! [`arrange`] changes only how things are put (exactly); [`conform`] then changes keys and laws where it must, leaves
//! out what has no place, and reports both with counts and measured errors.
//!
//! `structure` arranges, `laws` says which segments may stay, `budget` shares out the tolerance, `choose` makes the keys of a
//! round, `chosen` has others make them, `storage` rounds them as the file will, `search` runs the rounds, `adapt` gives less to joints
//! that a round left over their tolerance, `bound` adds up what no time exceeds, `tally` counts what was changed, `told` reports, `camera` puts cameras
//! on a circle, `rate` finds the frames that keys stand on, and `sparse` refuses clips with few keys on more frames than are allowed.

mod adapt;
mod bound;
mod budget;
mod camera;
mod choose;
mod chosen;
mod held;
mod laws;
mod light;
mod rate;
mod search;
mod sparse;
mod storage;
mod structure;
mod tally;
mod told;

pub use chosen::{ChannelLimits, choose_within};
pub use held::is_held;
pub use rate::frame_rate;
pub use sparse::check_frames;
pub(crate) use structure::morphs::split as split_weights;
pub use structure::world::{WorldNodes, put_in_world};

use crate::compare::Comparison;
use crate::keys::KeyPlan;
use crate::sample::angles::joined_angles;
use crate::tolerance::Tolerance;
use bound::Bound;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, KeyLayout, KeyStorage, Parts};
use dopesheet_core::model::{Clip, Composition, NodeIndex, PoseRelation, Property, Scene, TargetKind};
use dopesheet_core::units::{FrameRate, Seconds};
use rate::Frames;
pub use search::in_units;
use search::{share, within};
use structure::{morphs, parts, rays, relation};

/// Wishes of the caller beyond what the format demands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conform<'a> {
    /// Tolerance of the result where keys are chosen freely.
    pub tolerance: Tolerance,
    /// True to drop authored keys, and movement, that change less than the tolerance.
    pub lossy: bool,
    /// True if what needs new keys gets cubic segments with tangents where those take fewer numbers than straight ones. A
    /// format that has both side by side gets them anyway where they take fewer keys. With `lossy` they go across authored
    /// keys too, but not where straight ones are stored rounded.
    pub cubic: bool,
    /// One key per frame at this rate instead of authored keys. A format with a grid of its own gets one key per frame
    /// of that grid.
    pub bake: Option<FrameRate>,
    /// Storage of values, and cost of keys, in the variant that is written.
    pub storage: KeyStorage,
    /// Nodes that were sampled in the world: their keys get so much less of the tolerance as that took, and are compared with the
    /// scene that they were taken from.
    pub in_world: Option<&'a WorldNodes>,
}

/// Share of its limit that no rounding of key times is mentioned for: a micrometre of a tenth of a millimetre.
const NEGLIGIBLE: f64 = 0.01;

/// The part of the tolerance that keys get at least.
const LEAST: f64 = 0.5;

impl Conform<'_> {
    /// The part of the tolerance that is left for keys.
    fn for_keys(&self) -> Tolerance {
        let off_m = self.in_world.map_or(0.0, |nodes| nodes.off_m);
        let length_m = (self.tolerance.length_m - off_m).max(LEAST * self.tolerance.length_m);
        Tolerance { length_m, ..self.tolerance }
    }
}

/// Puts a scene the way a format puts it, without changing any value at any time by more than the rounding of f32.
///
/// Values relative to the rest pose become absolute, morph tracks and weight vectors become each other, light directions
/// become rotations, rays become poses of their nodes, angles that state poses become quaternions, and switches that have a
/// node also show as its scale, or do no more, as `capabilities` asks. Clips whose rotations are not single curves wait for
/// [`conform`](fn@conform) to become absolute, and morph tracks that no mesh answers to stay as they are.
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
        rays::place_rays(scene);
    }
    match (parts.scale && parts.hierarchy, parts.switches) {
        (true, false) => rays::show_switches(scene),
        (_, true) => rays::hide_switches(scene),
        (false, false) => {}
    }
}

/// Brings an arranged scene within the capabilities of a format.
///
/// Keys outside 0..=duration are cut off where the value then is, but not those before 0 in a format that has negative
/// times; a segment that is cut through is divided, and its part inside keeps its law. Segments that the format can express keep their
/// authored keys; the others get straight ones (or cubic ones, where that is wanted), as few as the tolerance needs; with a bake, one
/// per frame. In a format with a grid, keys stand on its frames alone (see [`linearise`](fn@crate::keys::linearise)). Where a format
/// keys all channels of a node together, keys of different channels within 1e-6 s of each other become one.
pub fn conform(scene: &mut Scene, capabilities: &Capabilities, options: &Conform<'_>, report: &mut Report) {
    parts::leave_out(scene, capabilities, report);
    let mut tally = tally::Tally::default();
    let keeps = relation::is_kept(&scene.nodes, capabilities.relation);
    if !keeps {
        relation::make_absolute(scene);
    }
    let mut done = Vec::with_capacity(scene.clips.len());
    let mut worst: Option<Measured> = None;
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
        let solved = clip.solved.clone();
        let frames = plan.every_frame.then(|| Frames::of(&clip, plan.rate, capabilities.grid.is_some()));
        let (on, clip) = flat.map_or((None, clip), |(flat, clip)| (Some(flat), clip));
        let target = destination(&clip, &solved, &plan, capabilities, options, (keeps, is_flat));
        let candidate = within(on.as_ref().unwrap_or(scene), clip, &target, &options.for_keys()).counted();
        tally.add(&candidate.tally);
        rounded.add(candidate.rounded);
        let measured = match options.in_world {
            Some(nodes) => {
                nodes.measured((scene, &candidate.clip, done.len()), candidate.measured, &tolerance)
            }
            None => candidate.measured,
        };
        if circled.is_some() || options.in_world.is_some() {
            bound = Bound::UNKNOWN;
        } else if measured.is_some() {
            bound = bound.max(candidate.bound);
        } else if candidate.bound.value.is_finite() {
            proved = Some(candidate.bound.max(proved.unwrap_or(Bound::NONE)));
        }
        let of_camera = circled.as_ref().map(|circled| (circled.comparison().clone(), Vec::new(), None));
        let of_clip = measured.map(|found| (found, candidate.precision, frames));
        worst = worst
            .into_iter()
            .chain(of_clip.into_iter().chain(of_camera).map(|(found, precision, frames)| Measured {
                found,
                precision,
                frames,
            }))
            .max_by(|a, b| share(Some(&a.found)).total_cmp(&share(Some(&b.found))));
        let grid = if plan.only_on_grid { Some(plan.rate) } else { candidate.clip.grid };
        let mut clip = Clip { grid, ..candidate.clip };
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
    let told = Told { tally, rounded, worst, bound, proved };
    told.report(scene, &capabilities.parts, options, report);
}

/// Differences of a clip from its source.
struct Measured {
    found: Comparison,
    /// For each node, the share of its limit that stored precision alone costs.
    precision: Vec<f64>,
    /// The frames that have keys, if all have.
    frames: Option<Frames>,
}

/// Results of a conversion that the report tells.
struct Told {
    tally: tally::Tally,
    rounded: storage::Rounded,
    /// The comparison with the largest share of a limit.
    worst: Option<Measured>,
    /// Upper bound of the displacement of any point in clips that were measured.
    bound: Bound,
    /// The same in clips of which it proves the tolerance.
    proved: Option<Bound>,
}

impl Told {
    fn report(self, scene: &Scene, parts: &Parts, options: &Conform<'_>, report: &mut Report) {
        // Where all keys are kept, the rounding of their times is said only where it shows.
        let Self { tally, rounded, worst, bound, proved } = self;
        let is_kept = tally.is_exact() && rounded.is_empty();
        let tolerance = &options.tolerance;
        let worst = worst.filter(|worst| !(is_kept && share(Some(&worst.found)) <= NEGLIGIBLE));
        let negligible = NEGLIGIBLE * in_units(scene, tolerance).length_m;
        let proved = proved.filter(|bound| !(is_kept && bound.value <= negligible));
        tally.report(scene.basis.metres_per_unit, parts, report);
        rounded.report(scene.basis.metres_per_unit, options.storage, report);
        if let Some(worst) = worst {
            told::report(scene, tolerance, &worst.found, bound, report);
            let is_beyond = told::warn_if_beyond(scene, tolerance, &worst, report);
            if !is_beyond {
                told::warn_of_bound(scene, tolerance, bound, report);
            }
        }
        if let Some(bound) = proved {
            told::report_proved(scene, tolerance, bound, report);
        }
    }
}

/// The format that a clip is brought to. `keeps` says whether poses stay relative to what they are relative to, and whether rest poses
/// were taken out.
fn destination<'a>(
    clip: &Clip,
    solved: &'a [NodeIndex],
    plan: &'a KeyPlan,
    capabilities: &'a Capabilities,
    options: &Conform<'_>,
    (keeps, is_flat): (bool, bool),
) -> laws::Destination<'a> {
    laws::Destination {
        solved,
        fine: &[],
        capabilities,
        plan,
        storage: options.storage,
        keeps_relation: (keeps || is_flat) && clip.relation == capabilities.relation,
        keeps_axes: keeps || is_flat,
        lossy: options.lossy,
        drops: options.lossy,
        cubic: options.cubic,
        spans: options.cubic && options.lossy,
    }
}

fn key_plan(clip: &Clip, capabilities: &Capabilities, options: &Conform<'_>) -> KeyPlan {
    let every_frame = capabilities.layout == KeyLayout::EveryFrame;
    KeyPlan {
        range: (Seconds(0.0), clip.end()),
        rate: frame_rate(clip, capabilities, options.bake),
        only_on_grid: capabilities.grid.is_some() || every_frame,
        every_frame: options.bake.is_some() || every_frame,
    }
}

/// Angles that state poses become quaternions.
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
