//! How far apart joints are, about, in a short block of time: small differences along a chain add up.
//!
//! Where something is moved by `u` and turned by `w` against the other side, about a joint at `x`, what hangs on it at `y`
//! is displaced by `u + w × (y − x)`. The displacement of a joint is the sum of that over all it hangs on, but for
//! products of two such differences. A sum of vectors tells much more than one of lengths, and takes a few additions
//! where placing a joint takes the evaluation of all it hangs on.

use super::stage::Local;
use glam::{DQuat, DVec3, Mat3A, Vec3A};
use std::ops::Range;

/// How a joint is apart, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Twist {
    /// Δt, the difference of its translations.
    pub(super) moved: DVec3,
    /// 2·sin(θ/2) along the axis of the rotation by θ that leads from one side's to the other's.
    pub(super) turned: DVec3,
}

impl Twist {
    pub(super) const NOTHING: Self = Self { moved: DVec3::ZERO, turned: DVec3::ZERO };

    pub(super) fn between(a: &Local, b: &Local) -> Self {
        let between = b.rotation * a.rotation.conjugate();
        Self { moved: b.translation - a.translation, turned: between.xyz() * 2.0_f64.copysign(between.w) }
    }

    /// How the other side is apart.
    pub(super) fn opposite(self) -> Self {
        Self { moved: -self.moved, turned: -self.turned }
    }

    fn plus(self, factor: f64, other: &Self) -> Self {
        Self { moved: self.moved + factor * other.moved, turned: self.turned + factor * other.turned }
    }

    pub(super) fn size(&self) -> Size {
        Size { moved: self.moved.length(), turned: self.turned.length() }
    }
}

/// The lengths of a [`Twist`], or what bounds them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Size {
    pub(super) moved: f64,
    pub(super) turned: f64,
}

impl Size {
    pub(super) fn plus(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    /// Both lengths by a function of those of two.
    fn with(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self { moved: of(self.moved, other.moved), turned: of(self.turned, other.turned) }
    }
}

/// A joint that is seen this closely may be beyond the straight ways between what was seen by this part of it.
const BESIDE: f64 = 0.1;

/// An arch whose cubic is as high as it can be, and right in the middle, may be beside the cubic by this part of its height.
const BESIDE_CUBIC: f64 = 0.001;

/// An arch may be beside its cubic by this many times what the cubic is higher or lower than it can be: found, as the other two,
/// on dances and on a motion with timing curves of every kind.
const MISSING: f64 = 4.5;

/// An arch may be beside its cubic by this many times what it is in the middle. It is 1.8 times that where it is smooth, and 7.2
/// times where it is as steep as the root of the time, which is the steepest.
const BESIDE_MIDDLE: f64 = 7.5;

/// How a joint is apart between two moments: straight from one to the other, and on an arch beyond that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    from: f64,
    to: f64,
    ends: [Twist; 2],
    /// At the part s of the time, 4·s·(1 − s) times as much of the first, and of the second that times s − ½.
    arch: [Twist; 2],
    /// How far it may be from there.
    loose: Size,
}

impl Piece {
    /// Between two moments so near to each other that nothing of interest is between them.
    pub(super) fn seen([(from, start), (to, end)]: [(f64, Twist); 2]) -> Self {
        let loose = start.size().with(end.size(), |a, b| BESIDE * a.max(b));
        Self { from, to, ends: [start, end], arch: [Twist::NOTHING; 2], loose }
    }

    /// Between two moments, where each side gets no farther from its way at constant speed than in all `bends`. `inner` is how
    /// it is apart about a third, a half and two thirds of the way, and when. Great arcs that far apart at their ends may be
    /// `farther` times that apart.
    pub(super) fn bent(
        ends @ [(from, start), (to, end)]: [(f64, Twist); 2],
        inner: Option<[(f64, Twist); 3]>,
        bends: Size,
        farther: f64,
    ) -> Self {
        let piece = match inner {
            Some(inner) => {
                let straight = |time: f64| start.plus((time - from) / (to - from), &end.plus(-1.0, &start));
                let [first, middle, second] = inner.map(|(time, seen)| seen.plus(-1.0, &straight(time)));
                // Both are 8/9 of what is in the middle, but for a sixth of the slant, to either side.
                let slant = second.plus(-1.0, &first);
                let sum = first.plus(1.0, &second);
                let arch = [Twist::NOTHING.plus(9.0 / 16.0, &sum), Twist::NOTHING.plus(27.0 / 8.0, &slant)];
                Self::arched(ends, arch, middle.plus(-1.0, &arch[0]).size(), bends)
            }
            None => Self::straight(ends, bends),
        };
        piece.looser(Size {
            moved: 0.0,
            turned: start.turned.length().max(end.turned.length()) * (farther - 1.0),
        })
    }

