//! How far apart joints are, about, in a short block of time: small differences along a chain add up.
//!
//! Where something is moved by `u` and turned by `w` against the other side, about a joint at `x`, what hangs on it at `y`
//! is displaced by `u + w × (y − x)`. The displacement of a joint is the sum of that over all it hangs on, but for
//! products of two such differences. A sum of vectors tells much more than one of lengths, and takes a few additions
//! where placing a joint takes the evaluation of all it hangs on.

use super::abreast::Frame;
use super::pieces::{Direction, Powers, Row as Pieces, Size};
use glam::{Mat3A, Vec3A};
use std::ops::Range;

/// Where a joint is during a block or a part of it, as polynomials of the share of that which has passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    lever: [Vec3A; 3],
    above: [Mat3A; 3],
}

impl Course {
    /// By where it is at the start, in the middle and at the end.
    pub(super) fn through([start, middle, end]: [&Frame; 3]) -> Self {
        let lever = {
            let (a, b, c) = (start.lever, middle.lever, end.lever);
            [a, -3.0 * a + 4.0 * b - c, 2.0 * a - 4.0 * b + 2.0 * c]
        };
        let (a, b, c) = (start.above, middle.above, end.above);
        Self { lever, above: [a, a * -3.0 + b * 4.0 - c, a * 2.0 - b * 4.0 + c * 2.0] }
    }

    /// Where it is when a share has passed.
    pub(super) fn at(&self, passed: f32) -> Frame {
        let ([a, b, c], [d, e, f]) = (self.lever, self.above);
        Frame { lever: a + passed * (b + passed * c), above: d + (e + f * passed) * passed }
    }
}

/// At how many evenly spaced times sums are made.
pub(super) const SAMPLES: usize = 16;

/// From one of these to the next.
pub(super) const WINDOWS: usize = SAMPLES - 1;

/// A number at each sample; or for each window behind one, and nothing behind the last.
type Row = [f32; SAMPLES];

/// How a joint is apart in model space.
#[derive(Clone, Copy)]
struct Sums {
    /// How it is moved, and how it is turned.
    vectors: [[Row; 3]; 2],
    /// How far from the straight ways between samples either may be.
    loose: [Row; 2],
}

impl Sums {
    const NOTHING: Self = Self { vectors: [[[0.0; SAMPLES]; 3]; 2], loose: [[0.0; SAMPLES]; 2] };

    /// What hangs on it at a lever of at most a length, and does nothing itself.
    fn carried(mut self, lever: &[Vec3A; 3], away: f32, passed: &Row) -> Self {
        let [moved, [wx, wy, wz]] = &mut self.vectors;
        let [lx, ly, lz] = [0, 1, 2].map(|n: usize| along(lever.map(|power| power[n]), passed));
        for k in 0..SAMPLES {
            moved[0][k] += wy[k] * lz[k] - wz[k] * ly[k];
            moved[1][k] += wz[k] * lx[k] - wx[k] * lz[k];
            moved[2][k] += wx[k] * ly[k] - wy[k] * lx[k];
        }
        let [loose, loose_turn] = &mut self.loose;
        loose.iter_mut().zip(loose_turn).for_each(|(moved, turned)| *moved += away * *turned);
        self
    }

    /// Adds what the joint does itself, which hangs on something that is turned so.
    fn add(&mut self, own: &Own, above: &[Mat3A; 3], passed: &Row) {
        for ((sums, loose), part) in self.vectors.iter_mut().zip(&mut self.loose).zip(&own.parts) {
            for (k, sum) in loose.iter_mut().enumerate() {
                *sum += part.loose[k] + part.seams[k];
            }
            if !part.is_something {
                continue;
            }
            let [x, y, z] = &part.rows;
            if let Some(axis) = part.axis {
                let axis = above.map(|power| power * axis);
                for (n, sum) in sums.iter_mut().enumerate() {
                    let a = along(axis.map(|power| power[n]), passed);
                    (0..SAMPLES).for_each(|k| sum[k] += a[k] * x[k]);
                }
                continue;
            }
            for (n, sum) in sums.iter_mut().enumerate() {
                let number = |column: fn(&Mat3A) -> Vec3A| {
                    along(above.each_ref().map(|power| column(power)[n]), passed)
                };
                let [a, b, c] = [number(|m| m.x_axis), number(|m| m.y_axis), number(|m| m.z_axis)];
                for k in 0..SAMPLES {
                    sum[k] += a[k] * x[k] + b[k] * y[k] + c[k] * z[k];
                }
            }
        }
    }
}

