//! Operations that change motions: each takes a scene, and is exact on authored keys.
//!
//! A key that an operation does not move stays as it is, with its position in its document
//! ([`Curve::sources`](dopesheet_core::model::Curve::sources)). Where a curve is cut, it is divided: a Bezier
//! curve by de Casteljau's construction, a cubic curve by its slopes. An operation knows nothing of formats;
//! the limits of a format show when the document is [updated to the
//! result](dopesheet_core::format::Format::update).
//!
//! Each operation has a file with a struct of its options, and a function. [`Operation`] is any of them
//! except [`split()`], which makes several clips from a single clip.

mod apart;
mod changed;
mod close;
mod concat;
mod delete;
mod divided;
mod drop;
mod ends;
mod frames;
mod held;
mod joined;
mod keys;
mod markers;
mod merge;
mod mirror;
mod nearest;
mod others;
mod place;
mod reduce;
mod refused;
mod rename;
mod repeat;
mod resample;
mod rest;
mod retime;
mod reverse;
mod rotations;
mod rows;
mod same_curves;
mod set;
mod shift;
mod shown;
mod sides;
mod smooth;
mod split;
mod trim;

pub use close::{Loop, close_loop};
pub use concat::{Concat, concat};
pub use delete::{Delete, delete};
pub use drop::{Kept, Pattern, drop, select};
pub use keys::{KeyChange, KeyLaw, Keys, keys};
pub use markers::{MarkerChange, Markers, markers};
pub use merge::{Merge, merge};
pub use mirror::{Mirror, mirror};
pub use nearest::{OnFrames, on_frames};
pub use place::{Length, Move, Way, move_root};
pub use reduce::{Reduce, reduce};
pub use refused::{Reason, Refused};
pub use rename::{Rename, rename};
pub use repeat::{Repeat, repeat};
pub use resample::{Resample, resample};
pub use retime::{Pace, Retime, TimeMap, retime};
pub use reverse::reverse;
pub use set::{Set, set};
pub use shift::{Shift, shift};
pub use shown::Shown;
pub use smooth::{Filter, Smooth, smooth};
pub use split::{Split, split};
pub use trim::{Trim, trim};

use dopesheet_core::diag::Report;
use dopesheet_core::model::Scene;

/// An operation with its options.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operation {
    /// Keeps a range of the clip alone; see [`trim()`].
    Trim(Trim),
    /// Leaves out a range of the clip; see [`delete()`].
    Delete(Delete),
    /// Plays the clip several times; see [`repeat()`].
    Repeat(Repeat),
    /// Puts other motions behind the clip; see [`concat()`].
    Concat(Concat),
    /// Takes in the tracks of other motions; see [`merge()`].
    Merge(Merge),
    /// Moves the clip in time; see [`shift()`].
    Shift(Shift),
    /// Changes the speed of the clip; see [`retime()`].
    Retime(Retime),
    /// Plays the clip backwards; see [`reverse()`].
    Reverse,
    /// Exchanges left and right; see [`mirror()`].
    Mirror(Mirror),
    /// Makes the clip end with its first pose; see [`close_loop`].
    Loop(Loop),
    /// Changes selected keys; see [`keys()`].
    Keys(Keys),
    /// Adds, moves or removes a marker; see [`markers()`].
    Markers(Markers),
    /// Sets a key on every frame; see [`resample()`].
    Resample(Resample),
    /// Leaves out keys within a tolerance; see [`reduce()`].
    Reduce(Reduce),
    /// Moves, turns or scales the root; see [`move_root`].
    Move(Move),
    /// Filters captured motion; see [`smooth()`].
    Smooth(Smooth),
    /// Gives targets other names; see [`rename()`].
    Rename(Rename),
    /// Keeps selected channels alone; see [`select()`].
    Select(Kept),
    /// Removes selected channels; see [`drop()`].
    Drop(Kept),
    /// States other facts about the clip; see [`set()`].
    Set(Set),
}

impl Operation {
    /// The operation's word, equal to the command's.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Trim(_) => "trim",
            Self::Delete(_) => "delete",
            Self::Repeat(_) => "repeat",
            Self::Concat(_) => "concat",
            Self::Merge(_) => "merge",
            Self::Shift(_) => "shift",
            Self::Retime(_) => "retime",
            Self::Reverse => "reverse",
            Self::Mirror(_) => "mirror",
            Self::Loop(_) => "loop",
            Self::Keys(_) => "keys",
            Self::Markers(_) => "markers",
            Self::Resample(_) => "resample",
            Self::Reduce(_) => "reduce",
            Self::Move(_) => "move",
            Self::Smooth(_) => "smooth",
            Self::Rename(_) => "rename",
            Self::Select(_) => "select",
            Self::Drop(_) => "drop",
            Self::Set(_) => "set",
        }
    }

    /// Changes a clip of a scene by its position; a scene without the clip stays as it is.
    ///
    /// # Errors
    /// If the operation makes no sense on the clip. The scene may be changed in part then.
    pub fn apply(&self, scene: &mut Scene, clip: usize, report: &mut Report) -> Result<(), Refused> {
        let basis = scene.basis;
        let Some(target_clip) = scene.clips.get_mut(clip) else { return Ok(()) };
        let done = match self {
            Self::Trim(options) => trim(target_clip, options, &basis, report),
            Self::Delete(options) => delete(target_clip, options, &basis, report),
            Self::Repeat(options) => repeat(target_clip, options, &basis, report),
            Self::Concat(options) => concat(scene, clip, options, report),
            Self::Merge(options) => merge(scene, clip, options),
            Self::Shift(options) => shift(target_clip, options),
            Self::Retime(options) => retime(target_clip, options, &basis, report),
            Self::Reverse => reverse(target_clip, &basis, report),
            Self::Mirror(options) => mirror(scene, clip, options),
            Self::Loop(options) => close_loop(scene, clip, options, report),
            Self::Keys(options) => keys(target_clip, options, &basis, report),
            Self::Markers(options) => markers(target_clip, options),
            Self::Resample(options) => resample(target_clip, options, report),
            Self::Reduce(options) => reduce(scene, clip, options, report),
            Self::Move(options) => move_root(scene, clip, options, report),
            Self::Smooth(options) => smooth(scene, clip, options, report),
            Self::Rename(options) => rename(scene, clip, options),
            Self::Select(kept) => select(target_clip, kept),
            Self::Drop(kept) => drop(target_clip, kept),
            Self::Set(options) => {
                set(target_clip, options);
                Ok(())
            }
        };
        done.map_err(|reason| Refused { operation: self.word(), reason })
    }
}