    /// Between two moments, straight but for so much.
    pub(super) fn straight([(from, start), (to, end)]: [(f64, Twist); 2], loose: Size) -> Self {
        Self { from, to, ends: [start, end], arch: [Twist::NOTHING; 2], loose }
    }

    /// Between two moments on an arch that was seen to be so far beside it in the middle, and gets so far from the straight way.
    pub(super) fn arched(
        [(from, start), (to, end)]: [(f64, Twist); 2],
        arch: [Twist; 2],
        beside: Size,
        bends: Size,
    ) -> Self {
        let [moved, turned] = [arch.map(|twist| twist.moved), arch.map(|twist| twist.turned)].map(highest);
        let loose = bends
            .with(Size { moved, turned }, |bend, high| MISSING * (bend - high).abs() + BESIDE_CUBIC * bend)
            .with(beside, |loose, beside| loose + BESIDE_MIDDLE * beside);
        Self { from, to, ends: [start, end], arch, loose }
    }

    /// What may be farther from there by so much.
    pub(super) fn looser(self, by: Size) -> Self {
        Self { loose: self.loose.plus(by), ..self }
    }

    /// Always the same.
    pub(super) fn always(twist: Twist) -> Self {
        let (from, to) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { from, to, ends: [twist; 2], arch: [Twist::NOTHING; 2], loose: Size::default() }
    }

    fn is_nothing(&self) -> bool {
        [self.ends, self.arch].as_flattened().iter().all(|twist| *twist == Twist::NOTHING)
    }

    /// How far it is apart at most.
    pub(super) fn most(&self) -> Size {
        let larger = |a: Size, b: Size| a.with(b, f64::max);
        let [start, end] = &self.ends;
        let at = |share: f64| {
            let [arch, slant] = &self.arch;
            let high = 4.0 * share * (1.0 - share);
            let straight = start.plus(share, &end.plus(-1.0, start));
            straight.plus(high, arch).plus(high * (share - 0.5), slant).size()
        };
        let seen = [at(1.0 / 3.0), at(2.0 / 3.0)].into_iter().fold(larger(start.size(), end.size()), larger);
        // Between points a third apart it is beyond both by h²/8 of its second derivative: up to 8 times the arch, and 12 times
        // the slant.
        let [arch, slant] = self.arch.map(|twist| twist.size());
        let beyond = arch.with(slant, |arch, slant| arch / 9.0 + slant / 6.0);
        seen.with(beyond, |a, b| a + b).with(self.loose, |a, b| a + b)
    }

    /// As a polynomial of the share of its duration that has passed.
    fn powers(&self) -> [Twist; 4] {
        let ([start, end], [arch, slant]) = (self.ends, self.arch);
        let once = end.plus(-1.0, &start).plus(4.0, &arch).plus(-2.0, &slant);
        let twice = Twist::NOTHING.plus(-4.0, &arch).plus(6.0, &slant);
        [start, once, twice, Twist::NOTHING.plus(-4.0, &slant)]
    }

    /// How far it may be from the straight ways between samples that are so far from each other.
    fn loose(&self, spacing: f64) -> Size {
        let part = (spacing / (self.to - self.from)).min(1.0 / INNER).powi(2);
        let bent = self.arch[0].size().with(self.arch[1].size(), |arch, slant| arch + slant);
        self.loose.with(bent, |loose, bent| loose + bent * part)
    }
}

/// How high 4·s·(1 − s)·(a + (s − ½)·b) gets for vectors a and b that point the same way, or opposite ways; for others about.
fn highest([a, b]: [DVec3; 2]) -> f64 {
    let along = (a + b * 1f64.copysign(a.dot(b))).normalize_or_zero();
    let (height, slant) = (a.dot(along), b.dot(along));
    // Where the derivative by s is 0, on the side of the middle on which both add up.
    let root = (64.0 * height * height + 48.0 * slant * slant).sqrt();
    let off = if root > 0.0 { 2.0 * slant / (8.0 * height + root.copysign(height)) } else { 0.0 };
    (1.0 - 4.0 * off * off) * (a + off * b).length()
}

/// How many evenly spaced samples a block has, at least.
const EVEN: u32 = 16;

/// A piece shorter than so many times their distance is sampled at so many parts of itself.
const INNER: f64 = 4.0;

/// What joints do in a stretch of time.
pub(super) struct Pieces {
    /// For each joint, ascending and without gaps.
    of: Vec<Vec<Piece>>,
    /// When each piece ends, close together because they are searched.
    ends: Vec<Vec<f64>>,
    /// When something jumps; sorted once all is known.
    jumps: Vec<f64>,
}

