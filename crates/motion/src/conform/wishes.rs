//! Wishes of the caller, and the resulting plan for a clip.

use super::laws::Destination;
use super::rate::frame_rate;
use super::structure::world::WorldNodes;
use crate::keys::KeyPlan;
use crate::tolerance::Tolerance;
use dopesheet_core::format::{Capabilities, KeyLayout, KeyStorage};
use dopesheet_core::model::{Clip, SolvedChannel};
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashSet;

/// The smallest part of the tolerance for keys.
const LEAST: f64 = 0.5;

/// Wishes of the caller beyond what the format demands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conform<'a> {
    /// Tolerance of the result where keys are chosen freely.
    pub tolerance: Tolerance,
    /// True to give up, within the tolerance, exactness where there is a choice: authored keys that follow
    /// from the others are dropped, keys on a grid need not stay on their frames, negligible movement becomes
    /// one key, channels share key times where lists of times cost room, and where a variant packs numbers,
    /// values are as coarse as saves bytes.
    pub lossy: bool,
    /// True if new segments are cubic, with tangents, where cubic segments take fewer numbers than straight
    /// ones. A format with both side by side gets cubic segments anyway where they take fewer keys.
    pub cubic: bool,
    /// One key per frame at this rate instead of authored keys, but a single key where nothing moves. A
    /// format with a grid of its own gets one key per frame of its grid.
    pub bake: Option<FrameRate>,
    /// Storage of values, and cost of keys, in the written variant.
    pub storage: KeyStorage,
    /// Nodes sampled in the world: their keys get the rest of the tolerance that the sampling left, and are
    /// compared with the source scene of the nodes.
    pub in_world: Option<&'a WorldNodes>,
}

impl Conform<'_> {
    /// The part of the tolerance left for keys.
    pub(super) fn for_keys(&self) -> Tolerance {
        let off_m = self.in_world.map_or(0.0, |nodes| nodes.off_m);
        let length_m = (self.tolerance.length_m - off_m).max(LEAST * self.tolerance.length_m);
        Tolerance { length_m, ..self.tolerance }
    }
}

/// The format to which a clip is brought. `keeps_axes` is true if poses keep their relation, or rest poses were
/// taken out.
pub(super) fn destination<'a>(
    clip: &Clip,
    solved: &'a HashSet<SolvedChannel>,
    plan: &'a KeyPlan,
    capabilities: &'a Capabilities,
    options: &Conform<'_>,
    keeps_axes: bool,
) -> Destination<'a> {
    Destination {
        solved,
        fine: &[],
        capabilities,
        plan,
        storage: options.storage,
        keeps_relation: keeps_axes && clip.relation == capabilities.relation,
        keeps_axes,
        lossy: options.lossy,
        drops: options.lossy,
        cubic: options.cubic,
    }
}

/// The permitted keys of a clip.
pub(super) fn key_plan(clip: &Clip, capabilities: &Capabilities, options: &Conform<'_>) -> KeyPlan {
    let every_frame = capabilities.layout == KeyLayout::EveryFrame;
    KeyPlan {
        range: (Seconds(0.0), clip.end()),
        rate: frame_rate(clip, capabilities, options.bake),
        only_on_grid: capabilities.grid.is_some() || every_frame,
        every_frame: options.bake.is_some() || every_frame,
    }
}