/// A polynomial of the part that has passed.
fn along([a, b, c]: [f32; 3], passed: &Row) -> Row {
    passed.map(|u| a + u * (b + u * c))
}

/// How joints are apart at evenly spaced samples of a block, in model space, and how far they may be from the straight ways between.
#[derive(Default)]
pub(super) struct Field {
    start: f64,
    /// From one sample to the next, in seconds.
    spacing: f64,
    /// For each sample, what share of the courses has passed.
    passed: Row,
    joints: Vec<Sums>,
    /// What the joint that is being added does relative to what it hangs on.
    own: Own,
}

impl Field {
    /// From the start to the end of a span, which is within that of the courses.
    pub(super) fn start(&mut self, course: [f64; 2], [start, end]: [f64; 2]) {
        self.start = start;
        self.spacing = (end - start) / WINDOWS as f64;
        let passed = |k: usize| (start + self.spacing * k as f64 - course[0]) / (course[1] - course[0]);
        self.passed = std::array::from_fn(|k| passed(k) as f32);
        self.joints.clear();
    }

    /// Adds a joint that is at most `away` from what it hangs on, one of those that were added. Yields its number.
    pub(super) fn add(
        &mut self,
        above: Option<usize>,
        course: &Course,
        away: f64,
        pieces: Pieces<'_>,
    ) -> usize {
        let above = above.map(|above| self.joints[above].carried(&course.lever, away as f32, &self.passed));
        let mut sums = above.unwrap_or(Sums::NOTHING);
        self.own.take(pieces, self.start, self.spacing);
        sums.add(&self.own, &course.above, &self.passed);
        self.joints.push(sums);
        self.joints.len() - 1
    }

    /// How far the joint that was added last is apart at most, relative to what it hangs on.
    pub(super) fn most(&self) -> Size {
        let [moved, turned] = self.own.parts.each_ref().map(|part| f64::from(part.most()));
        Size { moved, turned }
    }

    /// How far a point within `shell` of a joint is displaced.
    pub(super) fn reach(&self, joint: usize, shell: f32) -> Reach {
        let Sums { vectors: [moved, turned], loose } = &self.joints[joint];
        let length = |[x, y, z]: &[Row; 3], k: usize| (x[k] * x[k] + y[k] * y[k] + z[k] * z[k]).sqrt();
        Reach {
            at: std::array::from_fn(|k| length(moved, k) + shell * length(turned, k)),
            loose: std::array::from_fn(|k| loose[0][k] + shell * loose[1][k]),
        }
    }
}

/// How far a joint is displaced at samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    at: Row,
    /// How much more it may be between a sample and the next one.
    loose: Row,
}

impl Reach {
    /// How far it is displaced at most between a sample and the next one; not a number where single precision does not tell.
    pub(super) fn most(&self, window: usize) -> f64 {
        let [from, to] = [self.at[window], self.at[window + 1]];
        let at = if from > to || from.is_nan() { from } else { to };
        f64::from(at + self.loose[window])
    }

    /// Where it may be displaced farthest.
    pub(super) fn farthest(&self) -> usize {
        let windows = (0..WINDOWS).map(|window| (window, self.most(window)));
        windows.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(window, _)| window)
    }

    /// At which sample it is displaced farthest, and how far; not a number where single precision does not tell.
    pub(super) fn highest(&self) -> (usize, f64) {
        let samples = self.at.iter().enumerate().map(|(k, at)| (k, f64::from(*at)));
        samples.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default()
    }
}

/// What a joint does in a block relative to what it hangs on: how it is moved, and how it is turned.
#[derive(Default)]
struct Own {
    parts: [Part; 2],
}

/// Vectors at the samples of a block.
#[derive(Default)]
struct Part {
    is_something: bool,
    /// All that is in one direction is in the first row.
    axis: Option<Vec3A>,
    rows: [Row; 3],
    /// How far from its polynomials, and from straight ways between them, it may be.
    loose: Row,
    /// How far it is from those ways where pieces meet.
    seams: Row,
    /// Where pieces meet: in which window, at what part of it, and with which value.
    ends: Vec<(usize, f32, Vec3A)>,
}

