//! Change single keys, as a dope sheet does.

use crate::divided::{Divided, half, unroll};
use crate::drop::Kept;
use crate::ends;
use crate::held::reach;
use crate::joined::{CurvePart, joined};
use crate::refused::{self, Ends, Reason};
use crate::rows::{PickedKey, made_of, rows_of};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Composition, Curve, Law, Laws, Property, Target, Timing, ValueKind,
};
use dopesheet_core::order::by_number;
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::Seconds;
use std::str::FromStr;

/// Options of [`keys`].
#[derive(Clone, Debug, PartialEq)]
pub struct Keys {
    /// The tracks and channels whose keys are changed.
    pub on: Kept,
    /// The change to the keys.
    pub change: KeyChange,
    /// True if times between two frames are the nearest frame; else they are refused.
    pub snap: bool,
}

/// Change of the keys in a range, with both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyChange {
    /// They come later, or earlier.
    Move {
        /// The range.
        range: RangeSpec,
        /// Later by this time; earlier if it is negative.
        by: TimeValue,
    },
    /// Curves get a further key at which they are divided without change of shape. If no curve has keys on
    /// both sides of the time, each curve gets a key with the value held there; curves that repeat become
    /// straight within the clip first.
    Insert {
        /// When.
        at: TimeValue,
    },
    /// Keys are removed; the curve runs from the key before to the key behind, by the law of the segment that
    /// leaves the key before.
    Delete {
        /// The range.
        range: RangeSpec,
    },
    /// They are there once more. Keys at the times of copies go.
    Copy {
        /// The range.
        range: RangeSpec,
        /// Time of the copy of a key at the start of the range.
        to: TimeValue,
    },
    /// Keys move towards the start of the range, or away from it.
    Scale {
        /// The range.
        range: RangeSpec,
        /// Factor of the keys' distances from the start of the range, above 0.
        factor: f64,
    },
    /// The segments that leave the keys get a law.
    SetLaw {
        /// The range.
        range: RangeSpec,
        /// The law.
        law: KeyLaw,
    },
}

/// Law of the segment from a key to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyLaw {
    /// The value of the first until the second.
    Step,
    /// Straight from key to key, in even time.
    Linear,
    /// Straight along a Bezier timing with the control points (x1, y1) and (x2, y2); x in 0..=1.
    Bezier([f32; 4]),
}

impl KeyLaw {
    /// The forms that [`FromStr`] accepts, for a message.
    pub const EXPECTED: &str = "step, linear, or four numbers x1,y1,x2,y2";
}

impl FromStr for KeyLaw {
    type Err = Reason;

    /// Reads `step`, `linear`, or the control points `x1,y1,x2,y2`.
    fn from_str(text: &str) -> Result<Self, Reason> {
        let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        match (text, numbers.as_deref()) {
            ("step", _) => Ok(Self::Step),
            ("linear", _) => Ok(Self::Linear),
            (_, Some(&[x1, y1, x2, y2])) => Ok(Self::Bezier([x1, y1, x2, y2])),
            _ => Err(Reason::new(format!("expected {}, found {text}", Self::EXPECTED))),
        }
    }
}

/// Changes selected keys; all others stay as they are.
///
/// # Errors
/// If no track matches a pattern, or no key is in the range; if a key would meet or pass another key; if a
/// curve would have no keys, or cannot be divided at an inserted key; if a factor is not above 0, a handle's
/// time not in 0..=1, or a time between two frames.
pub fn keys(clip: &mut Clip, options: &Keys, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    options.on.check(clip)?;
    let change = Change::of(clip, options)?;
    let mut divided = Divided::of(basis);
    let mut met =
        each_meant(clip, &options.on, |channel, target| change.apply(channel, target, &mut divided))?;
    if !met && matches!(change.what, What::Inserted) {
        let whole = ends::whole(clip);
        met = each_meant(clip, &options.on, |channel, target| {
            // A key beyond an end would lengthen the cycle that the curve repeats at its other end.
            unroll(channel, target, whole.start, whole.end, &mut divided);
            let mut met = change.apply(channel, target, &mut divided)?;
            for curve in channel.composition.curves_mut() {
                met |= reach(curve, change.range.start);
            }
            Ok(met)
        })?;
    }
    if !met {
        return Err(Reason::new(format!(
            "expected a key of those that are meant within {}, found none; keys insert makes one",
            change.range
        )));
    }
    clip.duration = Seconds(crate::delete::last_key(clip).0.max(clip.duration.0));
    divided.tell(report);
    Ok(())
}

