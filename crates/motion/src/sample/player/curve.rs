//! Curves that hold at their ends, in the player's form: plain keys in f32 and a timing per segment.

use super::slerp::{cosine, terms};
use super::timing_code::TimingCode;
use dopesheet_core::model::{Blend, Curve, JumpSide, Law, Outside, Times, Timing};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve as curve;

/// Largest magnitude of numbers played in f32: differences and products of two of them are finite.
const LARGEST: f32 = 1e18;

/// Interpolation between two keys of a curve, its timing apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Interpolation {
    /// Quaternions on the great circle.
    Slerp,
    /// Quaternions on the chord.
    Nlerp,
    /// Numbers on straight lines.
    Lerp,
    /// Numbers on polynomials in the share of a segment.
    Cubic,
}

impl Interpolation {
    /// Count of a key's numbers: a quaternion, a number, or four factors from the constant up.
    pub(super) const fn width(self) -> usize {
        match self {
            Self::Slerp | Self::Nlerp | Self::Cubic => 4,
            Self::Lerp => 1,
        }
    }

    /// Count of a value's numbers.
    pub(super) const fn components(self) -> usize {
        match self {
            Self::Slerp | Self::Nlerp => 4,
            Self::Lerp | Self::Cubic => 1,
        }
    }
}

/// A quaternion or a number that changes.
#[derive(Clone, Debug)]
pub(super) struct PlayedCurve {
    pub interpolation: Interpolation,
    /// Index of the curve's key times in the clip.
    pub list: usize,
    /// Index of the curve's (first) number in a pose.
    pub output: u32,
    /// Numbers of all keys; neighbouring quaternions lie on one half of the sphere.
    pub keys: Vec<f32>,
    /// Timing of every segment; `None` if all are linear.
    pub timings: Option<Vec<TimingCode>>,
}

impl PlayedCurve {
    /// The curve, moved out of its keys' storage: a clip does not stand in memory twice.
    pub(super) fn taken(&mut self) -> Self {
        let (keys, timings) = (std::mem::take(&mut self.keys), self.timings.take());
        Self { keys, timings, ..*self }
    }

    /// Number of keys.
    pub(super) fn len(&self) -> usize {
        self.keys.chunks_exact(self.interpolation.width()).len()
    }

    /// Numbers of one key.
    pub(super) fn key(&self, key: usize) -> &[f32] {
        let width = self.interpolation.width();
        let start = key.saturating_mul(width);
        self.keys.get(start..start.saturating_add(width)).unwrap_or_default()
    }

    /// Bézier points of the segment behind a key of a number.
    pub(super) fn controls(&self, key: usize) -> [f64; 4] {
        let [c0, c1, c2, c3] = match (self.interpolation, self.key(key), self.key(key.saturating_add(1))) {
            (Interpolation::Cubic, [c0, c1, c2, c3], _) => [*c0, *c1, *c2, *c3].map(f64::from),
            (_, [from], [to]) => [f64::from(*from), f64::from(*to) - f64::from(*from), 0.0, 0.0],
            _ => [0.0; 4],
        };
        [c0, c0 + c1 / 3.0, c0 + (2.0 * c1 + c2) / 3.0, c0 + c1 + c2 + c3]
    }

    /// The numbers of every key if they are the same for all.
    pub(super) fn constant(&self) -> Option<&[f32]> {
        let mut keys = self.keys.chunks_exact(self.interpolation.width());
        let first = keys.next()?;
        keys.all(|key| key == first).then(|| first.get(..self.interpolation.components()))?
    }

    /// Number of terms for the longest arc.
    pub(super) fn terms(&self) -> usize {
        if self.interpolation != Interpolation::Slerp {
            return 0;
        }
        let keys = self.keys.as_chunks::<4>().0;
        keys.array_windows().map(|[a, b]| terms(cosine(a, b))).max().unwrap_or_default()
    }
}