impl Pieces {
    pub(super) fn new(joints: usize) -> Self {
        Self { of: vec![Vec::new(); joints], ends: vec![Vec::new(); joints], jumps: Vec::new() }
    }

    /// The next piece of a joint. What takes no time is a jump.
    pub(super) fn note(&mut self, joint: usize, piece: Piece) {
        if piece.from < piece.to {
            self.of[joint].push(piece);
            self.ends[joint].push(piece.to);
        } else {
            self.jumps.push(piece.from);
        }
    }

    /// The last piece was noted.
    pub(super) fn close(&mut self) {
        self.jumps.sort_by(f64::total_cmp);
    }

    /// Whether nothing jumps in a block.
    pub(super) fn is_steady(&self, [start, end]: [f64; 2]) -> bool {
        self.jumps.get(self.jumps.partition_point(|jump| *jump < start)).is_none_or(|jump| *jump > end)
    }

    /// The numbers of a joint's pieces that have a part in a block.
    pub(super) fn over(&self, joint: usize, [start, end]: [f64; 2]) -> Range<usize> {
        let pieces = &self.of[joint];
        let first = self.ends[joint].partition_point(|end| *end <= start);
        let count = pieces[first..].iter().take_while(|piece| piece.from < end).count();
        first..first + count
    }

    /// Some of a joint's pieces, by their numbers.
    pub(super) fn some(&self, joint: usize, numbers: Range<usize>) -> &[Piece] {
        &self.of[joint][numbers]
    }

