//! The cubic curve of an eased segment, by its parameter, for code that follows the curve with straight
//! pieces.

use crate::bezier_timing::{self, BezierTiming};

/// Steps of [`EasedWay::parameter_near`]; the last step only confirms the found parameter.
const NEAR_STEPS: u32 = 4;

/// Largest error of the time at the parameter found. Sums of powers are off by up to half as much.
const NEAR_RESIDUAL: f64 = 4e-15;

/// Least slope of time over the parameter for a result of [`EasedWay::parameter_near`].
const NEAR_SLOPE: f64 = 1e-3;

/// The curve of a [`BezierTiming`] by its parameter instead of by time, without a search for the parameter.
///
/// At the parameter `s` in `0..=1` the fraction `X(s)` of the time has passed and the fraction `Y(s)` of the
/// way is covered; [`bezier_timing`](crate::bezier_timing()) has the formulas of both. Both rise with `s`.
///
/// Sums of powers are used, so results are exact to 1e-15 of the whole and not of the distance from an end.
///
/// ```
/// use dopesheet_curve::{BezierTiming, EasedWay};
///
/// let way = EasedWay::new(&BezierTiming::from_bytes([64, 0, 64, 127]));
/// // One straight piece from end to end is farthest off where it is as steep as the curve.
/// let (apart, s) = way.farthest_from_chord(0.0, 1.0);
/// assert!((apart - (way.progress(s) - way.time(s)).abs()).abs() < 1e-15);
/// assert!((apart - 0.146311).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EasedWay {
    /// The abscissae of the two inner control points.
    abscissae: [f64; 2],
    /// Factors of s, s² and s³.
    time: [f64; 3],
    progress: [f64; 3],
}

/// Shape of an eased way over one of its chords: at the share `u` of the chord's time the way is about
/// `4·u·(1 − u)·(height + (u − ½)·slant)` ahead of the chord, in parts of the whole way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arch {
    /// Distance ahead of the chord in the middle, by the formula.
    pub height: f64,
    /// Change of the height from the start of the chord to its end.
    pub slant: f64,
    /// Error of the formula in the middle of the chord's time.
    pub beside: f64,
    /// Least and greatest distance ahead of the chord, both exact; at the ends the distance is 0.
    pub ahead: [f64; 2],
}

impl EasedWay {
    /// The curve of a timing, with numbers outside `0..=1` read by the rules of [`BezierTiming`].
    pub fn new(timing: &BezierTiming) -> Self {
        let [x1, y1, x2, y2] = timing.fractions();
        let powers = |c1: f64, c2: f64| [3.0 * c1, 3.0 * (c2 - 2.0 * c1), 1.0 + 3.0 * (c1 - c2)];
        Self { abscissae: [x1, x2], time: powers(x1, x2), progress: powers(y1, y2) }
    }

    /// The factors of s, s² and s³ in the fractions of the time and of the way, of a parameter s in `0..=1`.
    pub const fn powers(&self) -> [[f64; 3]; 2] {
        [self.time, self.progress]
    }

    /// The fraction of the time passed at a parameter.
    pub fn time(&self, s: f64) -> f64 {
        value(&self.time, s)
    }

    /// The fraction of the way covered at a parameter.
    pub fn progress(&self, s: f64) -> f64 {
        value(&self.progress, s)
    }

    /// The parameter at a time within `0..=1`: its time is off by at most 2.5e-15, and where time passes
    /// evenly, so is the parameter.
    pub fn parameter(&self, time: f64) -> f64 {
        let [x1, x2] = self.abscissae;
        match time {
            t if t <= 0.0 => 0.0,
            t if t >= 1.0 => 1.0,
            t if t <= 0.5 => bezier_timing::parameter(x1, x2, t),
            t => 1.0 - bezier_timing::parameter(1.0 - x2, 1.0 - x1, 1.0 - t),
        }
    }