/// A curve that holds its first value before and its last after its keys.
pub(super) struct HeldCurve<'a> {
    curve: &'a Curve,
    /// Grid of the times; `None` for seconds.
    pub grid: Option<FrameRate>,
    /// Key times in seconds or frames.
    pub times: Vec<f64>,
    pub jump: JumpSide,
    /// Value and law of a ramp, whose start is then the first key.
    ramp: Option<(&'a [f32], Law)>,
}

impl<'a> HeldCurve<'a> {
    /// `None` for curves that need the reference evaluator: curves that repeat, break a rule, or hold numbers
    /// beyond f32 arithmetic.
    pub(super) fn new(curve: &'a Curve) -> Option<Self> {
        let is_small = |values: &[f32]| values.iter().all(|v| v.abs() <= LARGEST);
        if curve.validate().is_err() || curve.after != Outside::Hold || !is_small(&curve.values) {
            return None;
        }
        let (grid, mut times) = match &curve.times {
            Times::Seconds(times) => (None, times.to_vec()),
            Times::Frames { rate, frames } => (Some(*rate), frames.iter().map(|f| *f as f64).collect()),
        };
        let first = curve.times.get(0)?;
        let mut ramp = None;
        match &curve.before {
            Outside::Ramp { start, from, law } if start.0 < first.0 && from.len() == curve.width => {
                times.insert(0, exact_time(*start, grid)?);
                ramp = Some(is_small(from).then_some((&**from, *law))?);
            }
            Outside::Hold | Outside::Ramp { .. } => {}
            Outside::Loop | Outside::PingPong => return None,
        }
        Some(Self { curve, grid, times, jump: curve.jump, ramp })
    }

