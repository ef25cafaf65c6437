//! From keys to curves: the effective keys, their times, and the laws between them.

use super::GRID;
use crate::vmd::codes;
use crate::vmd::defaults;
use crate::vmd::document::Keyed;
use crate::vmd::document::Section;
use crate::vmd::tracks::by_frame;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{Blend, Curve, Law, Laws, Outside, Times, Timing};
use dopesheet_core::units::Seconds;
use std::sync::Arc;

/// Omissions and repairs on the way into the scene.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    /// Values are taken as they are stored, as far as they can be played.
    pub(super) as_stored: bool,
    /// True if curves state the positions of their keys in the document.
    keep_sources: bool,
    pub(super) zero_quaternions: usize,
    pub(super) long_quaternions: usize,
    pub(super) fovs: usize,
    pub(super) light_directions: usize,
    pub(super) shadow_modes: usize,
    far: [usize; Section::ALL.len()],
    nonfinite: [usize; Section::ALL.len()],
}

impl Repairs {
    pub(super) fn new(options: &ToScene) -> Self {
        Self { as_stored: options.as_stored, keep_sources: options.keep_sources, ..Self::default() }
    }

    pub(super) fn report(&self, report: &mut Report) {
        for section in Section::ALL {
            let (far, nonfinite) = (self.far[section as usize], self.nonfinite[section as usize]);
            if far > 0 {
                let what = format!("{} beyond 24 hours", section.counted(far));
                report.dropped(what, format!("only frames up to {} are played", defaults::LAST_FRAME));
            }
            if nonfinite > 0 {
                let what = format!("{} with numbers that are not finite", section.counted(nonfinite));
                report.dropped(what, "they would spread to the whole track");
            }
        }
        let zero = "zero; read as no rotation";
        let mended = [
            (codes::ZERO_QUATERNION, self.zero_quaternions, "rotations of any length but 0", zero),
            (
                codes::QUATERNION_NORM,
                self.long_quaternions,
                "rotations of length 1",
                "of another length; normalised",
            ),
            (codes::FOV, self.fovs, "fields of view of 1° to 179°", "outside; limited to that"),
            (codes::LIGHT_DIRECTION, self.light_directions, "light directions", "zero; read as the default"),
            (codes::SHADOW_MODE, self.shadow_modes, "self-shadow modes 0 to 2", "above; read as 1"),
        ];
        for (check, count, expected, found) in mended.into_iter().filter(|(_, count, ..)| *count > 0) {
            let fault = Fault::new(check.code, Place::File, expected, format!("{count} {found}"));
            report.push(check.severity, fault);
        }
    }
}

/// Facts about a key needed by the scene.
pub(super) trait Key: Keyed {
    /// True if values never change between keys, so that of several keys at one frame only the last shows.
    const STEPS: bool;

    /// True if all its numbers are finite.
    fn is_finite(&self) -> bool;

    /// True if both show the same, whatever their curves.
    fn looks_like(&self, other: &Self) -> bool;
}

/// The effective keys of one track, sorted by frame. At most two have the same frame, the first and the last
/// of the file: the segment before runs to the first, and from that frame on the last counts. Of keys that
/// look the same, and of stepping keys, one remains.
pub(super) struct EffectiveKeys<'a, K> {
    pub(super) list: Vec<&'a K>,
    pub(super) times: Times,
    /// Places of the keys in their section, if they are wanted.
    sources: Option<Arc<Vec<Option<u32>>>>,
}

impl<'a, K: Key> EffectiveKeys<'a, K> {
    /// The keys at some positions of a section, given in the order of their frames; `None` if no key remains.
    pub(super) fn new(section: &'a [K], of_track: &[u32], repairs: &mut Repairs) -> Option<Self> {
        let mut list: Vec<&K> = Vec::with_capacity(of_track.len());
        let mut places: Vec<u32> = Vec::with_capacity(of_track.len());
        for position in of_track.iter().copied() {
            let Some(key) = section.get(position as usize) else { continue };
            if key.frame() > defaults::LAST_FRAME {
                repairs.far[K::SECTION as usize] += 1;
            } else if !key.is_finite() {
                repairs.nonfinite[K::SECTION as usize] += 1;
            } else {
                let was = list.len();
                push_key(&mut list, key);
                places.truncate(list.len().min(was));
                if list.last().is_some_and(|last| std::ptr::eq(*last, key)) {
                    places.truncate(list.len() - 1);
                    places.push(position);
                }
            }
        }
        let frames: Arc<[i64]> = list.iter().map(|key| i64::from(key.frame())).collect();
        let times = Times::Frames { rate: GRID, frames };
        let sources = repairs.keep_sources.then(|| Arc::new(places.into_iter().map(Some).collect()));
        (!list.is_empty()).then_some(Self { list, times, sources })
    }