    /// [`Self::parameter`] of a time within `0..=1`, found faster from `near`, the parameter of a nearby
    /// time.
    ///
    /// Any `near` is allowed: [`Self::parameter`] answers where a few of Halley's steps do not lead from
    /// `near` to the time, and for any time outside. Found times are off by at most 6e-15, so where time
    /// passes at least at a thousandth of its mean speed the parameter is off by at most 6e-12; at slower
    /// places [`Self::parameter`] answers too.
    pub fn parameter_near(&self, time: f64, near: f64) -> f64 {
        let mut s = near;
        for _ in 0..NEAR_STEPS {
            let (excess, slope) = (value(&self.time, s) - time, slope(&self.time, s));
            if excess.abs() <= NEAR_RESIDUAL {
                // Elsewhere it may be a place beyond the ends, or the last digit of time is many of the parameter.
                let is_found = slope >= NEAR_SLOPE && (0.0..=1.0).contains(&s);
                return if is_found { s } else { self.parameter(time) };
            }
            // Halley's.
            s -= 2.0 * excess * slope / (2.0 * slope * slope - excess * change(&self.time, s));
        }
        self.parameter(time)
    }

    /// Needed density of straight pieces at a parameter: the number of pieces of the way `D` with an error of
    /// at most `ε` is about `√(D/8ε)` times the integral of this density over the parameter.
    ///
    /// A straight piece of duration h misses by h²·|d²Y/dX²|/8; the square root of |d²Y/dX²|, by the
    /// parameter, is √(|X′Y″ − Y′X″| / X′). Infinite where time stands still.
    pub fn bend(&self, s: f64) -> f64 {
        (self.turn(s).abs() / slope(&self.time, s)).sqrt()
    }

    /// Largest distance between the covered way and a straight piece from one parameter to another, with the
    /// parameter of the largest distance; 0 where no time passes.
    pub fn farthest_from_chord(&self, from: f64, to: f64) -> (f64, f64) {
        self.farthest_within_piece([(from, 0.0), (to, 0.0)])
    }

    /// Least and greatest distance of the covered way ahead of a straight piece, each with its parameter. The
    /// piece leads from one parameter to another; at each end the piece itself is ahead of the covered way by
    /// the given part of the whole. Zero where no time passes.
    ///
    /// The extremes are at the ends, or at equal steepness of way and piece: at the roots of a square
    /// equation.
    pub fn beside_piece(&self, ends: [(f64, f64); 2]) -> [(f64, f64); 2] {
        let [from, to] = ends.map(|(s, ahead)| (-ahead, s));
        let Some(piece) = Piece::new(self, ends) else { return [(0.0, from.1); 2] };
        let [mut least, mut largest] = if from.0 < to.0 { [from, to] } else { [to, from] };
        for inner in piece.extremes() {
            if inner.0 < least.0 {
                least = inner;
            }
            if inner.0 > largest.0 {
                largest = inner;
            }
        }
        [least, largest]
    }

    /// Largest distance between the covered way and a piece as in [`Self::beside_piece`], strictly between
    /// the ends of the piece, as a part of the whole way, with its parameter; 0 at the start if the distance
    /// has no extreme between the ends, or where no time passes.
    pub fn farthest_within_piece(&self, piece @ [(from, _), _]: [(f64, f64); 2]) -> (f64, f64) {
        let farther = |largest: (f64, f64), (apart, s): (f64, f64)| {
            if apart.abs() > largest.0 { (apart.abs(), s) } else { largest }
        };
        let none = (0.0, from);
        Piece::new(self, piece).map_or(none, |piece| piece.extremes().fold(none, farther))
    }

