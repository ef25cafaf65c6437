//! The rotations damaged by the recorder of MRTK 2.6 and 2.7.
//!
//! When the recorder thins a recording, its routine for rotations forgets the keys of W: with the usual
//! partitions only the first key is left; with a single partition, a second key at the end has the last value
//! of Z. Reported as issue 9831 of MixedRealityToolkit-Unity and mended by its pull request 10024.

use super::document::{Document, Pose};
use super::names::PoseName;
use super::play::{Player, sorted};

/// The remaining part of a rotation's W.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Damage {
    /// Its first key.
    Constant,
    /// Its first key, and a last key with the value of Z.
    ZTail,
}

impl Damage {
    /// `constant` or `z-tail`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::ZTail => "z-tail",
        }
    }
}

/// Largest difference between 1 and the length of a sound rotation.
const LENGTH_TOLERANCE: f64 = 1e-3;

impl Document {
    /// The poses with rotations damaged by the recorder of MRTK 2.6 and 2.7, in the order of the file.
    pub fn damaged_poses(&self) -> impl Iterator<Item = (PoseName, Damage)> {
        self.poses().filter_map(|(name, pose)| Some((name, damage(pose)?)))
    }
}

/// Damage to the W of a pose; `None` if there is no recognisable damage.
pub(super) fn damage(pose: &Pose) -> Option<Damage> {
    let [x, y, z, w] = &pose.rotation;
    if w.keys.is_empty() || w.keys.len() > 2 || x.keys.len() < 2 {
        return None;
    }
    let [xs, ys, zs, ws] = [x, y, z, w].map(sorted);
    let same_times = |other: &[super::document::Keyframe]| {
        other.len() == xs.len() && other.iter().zip(&xs).all(|(a, b)| a.time == b.time)
    };
    if !same_times(&ys) || !same_times(&zs) || !xs.is_sorted_by(|a, b| a.time < b.time) {
        return None;
    }
    let (first, last, last_z) = (xs.first()?, xs.last()?, zs.last()?);
    let damage = match ws.as_slice() {
        [only] if only.time == first.time => Damage::Constant,
        [start, end]
            if start.time == first.time
                && end.time == last.time
                && end.value.to_bits() == last_z.value.to_bits() =>
        {
            Damage::ZTail
        }
        _ => return None,
    };
    let player = Player::new(w);
    let is_off = |((x, y), z): ((_, _), _)| {
        let square = |key: &super::document::Keyframe| f64::from(key.value).powi(2);
        let x: &super::document::Keyframe = x;
        let length = (square(x) + square(y) + square(z) + player.value(x.time.into()).powi(2)).sqrt();
        (length - 1.0).abs() > LENGTH_TOLERANCE
    };
    xs.iter().zip(&ys).zip(&zs).any(is_off).then_some(damage)
}