impl Own {
    /// What pieces do that follow each other without a gap.
    fn take(&mut self, pieces: Pieces<'_>, start: f64, spacing: f64) {
        self.parts.iter_mut().for_each(Part::clear);
        let direction = pieces.direction();
        if let Some(Direction { part, axis }) = direction {
            self.parts[part].axis = Some(axis);
        }
        let mut next = 0;
        for (number, piece) in pieces.cubics.iter().enumerate() {
            // What is no number, and what is before the start, is 0. The last piece counts up to the end.
            let ends = ((piece.to() - start) / spacing).ceil() as usize;
            let until = if number + 1 == pieces.cubics.len() { SAMPLES } else { ends.clamp(next, WINDOWS) };
            let window = until.saturating_sub(1);
            let end = ((piece.to() - start) / spacing - window as f64) as f32;
            let share = [piece.share(start), (spacing / piece.duration) as f32];
            let powers = match direction.zip(Pieces::along(piece)) {
                Some((direction, powers)) => along_x(direction.part, powers),
                None => pieces.powers(piece),
            };
            for ((part, powers), loose) in self.parts.iter_mut().zip(&powers).zip(piece.loose) {
                part.put(powers, share, next..until);
                part.loosen(powers, share[1], loose, next.saturating_sub(1)..until.min(WINDOWS));
                if until < SAMPLES {
                    let [a, b, c, d] = *powers;
                    part.ends.push((window, end, a + b + c + d));
                }
            }
            next = until;
        }
        self.parts.iter_mut().filter(|part| part.is_something).for_each(Part::sew);
    }
}

/// Powers in a part's only direction, for its first row.
fn along_x(part: usize, powers: &[f32; 4]) -> Powers {
    let mut all = [[Vec3A::ZERO; 4]; 2];
    all[part] = powers.map(|power| Vec3A::X * power);
    all
}

impl Part {
    fn clear(&mut self) {
        self.ends.clear();
        let ends = std::mem::take(&mut self.ends);
        *self = Self { ends, ..Self::default() };
    }

    /// A polynomial of the share that has passed at some samples: what that is at the first of all, and from one to the next.
    fn put(&mut self, powers: &[Vec3A; 4], [first, step]: [f32; 2], seen: Range<usize>) {
        if powers.iter().all(|power| *power == Vec3A::ZERO) {
            return;
        }
        self.is_something = true;
        let rows = if self.axis.is_some() { 1 } else { 3 };
        for (n, row) in self.rows.iter_mut().take(rows).enumerate() {
            let [a, b, c, d] = powers.map(|power| power[n]);
            for (k, x) in seen.clone().zip(&mut row[seen.clone()]) {
                let s = first + k as f32 * step;
                *x = a + s * (b + s * (c + s * d));
            }
        }
    }

    /// Windows in which there is a polynomial may be so loose, and as it is curved. `step` is the share that passes in one of them.
    fn loosen(&mut self, [_, _, c, d]: &[Vec3A; 4], step: f32, loose: f32, windows: Range<usize>) {
        // Its second derivative is largest at one of its ends; between points h apart it is h²/8 of that beside the straight way.
        let second = (2.0 * *c).length_squared().max((2.0 * *c + 6.0 * *d).length_squared()).sqrt();
        let loose = or_infinite(loose + second * step.min(1.0).powi(2) / 8.0);
        self.loose[windows].iter_mut().for_each(|most| *most = most.max(loose));
    }