    /// Shape of the way over the chord between two parameters, fitted at about one and two thirds of the
    /// chord's time. `None` where no time passes on the chord.
    pub fn arch(&self, from: f64, to: f64) -> Option<Arch> {
        let piece = Piece::new(self, [(from, 0.0), (to, 0.0)])?;
        let [first, middle, second] = [1.0 / 3.0, 0.5, 2.0 / 3.0].map(|share| piece.ahead_about(share));
        // By the parabola that is 1 in the middle.
        let part = |(share, ahead): (f64, f64)| ahead / (4.0 * share * (1.0 - share));
        let slant = (part(second) - part(first)) / (second.0 - first.0);
        let height = part(first) - (first.0 - 0.5) * slant;
        let at_middle = 4.0 * middle.0 * (1.0 - middle.0) * (height + (middle.0 - 0.5) * slant);
        let farthest =
            |[least, largest]: [f64; 2], (ahead, _): (f64, f64)| [ahead.min(least), ahead.max(largest)];
        let ahead = piece.extremes().fold([0.0; 2], farthest);
        let arch = Arch { height, slant, beside: (middle.1 - at_middle).abs(), ahead };
        arch.beside.is_finite().then_some(arch)
    }

    /// Acceleration of progress by time at a parameter, d²Y/dX²; infinite where time stands still.
    pub fn acceleration(&self, s: f64) -> f64 {
        self.turn(s) / slope(&self.time, s).powi(3)
    }

    /// Turn of the curve at a parameter, X′Y″ − Y′X″. Where the turn is above 0 progress speeds up, and
    /// straight pieces between points of the way are ahead of the way.
    pub fn turn(&self, s: f64) -> f64 {
        let (x, y) = (slope(&self.time, s), slope(&self.progress, s));
        x * change(&self.progress, s) - y * change(&self.time, s)
    }
}

/// A straight piece beside a way.
struct Piece<'a> {
    ease: &'a EasedWay,
    ends: [f64; 2],
    /// Time and covered way at its start.
    start: (f64, f64),
    /// Share of the whole time between the start and the end.
    passed: f64,
    steepness: f64,
}

impl<'a> Piece<'a> {
    /// A new piece; `None` where no time passes.
    fn new(ease: &'a EasedWay, ends: [(f64, f64); 2]) -> Option<Self> {
        let [start, end] = ends.map(|(s, ahead)| (ease.time(s), ease.progress(s) + ahead));
        let passed = end.0 - start.0;
        let steepness = (end.1 - start.1) / passed;
        (passed > 0.0).then_some(Self { ease, ends: ends.map(|end| end.0), start, passed, steepness })
    }

    /// Extremes of the way's distance ahead of the piece strictly between its ends, each with its parameter.
    fn extremes(&self) -> impl Iterator<Item = (f64, f64)> {
        let Self { ease: curve, ends: [from, to], steepness, .. } = *self;
        let ([pa, pb, pc], [ta, tb, tc]) = (curve.progress, curve.time);
        let [a, b, c] = [pa - steepness * ta, pb - steepness * tb, pc - steepness * tc];
        let within = roots(3.0 * c, 2.0 * b, a).into_iter().filter(move |s| from < *s && *s < to);
        within.map(move |s| (self.ahead(s).1, s))
    }

    /// Share of the piece's time passed at a parameter, and the distance of the way ahead of the piece at the
    /// parameter.
    fn ahead(&self, s: f64) -> (f64, f64) {
        let passed = self.ease.time(s) - self.start.0;
        (passed / self.passed, self.ease.progress(s) - self.start.1 - self.steepness * passed)
    }

    /// [`Self::ahead`] at about a share of the piece's time: one of Newton's steps from the same share of its
    /// parameters.
    fn ahead_about(&self, share: f64) -> (f64, f64) {
        let [from, to] = self.ends;
        let even = from + share * (to - from);
        let late = self.ease.time(even) - self.start.0 - share * self.passed;
        let s = even - late / slope(&self.ease.time, even);
        self.ahead(if from < s && s < to { s } else { even })
    }
}

fn value([a, b, c]: &[f64; 3], s: f64) -> f64 {
    s * (a + s * (b + s * c))
}

fn slope([a, b, c]: &[f64; 3], s: f64) -> f64 {
    a + s * (2.0 * b + s * 3.0 * c)
}

fn change([_, b, c]: &[f64; 3], s: f64) -> f64 {
    2.0 * b + s * 6.0 * c
}

/// Both roots of `a·s² + b·s + c`; NaN for missing roots.
fn roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    // The root whose terms have one sign first: the other follows without cancellation.
    let q = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
    [q / a, c / q]
}
