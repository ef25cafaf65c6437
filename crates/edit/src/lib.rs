//! Operations that change motions: each takes a scene, and is exact on authored keys.
//!
//! A key that an operation does not move stays as it is, with its place in the document that it came from
//! ([`Curve::sources`](dopesheet_core::model::Curve::sources)). Where a curve is cut it is divided: a Bezier curve by de
//! Casteljau's construction, a cubic one by its slopes. An operation knows nothing of formats; what a format cannot hold of its
//! result is found when the document is [brought up to it](dopesheet_core::format::Format::update).
//!
//! One file for each: a struct of its options, and a function. [`Operation`] is any of them but [`split()`], which makes several
//! clips of one.

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
    /// See [`trim()`].
    Trim(Trim),
    /// See [`delete()`].
    Delete(Delete),
    /// See [`repeat()`].
    Repeat(Repeat),
    /// See [`concat()`].
    Concat(Concat),
    /// See [`merge()`].
    Merge(Merge),
    /// See [`shift()`].
    Shift(Shift),
    /// See [`retime()`].
    Retime(Retime),
    /// See [`reverse()`].
    Reverse,
    /// See [`mirror()`].
    Mirror(Mirror),
    /// See [`close_loop`].
    Loop(Loop),
    /// See [`keys()`].
    Keys(Keys),
    /// See [`markers()`].
    Markers(Markers),
    /// See [`resample()`].
    Resample(Resample),
    /// See [`reduce()`].
    Reduce(Reduce),
    /// See [`move_root`].
    Move(Move),
    /// See [`smooth()`].
    Smooth(Smooth),
    /// See [`rename()`].
    Rename(Rename),
    /// See [`select()`].
    Select(Kept),
    /// See [`drop()`].
    Drop(Kept),
    /// See [`set()`].
    Set(Set),
}

impl Operation {
    /// Its word, which is that of the command.
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

    /// Changes one clip of a scene by its position; a scene without that clip stays as it is.
    ///
    /// # Errors
    /// If the operation makes no sense on that clip. The scene may be changed in part then.
    pub fn apply(&self, scene: &mut Scene, clip: usize, report: &mut Report) -> Result<(), Refused> {
        let basis = scene.basis;
        let Some(own) = scene.clips.get_mut(clip) else { return Ok(()) };
        let done = match self {
            Self::Trim(options) => trim(own, options, &basis, report),
            Self::Delete(options) => delete(own, options, &basis, report),
            Self::Repeat(options) => repeat(own, options, &basis, report),
            Self::Concat(options) => concat(scene, clip, options, report),
            Self::Merge(options) => merge(scene, clip, options),
            Self::Shift(options) => shift(own, options),
            Self::Retime(options) => retime(own, options, &basis, report),
            Self::Reverse => reverse(own, &basis, report),
            Self::Mirror(options) => mirror(scene, clip, options),
            Self::Loop(options) => close_loop(scene, clip, options, report),
            Self::Keys(options) => keys(own, options, &basis, report),
            Self::Markers(options) => markers(own, options),
            Self::Resample(options) => resample(own, options, report),
            Self::Reduce(options) => reduce(scene, clip, options, report),
            Self::Move(options) => move_root(scene, clip, options, report),
            Self::Smooth(options) => smooth(scene, clip, options, report),
            Self::Rename(options) => rename(scene, clip, options),
            Self::Select(kept) => select(own, kept),
            Self::Drop(kept) => drop(own, kept),
            Self::Set(options) => {
                set(own, options);
                Ok(())
            }
        };
        done.map_err(|reason| Refused { operation: self.word(), reason })
    }
}