    /// How long its vectors are at most.
    fn most(&self) -> f32 {
        let [x, y, z] = &self.rows;
        let square = |k: usize| or_infinite(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
        let beside = |k: usize| or_infinite(self.loose[k] + self.seams[k]);
        let largest = |of: &dyn Fn(usize) -> f32| (0..SAMPLES).map(of).fold(0.0, f32::max);
        largest(&square).sqrt() + largest(&beside)
    }

    /// Notes how far from straight ways between samples the places are at which pieces meet.
    fn sew(&mut self) {
        for (window, part, value) in self.ends.drain(..) {
            let at = |k: usize| Vec3A::from_array(self.rows.map(|row| row[k]));
            let apart = value.distance(at(window).lerp(at(window + 1), part));
            self.seams[window] = self.seams[window].max(or_infinite(apart));
        }
    }
}

/// What is no number is beyond any, and not left out where the largest is looked for.
pub(super) const fn or_infinite(number: f32) -> f32 {
    if number.is_nan() { f32::INFINITY } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apart::blocks::Own as Most;
    use crate::apart::pieces::{Along, Piece, Pieces, Row, Size, Twist};
    use glam::{DQuat, DVec3};
    use proptest::prelude::*;

    const SHELL: f32 = 0.03;

    /// What single precision may take of sums of a few thousandths: half as much was found once in a hundred thousand.
    const ROUNDING: f64 = 2e-7;

    /// Where pieces meet, and numbers that they are made of.
    type Part = (Vec<f64>, Vec<[f64; 6]>);

    fn part() -> impl Strategy<Value = Part> {
        (1usize..30).prop_flat_map(|pieces| {
            let number = -1e-3..1e-3f64;
            (
                prop::collection::vec(0.01..1.0f64, pieces),
                prop::collection::vec(prop::array::uniform6(number), 3 * pieces + 1),
            )
        })
    }

    fn twist([x, y, z, wx, wy, wz]: [f64; 6]) -> Twist {
        Twist { moved: DVec3::new(x, y, z), turned: DVec3::new(wx, wy, wz) }
    }

    /// How pieces lead from end to end.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Shape {
        Straight,
        Arched,
        /// On arches in one direction.
        Along,
        /// On arches in one direction, and then in another.
        AlongTwo,
    }

    /// Pieces from 0 to 1 without gaps.
    fn pieces((durations, numbers): &Part, shape: Shape) -> Pieces {
        let total: f64 = durations.iter().sum();
        let mut pieces = Pieces::new(1);
        let mut from = 0.0;
        for (n, duration) in durations.iter().enumerate() {
            let to = if n + 1 == durations.len() { 1.0 } else { from + duration / total };
            let [start, arch, slant, end] = [0, 1, 2, 3].map(|k| numbers[3 * n + k]);
            // All that is beside them is what is between samples.
            let loose = Size::default();
            if matches!(shape, Shape::Straight | Shape::Arched) {
                let arch =
                    if shape == Shape::Arched { [arch, slant].map(twist) } else { [Twist::NOTHING; 2] };
                pieces.push(0, &Piece { from, to, ends: [start, end].map(twist), arch, loose });
            } else {
                let turns = |n: usize| shape == Shape::AlongTwo && 2 * n == durations.len();
                if n == 0 || turns(n) {
                    let axis = twist(numbers[3 * n]).moved.normalize_or_zero().as_vec3a();
                    pieces.head(0, Direction { part: n % 2, axis });
                }
                // Where the direction becomes another one they do not jump.
                let end_at = |n: usize, number: f64| if turns(n) { 0.0 } else { number };
                let (ends, arch) = ([end_at(n, start[0]), end_at(n + 1, end[0])], [arch[0], slant[0]]);
                pieces.push_along(0, &Along { from, to, ends, arch, loose });
            }
            from = to;
        }
        pieces
    }

