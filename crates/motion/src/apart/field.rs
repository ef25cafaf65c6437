//! How far apart joints are, about, in a short block of time: small differences along a chain add up.
//!
//! Where something is moved by `u` and turned by `w` against the other side, about a joint at `x`, what hangs on it at `y`
//! is displaced by `u + w × (y − x)`. The displacement of a joint is the sum of that over all it hangs on, but for
//! products of two such differences. A sum of vectors tells much more than one of lengths, and takes a few additions
//! where placing a joint takes the evaluation of all it hangs on.

use super::stage::Local;
use glam::{DQuat, DVec3};

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
    /// Both lengths by a function of those of two.
    fn with(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self { moved: of(self.moved, other.moved), turned: of(self.turned, other.turned) }
    }
}

/// A joint that is seen this closely may be beyond the straight ways between what was seen by this part of it.
const BESIDE: f64 = 0.1;

/// An arch that was seen to be as high as it can be may be beside its cubic by this part of its height.
const BESIDE_CUBIC: f64 = 0.03;

/// An arch that was seen to be lower than it can be may be beside its cubic by this many times what is missing: of one as
/// steep as the root of the time, which is the steepest, a ninth of its height is missing and less than a half is beside.
const MISSING: f64 = 4.5;

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

    /// Between two moments, where each side gets no farther from its way at constant speed than in all `bends`. `thirds` is
    /// how it is apart a third and two thirds of the way. Great arcs that far apart at their ends may be `farther` times
    /// that apart.
    pub(super) fn bent(
        [(from, start), (to, end)]: [(f64, Twist); 2],
        thirds: Option<[Twist; 2]>,
        bends: Size,
        farther: f64,
    ) -> Self {
        let mut arch = [Twist::NOTHING; 2];
        let mut loose = bends;
        if let Some([first, second]) = thirds {
            let straight = |share: f64| start.plus(share, &end.plus(-1.0, &start));
            let [first, second] =
                [first.plus(-1.0, &straight(1.0 / 3.0)), second.plus(-1.0, &straight(2.0 / 3.0))];
            // Both are 8/9 of what is in the middle, but for a sixth of the slant, to either side.
            let slant = second.plus(-1.0, &first);
            let sum = first.plus(1.0, &second);
            arch = [Twist::NOTHING.plus(9.0 / 16.0, &sum), Twist::NOTHING.plus(27.0 / 8.0, &slant)];
            let peak = first.size().with(second.size(), f64::max).with(arch[0].size(), f64::max);
            loose = bends.with(peak, |bend, peak| MISSING * (bend - peak).max(0.0) + BESIDE_CUBIC * bend);
        }
        loose.turned += start.turned.length().max(end.turned.length()) * (farther - 1.0);
        Self { from, to, ends: [start, end], arch, loose }
    }

    /// Always the same.
    pub(super) fn always(twist: Twist) -> Self {
        let (from, to) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { from, to, ends: [twist; 2], arch: [Twist::NOTHING; 2], loose: Size::default() }
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

/// How many evenly spaced samples a block has, at least.
const EVEN: u32 = 16;

/// A piece shorter than so many times their distance is sampled at so many parts of itself.
const INNER: f64 = 4.0;

/// What joints do in a stretch of time.
pub(super) struct Pieces {
    /// For each joint, ascending and without gaps.
    of: Vec<Vec<Piece>>,
    /// When something jumps; sorted once all is known.
    jumps: Vec<f64>,
}

impl Pieces {
    pub(super) fn new(joints: usize) -> Self {
        Self { of: vec![Vec::new(); joints], jumps: Vec::new() }
    }

    /// The next piece of a joint. What takes no time is a jump.
    pub(super) fn note(&mut self, joint: usize, piece: Piece) {
        if piece.from < piece.to {
            self.of[joint].push(piece);
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

    /// The pieces of a joint that have a part in a block.
    pub(super) fn over(&self, joint: usize, [start, end]: [f64; 2]) -> &[Piece] {
        let pieces = &self.of[joint];
        let first = pieces.partition_point(|piece| piece.to <= start);
        let count = pieces[first..].iter().take_while(|piece| piece.from < end).count();
        &pieces[first..first + count]
    }

    /// Times of a block between which joints go about straight: its ends, evenly spaced ones, and the ends of pieces.
    pub(super) fn samples(&self, span: [f64; 2], joints: impl Iterator<Item = usize>) -> Vec<f64> {
        let [start, end] = span;
        let spacing = (end - start) / f64::from(EVEN);
        let mut times: Vec<f64> = (0..EVEN).map(|n| start + spacing * f64::from(n)).chain([end]).collect();
        for joint in joints {
            for piece in self.over(joint, span) {
                let duration = piece.to - piece.from;
                let parts = if duration < INNER * spacing { INNER as u32 } else { 1 };
                let part = |n: u32| piece.from + duration * (f64::from(n) / f64::from(parts));
                times.extend((0..parts).map(part).filter(|time| start < *time && *time < end));
            }
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

/// Numbers of a joint at a sample: those of the displacement at the origin, and those of the rotation, each as if all joints
/// stood where they do at the start of the block, and at its end.
const ROWS: usize = 12;

/// How joints are apart at the samples of a block, in model space.
pub(super) struct Field {
    times: Vec<f64>,
    /// For each time, what part of the block has passed.
    passed: Vec<f32>,
    /// The rows of the first joint, of the second ...; relative to an origin near the joints, so that f32 suffices.
    rows: Vec<f32>,
    origin: DVec3,
    /// How far each joint may be from that.
    loose: Vec<Size>,
}

impl Field {
    /// At ascending times, two at least.
    pub(super) fn new(times: Vec<f64>, origin: DVec3) -> Self {
        let (start, end) = (times[0], times[times.len() - 1]);
        let passed = times.iter().map(|time| ((time - start) / (end - start)) as f32).collect();
        Self { times, passed, rows: Vec::new(), origin, loose: Vec::new() }
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
        let (size, joint) = (ROWS * self.times.len(), self.loose.len());
        match above {
            Some(above) => self.rows.extend_from_within(above * size..(above + 1) * size),
            None => self.rows.resize(self.rows.len() + size, 0.0),
        }
        let widest = self.times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        let mut own = Size::default();
        for piece in pieces {
            own = own.with(piece.loose(widest), f64::max);
            self.put(joint, frames, piece);
        }
        let over = above.map_or(Size::default(), |above| self.loose[above]);
        let moved = over.moved + over.turned * away + own.moved;
        self.loose.push(Size { moved, turned: over.turned + own.turned });
        joint
    }

    /// Adds what a piece does to a joint.
    fn put(&mut self, joint: usize, frames: &[Frame; 2], piece: &Piece) {
        let count = self.times.len();
        let first = self.times.partition_point(|time| *time < piece.from);
        // At its end the next piece counts, unless there is none.
        let end = self.times.partition_point(|time| *time < piece.to);
        let end = if end + 1 == count { count } else { end };
        let (since, duration) = (piece.from, piece.to - piece.from);
        let share = |time: &f64| if duration.is_finite() { ((time - since) / duration) as f32 } else { 0.0 };
        let shares: Vec<f32> = self.times[first..end].iter().map(share).collect();
        let powers = piece.powers();
        let mut rows = self.rows[joint * ROWS * count..].chunks_exact_mut(count);
        for frame in frames {
            let x = frame.position - self.origin;
            let [a, b, c, d] = powers.map(|power| {
                let (moved, turned) = (frame.above * power.moved, frame.above * power.turned);
                let moved = (moved - turned.cross(x)).as_vec3();
                [moved.to_array(), turned.as_vec3().to_array()]
            });
            for (number, row) in rows.by_ref().take(ROWS / 2).enumerate() {
                let [a, b, c, d] = [&a, &b, &c, &d].map(|power| power.as_flattened()[number]);
                let at = |s: f32| a + s * (b + s * (c + s * d));
                row[first..end].iter_mut().zip(&shares).for_each(|(x, s)| *x += at(*s));
            }
        }
    }

    /// How far a point within `shell` of a joint is displaced at each sample, and by how much that may be wrong.
    pub(super) fn reach(&self, joint: usize, frames: &[Frame; 2], shell: f64) -> (Vec<f32>, f64) {
        let count = self.times.len();
        let rows = &self.rows[joint * ROWS * count..(joint + 1) * ROWS * count];
        let (start, end) = rows.split_at(ROWS / 2 * count);
        let [at_start, at_end] = frames.map(|frame| (frame.position - self.origin).as_vec3().to_array());
        let mut reach = vec![0.0; count];
        for (number, out) in reach.chunks_mut(LANES).enumerate() {
            let first = number * LANES;
            let from = moved(gathered(start, count, first), at_start);
            let to = moved(gathered(end, count, first), at_end);
            let lengths = lengths_between(&from, &to, &lanes(&self.passed, first), shell as f32);
            out.copy_from_slice(&lengths[..out.len()]);
        }
        // What is no number is farther than anything.
        reach.iter_mut().filter(|reach| reach.is_nan()).for_each(|reach| *reach = f32::INFINITY);
        let Size { moved, turned } = self.loose[joint];
        (reach, moved + shell * turned)
    }
}

/// How many samples are computed at once. Loops over so many numbers become instructions for several of them.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// Numbers of a row from one on; 0 beyond the last.
fn lanes(row: &[f32], first: usize) -> Lanes {
    let row = &row[first..];
    row.first_chunk().copied().unwrap_or_else(|| {
        let mut lanes = [0.0; LANES];
        lanes[..row.len()].copy_from_slice(row);
        lanes
    })
}

/// Six rows of so many numbers each, from one on.
fn gathered(rows: &[f32], count: usize, first: usize) -> [Lanes; 6] {
    [0, 1, 2, 3, 4, 5].map(|row| lanes(&rows[row * count..(row + 1) * count], first))
}

/// The displacement and the rotation of what stands at a place.
fn moved([mut ax, mut ay, mut az, wx, wy, wz]: [Lanes; 6], [x, y, z]: [f32; 3]) -> [Lanes; 6] {
    for k in 0..LANES {
        ax[k] += wy[k] * z - wz[k] * y;
        ay[k] += wz[k] * x - wx[k] * z;
        az[k] += wx[k] * y - wy[k] * x;
    }
    [ax, ay, az, wx, wy, wz]
}

/// How far a point within a shell is displaced, part of the way between two displacements.
fn lengths_between(from: &[Lanes; 6], to: &[Lanes; 6], passed: &Lanes, shell: f32) -> Lanes {
    let (mut moved, mut turned) = ([0.0; LANES], [0.0; LANES]);
    for (row, (from, to)) in from.iter().zip(to).enumerate() {
        let squares = if row < 3 { &mut moved } else { &mut turned };
        for k in 0..LANES {
            let x = from[k] + passed[k] * (to[k] - from[k]);
            squares[k] += x * x;
        }
    }
    for k in 0..LANES {
        moved[k] = moved[k].sqrt() + shell * turned[k].sqrt();
    }
    moved
}