/// Changes all selected channels; true if any of them had a key to change.
fn each_meant(
    clip: &mut Clip,
    on: &Kept,
    mut change: impl FnMut(&mut Channel, &Target) -> Result<bool, Reason>,
) -> Result<bool, Reason> {
    let mut met = false;
    for track in &mut clip.tracks {
        let meant: Vec<bool> =
            track.channels.iter().map(|channel| on.has(track, &channel.property)).collect();
        for (channel, _) in track.channels.iter_mut().zip(meant).filter(|(_, is_meant)| *is_meant) {
            met |= change(channel, &track.target)?;
        }
    }
    Ok(met)
}

/// A change with its times on a clip.
struct Change {
    range: Ends,
    what: What,
    /// True if keys between two frames are moved to the nearest frame.
    snap: bool,
}

enum What {
    /// A new time: distance from the start times a factor, plus a time.
    Moved {
        factor: f64,
        by: f64,
    },
    Copied {
        by: f64,
    },
    Deleted,
    Inserted,
    Law(KeyLaw),
}

impl Change {
    fn of(clip: &Clip, options: &Keys) -> Result<Self, Reason> {
        let time = |time: TimeValue| ends::time(clip, time, options.snap);
        let range = |range: RangeSpec| -> Result<Ends, Reason> {
            let ends = Ends { start: time(range.start)?, end: time(range.end)?, grid: clip.grid };
            if ends.start.0 <= ends.end.0 { Ok(ends) } else { Err(refused::backwards(&ends)) }
        };
        let (range, what) = match options.change {
            KeyChange::Move { range: spec, by } => {
                (range(spec)?, What::Moved { factor: 1.0, by: time(by)?.0 })
            }
            KeyChange::Scale { range: spec, factor } if factor.is_finite() && factor > 0.0 => {
                (range(spec)?, What::Moved { factor, by: 0.0 })
            }
            KeyChange::Scale { factor, .. } => return Err(refused::not_above_0(factor)),
            KeyChange::Copy { range: spec, to } => {
                let spec = range(spec)?;
                (spec, What::Copied { by: time(to)?.0 - spec.start.0 })
            }
            KeyChange::Delete { range: spec } => (range(spec)?, What::Deleted),
            KeyChange::Insert { at } => (range(RangeSpec { start: at, end: at })?, What::Inserted),
            KeyChange::SetLaw { range: spec, law } => (range(spec)?, What::Law(sound(law)?)),
        };
        Ok(Self { range, what, snap: options.snap })
    }

    fn has(&self, time: Seconds) -> bool {
        // A time next to a frame is that frame; keys of files without frames are at times that people round.
        let time = self.range.grid.and_then(|rate| rate.grid_point(time)).unwrap_or(time);
        let slack = if self.range.grid.is_some() { 1e-9 } else { 1e-4 };
        (self.range.start.0 - slack..=self.range.end.0 + slack).contains(&time.0)
    }

    /// Changes a channel; true if it has a key in the range.
    fn apply(&self, channel: &mut Channel, target: &Target, divided: &mut Divided) -> Result<bool, Reason> {
        if matches!(self.what, What::Inserted) {
            return divide(channel, target, self.range.start, divided);
        }
        let straight = straight(channel);
        let mut met = false;
        for curve in channel.composition.curves_mut() {
            if !curve.times.iter().any(|time| self.has(time)) {
                continue;
            }
            met = true;
            *curve = match &self.what {
                What::Law(law) => self.with_law(curve, *law, straight),
                _ => made_of(curve, &self.rows(curve, target)?, target.label())?,
            };
        }
        Ok(met)
    }

