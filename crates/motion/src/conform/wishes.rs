//! Wishes of the caller, and the plan that follows from them for a clip.

use super::laws::Destination;
use super::rate::frame_rate;
use super::structure::world::WorldNodes;
use crate::keys::KeyPlan;
use crate::tolerance::Tolerance;
use dopesheet_core::format::{Capabilities, KeyLayout, KeyStorage};
use dopesheet_core::model::{Clip, NodeIndex};
use dopesheet_core::units::{FrameRate, Seconds};

/// The part of the tolerance that keys get at least.
const LEAST: f64 = 0.5;

/// Wishes of the caller beyond what the format demands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conform<'a> {
    /// Tolerance of the result where keys are chosen freely.
    pub tolerance: Tolerance,
    /// True to give up, within the tolerance, what would be kept exactly: authored keys that follow from the others are dropped, keys on a
    /// grid need not stay on their frames, movement too small to tell becomes one key, channels share key times where lists of times cost
    /// room, and where a variant packs numbers, values are as coarse as saves bytes.
    pub lossy: bool,
    /// True if what needs new keys gets cubic segments with tangents where those take fewer numbers than straight ones. A
    /// format that has both side by side gets them anyway where they take fewer keys.
    pub cubic: bool,
    /// One key per frame at this rate instead of authored keys, but one alone where nothing moves. A format with a grid of its own gets one key per frame
    /// of that grid.
    pub bake: Option<FrameRate>,
    /// Storage of values, and cost of keys, in the variant that is written.
    pub storage: KeyStorage,
    /// Nodes that were sampled in the world: their keys get so much less of the tolerance as that took, and are compared with the
    /// scene that they were taken from.
    pub in_world: Option<&'a WorldNodes>,
}

impl Conform<'_> {
    /// The part of the tolerance that is left for keys.
    pub(super) fn for_keys(&self) -> Tolerance {
        let off_m = self.in_world.map_or(0.0, |nodes| nodes.off_m);
        let length_m = (self.tolerance.length_m - off_m).max(LEAST * self.tolerance.length_m);
        Tolerance { length_m, ..self.tolerance }
    }
}

/// The format that a clip is brought to. `keeps` says whether poses stay relative to what they are relative to, and whether rest poses
/// were taken out.
pub(super) fn destination<'a>(
    clip: &Clip,
    solved: &'a [NodeIndex],
    plan: &'a KeyPlan,
    capabilities: &'a Capabilities,
    options: &Conform<'_>,
    (keeps, is_flat): (bool, bool),
) -> Destination<'a> {
    Destination {
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
    }
}

/// The keys that a clip may have.
pub(super) fn key_plan(clip: &Clip, capabilities: &Capabilities, options: &Conform<'_>) -> KeyPlan {
    let every_frame = capabilities.layout == KeyLayout::EveryFrame;
    KeyPlan {
        range: (Seconds(0.0), clip.end()),
        rate: frame_rate(clip, capabilities, options.bake),
        only_on_grid: capabilities.grid.is_some() || every_frame,
        every_frame: options.bake.is_some() || every_frame,
    }
}