    /// As [`EffectiveKeys::new`], for keys in the order of the file.
    pub(super) fn sorted(keys: &'a [K], repairs: &mut Repairs) -> Option<Self> {
        let order = by_frame(keys.iter().map(Keyed::frame));
        Self::new(keys, &order, repairs)
    }

    /// Places of the keys in their section, if they are wanted.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        self.sources.iter().flat_map(|places| places.iter()).copied().flatten()
    }

    /// True if the track begins with the way from the rest pose at frame 0 to its first key.
    pub(super) fn has_ramp(&self) -> bool {
        self.list.first().is_some_and(|key| key.frame() > 0)
    }

    /// The keys at the end of a segment or of the ramp, whose curves are therefore used.
    pub(super) fn arrivals(&self) -> &[&'a K] {
        self.list.get(usize::from(!self.has_ramp())..).unwrap_or_default()
    }

    /// A curve over all keys: `value` of each, joined by the law for arriving at each key. `rest` is the
    /// value at frame 0 if the first key is later.
    pub(super) fn curve<const N: usize>(
        &self,
        rest: [f32; N],
        blend: Blend,
        mut value: impl FnMut(&K) -> [f32; N],
        timing: impl Fn(&K) -> Timing,
    ) -> Curve {
        self.curve_with(
            rest,
            |key| value(key),
            Law { timing: Timing::Linear, blend },
            |key, _| Law { timing: timing(key), blend },
        )
    }

    /// A curve without changes between keys.
    pub(super) fn steps(&self, rest: f32, mut value: impl FnMut(&K) -> f32) -> Curve {
        self.curve_with([rest], |key| [value(key)], Law::STEP, |_, _| Law::STEP)
    }

    /// As [`EffectiveKeys::curve`]; segments one frame long are cuts, the rule for camera and light.
    pub(super) fn curve_with_cuts<const N: usize>(
        &self,
        rest: [f32; N],
        mut value: impl FnMut(&K) -> [f32; N],
        timing: impl Fn(&K) -> Timing,
    ) -> Curve {
        self.curve_with(
            rest,
            |key| value(key),
            Law::LINEAR,
            |key, gap| match gap {
                1 => Law::STEP,
                _ => Law { timing: timing(key), blend: Blend::Lerp },
            },
        )
    }

    /// `arrival` yields the law for arriving at a key, given the number of frames. `only` is the law of a
    /// curve without segments.
    fn curve_with<const N: usize>(
        &self,
        rest: [f32; N],
        mut value: impl FnMut(&K) -> [f32; N],
        only: Law,
        arrival: impl Fn(&K, u32) -> Law,
    ) -> Curve {
        let mut values = Vec::with_capacity(N * self.list.len());
        for key in &self.list {
            values.extend_from_slice(&value(key));
        }
        let segments = self.list.windows(2).filter_map(|pair| match pair {
            [from, to] => Some(arrival(to, to.frame() - from.frame())),
            _ => None,
        });
        let laws = match self.list.len() {
            0 | 1 => Laws::uniform(only),
            _ => Laws::from_segments(segments),
        };
        let mut curve = Curve::new(self.times.clone(), N, values, laws);
        curve.sources = self.sources.clone();
        if let Some(first) = self.list.first().filter(|_| self.has_ramp()) {
            let law = arrival(first, first.frame());
            curve.before = Outside::Ramp { start: Seconds(0.0), from: Box::new(rest), law };
        }
        curve
    }
}

fn push_key<'a, K: Key>(list: &mut Vec<&'a K>, key: &'a K) {
    match list.as_mut_slice() {
        [.., last] if last.frame() == key.frame() && K::STEPS => *last = key,
        [.., last] if last.frame() == key.frame() && last.looks_like(key) => {}
        [.., first, last] if first.frame() == last.frame() && last.frame() == key.frame() => {
            *last = key;
            if first.looks_like(key) {
                list.pop();
            }
        }
        _ => list.push(key),
    }
}

/// Course of time along a curve of control points x1, y1, x2, y2 in 127ths.
pub(in crate::vmd) fn timing(curve: [u8; 4]) -> Timing {
    let [x1, y1, x2, y2] = curve.map(|byte| byte.min(127));
    if x1 == y1 && x2 == y2 {
        return Timing::Linear;
    }
    let part = |byte: u8| f32::from(byte) / 127.0;
    Timing::Bezier { x1: part(x1), y1: part(y1), x2: part(x2), y2: part(y2) }
}

/// True if all numbers are finite.
pub(super) fn all_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}