    fn rows(&self, curve: &Curve, target: &Target) -> Result<Vec<PickedKey>, Reason> {
        let mut rows = rows_of(curve);
        match self.what {
            What::Moved { factor, by } => {
                for row in rows.iter_mut().filter(|row| self.has(row.at)) {
                    let start = self.range.start.0;
                    row.at = self.on_grid(start + (row.at.0 - start) * factor + by)?;
                }
            }
            What::Copied { by } => {
                let mut copies: Vec<PickedKey> = Vec::new();
                for row in rows.iter().filter(|row| self.has(row.at)) {
                    copies.push(PickedKey { at: self.on_grid(row.at.0 + by)?, is_own: false, ..*row });
                }
                rows.retain(|row| !copies.iter().any(|copy| copy.at == row.at));
                rows.extend(copies);
                by_number(&mut rows, |row| row.at.0);
            }
            _ => rows.retain(|row| !self.has(row.at)),
        }
        if rows.is_empty() {
            return Err(Reason::new(format!(
                "expected a key to be left of each curve, found none of \"{}\"; drop leaves out all of a track",
                target.label()
            )));
        }
        Ok(rows)
    }

    fn on_grid(&self, time: f64) -> Result<Seconds, Reason> {
        let Some(rate) = self.range.grid else { return Ok(Seconds(time)) };
        let nearest = self.snap.then(|| rate.seconds(rate.frame(Seconds(time)).round()));
        rate.grid_point(Seconds(time)).or(nearest).ok_or(Reason::OffGrid { time: Seconds(time), rate })
    }

    fn with_law(&self, curve: &Curve, law: KeyLaw, straight: Blend) -> Curve {
        let law = match law {
            KeyLaw::Step => Law::STEP,
            KeyLaw::Linear => Law { timing: Timing::Linear, blend: straight },
            KeyLaw::Bezier([x1, y1, x2, y2]) => {
                Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend: straight }
            }
        };
        let segments = (0..curve.len().saturating_sub(1).max(1)).map(|key| {
            let is_meant = curve.times.get(key).is_some_and(|time| self.has(time));
            if is_meant { law } else { curve.laws.get(key) }
        });
        Curve { laws: Laws::from_segments(segments), ..curve.clone() }
    }
}

/// Divides the curves of a channel that run through a time; true if there is such a curve.
pub(crate) fn divide(
    channel: &mut Channel,
    target: &Target,
    at: Seconds,
    divided: &mut Divided,
) -> Result<bool, Reason> {
    let runs =
        |curve: &Curve| curve.times.span().is_some_and(|(first, last)| first.0 < at.0 && at.0 < last.0);
    if !channel.composition.curves().any(runs) {
        return Ok(false);
    }
    let end = channel.composition.curves().filter_map(|curve| curve.times.span()).map(|(_, last)| last.0);
    let end = Seconds(end.fold(at.0, f64::max));
    let before = half(channel, target, (None, at), divided)?;
    let after = half(channel, target, (Some(at), end), divided)?;
    let sides = before.composition.curves().zip(after.composition.curves());
    for (curve, (before, after)) in channel.composition.curves_mut().into_iter().zip(sides) {
        if !runs(curve) || curve.times.count_until(at) != curve.times.count_before(at) {
            continue;
        }
        let piece = |curve, start: Seconds, end: Seconds, meets: bool| CurvePart {
            curve,
            later: Seconds(0.0),
            start,
            end,
            is_own: true,
            meets,
            is_silent: false,
        };
        let held = before.times.span().is_none_or(|(_, last)| last.0 < at.0);
        // What is held until the next key has its new key from the second half.
        let start = curve.times.get(0).unwrap_or_default();
        if let Some(joined_curve) = joined(&[piece(before, start, at, false), piece(after, at, end, !held)]) {
            *curve = joined_curve;
        }
    }
    Ok(true)
}

/// The blend of straight ways of a channel's curves.
fn straight(channel: &Channel) -> Blend {
    match (&channel.property, &channel.composition) {
        (Property::Rotation, Composition::Whole(curve)) if curve.width == 4 => Blend::Slerp,
        (property, _) if property.kind() == ValueKind::Discrete => Blend::Step,
        _ => Blend::Lerp,
    }
}

fn sound(law: KeyLaw) -> Result<KeyLaw, Reason> {
    if let KeyLaw::Bezier([x1, y1, x2, y2]) = law {
        let is_sound = |x: f32| (0.0..=1.0).contains(&x);
        if !is_sound(x1) || !is_sound(x2) || !y1.is_finite() || !y2.is_finite() {
            return Err(Reason::new(format!(
                "expected control points with times from 0 to 1, found {x1},{y1},{x2},{y2}"
            )));
        }
    }
    Ok(law)
}