    /// Law of every segment.
    fn laws(&self) -> impl Iterator<Item = Law> + '_ {
        let segments = self.curve.len().saturating_sub(1);
        self.ramp.iter().map(|(_, law)| *law).chain((0..segments).map(|segment| self.curve.laws.get(segment)))
    }

    /// The common interpolation of all segments that do not step; `None` if there are several or other laws.
    pub(super) fn interpolation(&self, is_rotation: bool) -> Option<Interpolation> {
        use Interpolation::{Cubic, Lerp, Nlerp, Slerp};
        let mut common = None;
        for law in self.laws() {
            let of_law = match (law.blend, is_rotation) {
                (Blend::Step, _) => continue,
                (Blend::Lerp, false) => Lerp,
                (Blend::Slerp, true) => Slerp,
                (Blend::Nlerp, true) => Nlerp,
                (Blend::Hermite, false) => Cubic,
                _ => return None,
            };
            common = match common {
                // A line is a cubic too.
                Some(Lerp | Cubic) => common.max(Some(of_law)),
                Some(other) if other != of_law => return None,
                _ => Some(of_law),
            };
        }
        Some(common.unwrap_or(if is_rotation { Slerp } else { Lerp }))
    }

    /// Timing of every segment; `None` if all are linear.
    pub(super) fn timings(&self, listed: &mut Vec<Timing>) -> Option<Vec<TimingCode>> {
        let codes: Vec<TimingCode> = self.laws().map(|law| TimingCode::new(law, listed)).collect();
        codes.iter().any(|code| *code != TimingCode::LINEAR).then_some(codes)
    }

    /// One component of every key.
    fn numbers(&self, component: usize) -> impl Iterator<Item = f64> + '_ {
        let ramp = self.ramp.iter().filter_map(move |(from, _)| from.get(component));
        let keys = self.curve.values.iter().skip(component).step_by(self.curve.width);
        ramp.chain(keys).map(|v| f64::from(*v))
    }

    /// One component of every key, scaled and with an offset; `None` beyond what f32 can hold.
    pub(super) fn lines(&self, component: usize, [scale, offset]: [f64; 2]) -> Option<Vec<f32>> {
        let keys: Vec<f32> = self.numbers(component).map(|v| (v * scale + offset) as f32).collect();
        keys.iter().all(|v| v.abs() <= LARGEST).then_some(keys)
    }

    /// Every key as a rotation after `base`, each on the same half of the sphere as the key before.
    pub(super) fn rotations(&self, base: [f64; 4]) -> Vec<f32> {
        let ramp = self.ramp.iter().filter_map(|(from, _)| from.first_chunk());
        let mut last: Option<[f64; 4]> = None;
        let mut out = Vec::with_capacity(self.times.len().saturating_mul(4));
        for key in ramp.chain(self.curve.values.as_chunks::<4>().0) {
            let key = curve::quat_normalise_or_identity(key.map(f64::from));
            let key = match last {
                Some(last) if dot(last, key) < 0.0 => key.map(|v| -v),
                _ => key,
            };
            last = Some(key);
            let turned = glam::DQuat::from_array(base) * glam::DQuat::from_array(key);
            out.extend(turned.to_array().map(|v| v as f32));
        }
        out
    }

    /// Factors of one component in the share of each segment, and of the constant after the last key. Segments with an
    /// infinite slope are lines whose timing becomes [`TimingCode::HELD`]. `None` beyond what f32 can hold.
    pub(super) fn cubics(
        &self,
        component: usize,
        [scale, offset]: [f64; 2],
        timings: &mut Option<Vec<TimingCode>>,
    ) -> Option<Vec<f32>> {
        let values: Vec<f64> = self.numbers(component).map(|v| v * scale + offset).collect();
        let ramps = usize::from(self.ramp.is_some());
        let mut cubics = Vec::with_capacity(values.len().saturating_mul(4));
        for (segment, (law, [from, to])) in self.laws().zip(values.array_windows()).enumerate() {
            let key = segment.checked_sub(ramps).filter(|_| law.blend == Blend::Hermite);
            let line = [to - from; 2];
            let slopes = match key {
                Some(key) => self.slopes(key, component)?.map(|slope| slope * scale),
                None => line,
            };
            let is_held = slopes.iter().any(|slope| slope.is_infinite());
            let [leaving, arriving] = if is_held { line } else { slopes };
            let square = 3.0 * (to - from) - 2.0 * leaving - arriving;
            cubics.extend([*from, leaving, square, leaving + arriving - 2.0 * (to - from)].map(|v| v as f32));
            if is_held {
                let timings =
                    timings.get_or_insert_with(|| vec![TimingCode::LINEAR; values.len().saturating_sub(1)]);
                timings.iter_mut().skip(segment).take(1).for_each(|timing| *timing = TimingCode::HELD);
            }
        }
        cubics.extend([values.last().copied().unwrap_or_default() as f32, 0.0, 0.0, 0.0]);
        cubics.iter().all(|v| v.abs() <= LARGEST).then_some(cubics)
    }

    /// Slopes at both ends of a segment, per segment; a slope that is not a number counts as 0.
    fn slopes(&self, key: usize, component: usize) -> Option<[f64; 2]> {
        let handles = self.curve.handles.as_ref()?;
        let next = key.checked_add(1)?;
        let length = self.curve.times.get(next)?.0 - self.curve.times.get(key)?.0;
        let slope = |column: &[f32], key: usize| {
            let at = key.checked_mul(self.curve.width)?.checked_add(component)?;
            let slope = f64::from(*column.get(at)?);
            Some(if slope.is_nan() { 0.0 } else { slope * length })
        };
        let slopes = [slope(&handles.leaving, key)?, slope(&handles.arriving, next)?];
        // An infinite slope over no time.
        Some(slopes.map(|slope| if slope.is_nan() { 0.0 } else { slope }))
    }
}

/// A time on a grid, or in seconds; `None` without an exact number.
fn exact_time(time: Seconds, grid: Option<FrameRate>) -> Option<f64> {
    let Some(rate) = grid else { return Some(time.0) };
    let frame = rate.frame(time);
    (frame.fract() == 0.0 && rate.seconds(frame) == time).then_some(frame)
}

/// The scalar product in the order of [`curve::slerp`]; the order decides about half turns.
fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