    /// Times of a block between which joints go about straight: its ends, evenly spaced ones, and the ends of the joints' pieces
    /// in it.
    pub(super) fn samples<'p>([start, end]: [f64; 2], pieces: impl Iterator<Item = &'p Piece>) -> Vec<f64> {
        let spacing = (end - start) / f64::from(EVEN);
        let mut times: Vec<f64> = (0..EVEN).map(|n| start + spacing * f64::from(n)).chain([end]).collect();
        for piece in pieces {
            let duration = piece.to - piece.from;
            let parts = if duration < INNER * spacing { INNER as u32 } else { 1 };
            let part = |n: u32| piece.from + duration * (f64::from(n) / f64::from(parts));
            times.extend((0..parts).map(part).filter(|time| start < *time && *time < end));
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

/// Where a joint is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) position: DVec3,
    /// How what it hangs on is turned.
    pub(super) above: DQuat,
}

/// Numbers of a joint at a sample: three of its displacement, and three of its rotation.
const ROWS: usize = 6;

/// How joints are apart at the samples of a block, in model space. Between the start and the end of the block, they stand on
/// the straight way between where they do then.
pub(super) struct Field {
    times: Vec<f64>,
    /// The longest time between two neighbouring ones.
    widest: f64,
    /// For each time, what part of the block has passed.
    passed: Vec<f32>,
    /// The rows of the first joint, of the second ...
    rows: Vec<f32>,
    /// Where each joint is at the start and at the end.
    positions: Vec<[DVec3; 2]>,
    /// How far each joint may be from what its rows say.
    loose: Vec<Size>,
    /// What part of a piece has passed at each of its samples; kept to be used again.
    shares: Vec<f32>,
}

impl Field {
    /// At ascending times, two at least.
    pub(super) fn new(times: Vec<f64>) -> Self {
        let (start, end) = (times[0], times[times.len() - 1]);
        let passed = times.iter().map(|time| ((time - start) / (end - start)) as f32).collect();
        let widest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        let (rows, positions, loose, shares) = Default::default();
        Self { times, widest, passed, rows, positions, loose, shares }
    }

    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// Adds a joint, by its frames at the start and at the end of the block, that is at most `away` from what it hangs on,
    /// one of those that were added. Yields its number.
    pub(super) fn add(
        &mut self,
        above: Option<usize>,
        frames: &[Frame; 2],
        away: f64,
        pieces: &[Piece],
    ) -> usize {
        let joint = self.loose.len();
        let positions = frames.map(|frame| frame.position);
        match above {
            Some(above) => self.carry(above, &positions),
            None => self.rows.resize(self.rows.len() + ROWS * self.times.len(), 0.0),
        }
        self.positions.push(positions);
        let turns = frames.map(|frame| Mat3A::from_quat(frame.above.as_quat()));
        let mut own = Size::default();
        let mut next = 0;
        for piece in pieces {
            own = own.with(piece.loose(self.widest), f64::max);
            let seen = self.seen(piece, next);
            next = seen.end;
            self.put(joint, turns, piece, seen);
        }
        let over = above.map_or(Size::default(), |above| self.loose[above]);
        let moved = over.moved + over.turned * away + own.moved;
        self.loose.push(Size { moved, turned: over.turned + own.turned });
        joint
    }

    /// Adds the rows of what hangs on a joint, and does nothing itself.
    fn carry(&mut self, above: usize, positions: &[DVec3; 2]) {
        let size = ROWS * self.times.len();
        self.rows.extend_from_within(above * size..(above + 1) * size);
        let [start, end] = [0, 1].map(|end: usize| (positions[end] - self.positions[above][end]).as_vec3());
        let along = end - start;
        let first = self.rows.len() - size;
        let mut rows = self.rows[first..].chunks_exact_mut(self.times.len());
        let [Some(x), Some(y), Some(z), Some(wx), Some(wy), Some(wz)] = std::array::from_fn(|_| rows.next())
        else {
            return;
        };
        for (k, passed) in self.passed.iter().enumerate() {
            let away = start + *passed * along;
            x[k] += wy[k] * away.z - wz[k] * away.y;
            y[k] += wz[k] * away.x - wx[k] * away.z;
            z[k] += wx[k] * away.y - wy[k] * away.x;
        }
    }

    /// The samples at which a piece counts, none of them before `next`.
    fn seen(&self, piece: &Piece, next: usize) -> Range<usize> {
        let count = self.times.len();
        let before =
            |from: usize, end: f64| from + self.times[from..].iter().take_while(|time| **time < end).count();
        let first = before(next, piece.from);
        // At its end the next piece counts, unless there is none.
        let until = before(first, piece.to);
        first..if until + 1 == count { count } else { until }
    }

    /// Adds what a piece does at some samples to a joint that hangs on something turned so at the start and at the end.
    fn put(&mut self, joint: usize, [start, end]: [Mat3A; 2], piece: &Piece, seen: Range<usize>) {
        let count = self.times.len();
        if seen.is_empty() || piece.is_nothing() {
            return;
        }
        let (opens, block) = (self.times[0], self.times[count - 1] - self.times[0]);
        let is_always = piece.from == f64::NEG_INFINITY;
        let (since, duration) = if is_always { (opens, block) } else { (piece.from, piece.to - piece.from) };
        self.shares.clear();
        let share = |time: &f64| ((time - since) / duration) as f32;
        self.shares.extend(self.times[seen.clone()].iter().map(share));
        // How it is turned when the piece starts, and how much further while it lasts.
        let turning = (end - start) * (duration / block) as f32;
        let turn = start + (end - start) * ((since - opens) / block) as f32;
        let [a, b, c, d] =
            piece.powers().map(|power| [power.moved, power.turned].map(|v| Vec3A::from(v.as_vec3())));
        let mut rows = self.rows[joint * ROWS * count..].chunks_exact_mut(count);
        for part in 0..2 {
            let mut rows = rows.by_ref().take(ROWS / 2);
            if [a, b, c, d].iter().all(|power| power[part] == Vec3A::ZERO) {
                rows.for_each(drop);
                continue;
            }
            let powers = [
                turn * a[part],
                turn * b[part] + turning * a[part],
                turn * c[part] + turning * b[part],
                turn * d[part] + turning * c[part],
                turning * d[part],
            ];
            for (number, row) in rows.by_ref().enumerate() {
                let [a, b, c, d, e] = powers.map(|power| power[number]);
                let at = |s: f32| a + s * (b + s * (c + s * (d + s * e)));
                row[seen.clone()].iter_mut().zip(&self.shares).for_each(|(x, s)| *x += at(*s));
            }
        }
    }

    /// How far a point within `shell` of a joint is displaced at each sample, and by how much that may be wrong.
    pub(super) fn reach(&self, joint: usize, shell: f64) -> (Vec<f32>, f64) {
        let count = self.times.len();
        let mut rows = self.rows[joint * ROWS * count..].chunks_exact(count);
        let mut squares = || {
            let mut squares = vec![0.0; count];
            for row in rows.by_ref().take(ROWS / 2) {
                squares.iter_mut().zip(row).for_each(|(square, x)| *square += x * x);
            }
            squares
        };
        let (mut reach, turned) = (squares(), squares());
        let shell_f32 = shell as f32;
        for (moved, turned) in reach.iter_mut().zip(&turned) {
            *moved = moved.sqrt() + shell_f32 * turned.sqrt();
        }
        // What is no number is farther than anything.
        reach.iter_mut().filter(|reach| reach.is_nan()).for_each(|reach| *reach = f32::INFINITY);
        let Size { moved, turned } = self.loose[joint];
        (reach, moved + shell * turned)
    }
}