    /// All pieces of the only joint.
    fn all(pieces: &Pieces) -> Row<'_> {
        pieces.row(0, |_| true)
    }

    /// How it is apart at a time, exactly.
    fn at(pieces: &Pieces, time: f64) -> [Vec3A; 2] {
        let row = all(pieces);
        let piece = row.cubics.iter().find(|piece| time < piece.to()).or(row.cubics.last()).unwrap();
        let s = piece.share(time);
        row.powers(piece).map(|[a, b, c, d]| a + s * (b + s * (c + s * d)))
    }

    proptest! {
        #[test]
        fn sums_are_right_at_samples_and_bound_what_is_between(
            parts in prop::array::uniform2(part()),
            axis in prop::array::uniform3(-1.0..1.0f64),
            lever in prop::array::uniform3(-1.0..1.0f32),
            (from, to) in (0.0..0.5f64, 0.5..1.0f64),
            shape in prop::sample::select(vec![Shape::Straight, Shape::Arched, Shape::Along, Shape::AlongTwo]),
        ) {
            let turned = Mat3A::from_quat(DQuat::from_scaled_axis(DVec3::from(axis)).as_quat());
            let still = |frame: Frame| Course::through([&frame; 3]);
            let root = still(Frame { lever: Vec3A::ZERO, above: Mat3A::IDENTITY });
            let tip = still(Frame { lever: Vec3A::from(lever), above: turned });
            let pieces = parts.each_ref().map(|part| pieces(part, shape));
            let mut field = Field::default();
            field.start([0.0, 1.0], [from, to]);
            let over = |n: usize| pieces[n].row(0, |piece| piece.to() > from && piece.from < to);
            let above = field.add(None, &root, 0.0, over(0));
            let number = field.add(Some(above), &tip, Vec3A::from(lever).length().into(), over(1));
            let reach = field.reach(number, SHELL);
            let own = field.most();
            let apart = |time: f64| {
                let [moved, turn] = at(&pieces[0], time);
                let own = at(&pieces[1], time).map(|v| turned * v);
                let moved = moved + turn.cross(Vec3A::from(lever)) + own[0];
                f64::from(moved.length() + SHELL * (turn + own[1]).length())
            };
            let time = |part: f64| from + (to - from) * part;
            for n in 0..=200 {
                let part = f64::from(n) / 200.0;
                let window = ((part * WINDOWS as f64) as usize).min(WINDOWS - 1);
                let most = reach.most(window);
                prop_assert!(apart(time(part)) <= most + ROUNDING, "{} beyond {most} at {part}", apart(time(part)));
                let [moved, turned] = at(&pieces[1], time(part)).map(|v| f64::from(v.length()));
                let is_within = moved <= own.moved + ROUNDING && turned <= own.turned + ROUNDING;
                prop_assert!(is_within, "{own:?} at {part}");
            }
            let (sample, highest) = reach.highest();
            let seen = apart(time(sample as f64 / WINDOWS as f64));
            prop_assert!((seen - highest).abs() < ROUNDING, "{highest} instead of {seen}");
        }
    }

    #[test]
    fn what_is_no_number_between_two_samples_is_not_left_out() {
        let still = Course::through([&Frame { lever: Vec3A::X, above: Mat3A::IDENTITY }; 3]);
        let far = Twist { moved: DVec3::NAN, turned: DVec3::ZERO };
        let (mut pieces, mut field) = (Pieces::new(1), Field::default());
        let ends = [
            (0.0, Twist::NOTHING),
            (0.51, Twist::NOTHING),
            (0.515, far),
            (0.52, Twist::NOTHING),
            (1.0, Twist::NOTHING),
        ];
        ends.windows(2)
            .for_each(|pair| pieces.push(0, &Piece::straight([pair[0], pair[1]], Size::default())));
        field.start([0.0, 1.0], [0.0, 1.0]);
        let number = field.add(None, &still, 0.0, all(&pieces));
        let reach = field.reach(number, SHELL);
        assert!(reach.most(7) == f64::INFINITY, "{reach:?}");
        assert!(reach.most(3) == 0.0, "{reach:?}");
        assert_eq!(field.most(), Size { moved: f64::INFINITY, turned: 0.0 });
    }

    #[test]
    fn what_does_nothing_is_no_farther_apart_than_what_it_hangs_on() {
        let still = Course::through([&Frame { lever: Vec3A::X, above: Mat3A::IDENTITY }; 3]);
        let turned = Twist { moved: DVec3::ZERO, turned: DVec3::Z * 1e-3 };
        let (mut pieces, mut field) = (Pieces::new(2), Field::default());
        pieces.push(0, &Piece::always(turned));
        pieces.push(1, &Piece::always(Twist::NOTHING));
        field.start([0.0, 1.0], [0.0, 1.0]);
        let root = field.add(None, &still, 1.0, all(&pieces));
        let tip = field.add(Some(root), &still, 1.0, pieces.row(1, |_| true));
        let (reach, most) = (field.reach(root, SHELL), Most { turned: 1e-3, ..Most::NOTHING });
        assert!((reach.most(0) - most.reaches(SHELL.into())).abs() < 1e-9);
        let reach = field.reach(tip, SHELL);
        assert!((reach.highest().1 - (1e-3 + 3e-5)).abs() < 1e-9, "{reach:?}");
    }
}
