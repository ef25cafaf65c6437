//! How a joint is apart relative to its parent, between the moments at which that was seen.

use super::blocks::Blocks;
use super::stage::Local;
use glam::{DVec3, Vec3A};

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

    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { moved: factor * self.moved, turned: factor * self.turned }
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

/// A [`Piece`] as a polynomial of the share of its time that has passed, in single precision: there are millions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    pub(super) from: f64,
    /// Infinite where it is always the same.
    pub(super) duration: f64,
    pub(super) moved: [Vec3A; 4],
    pub(super) turned: [Vec3A; 4],
    pub(super) loose: Size,
}

impl Cubic {
    fn of(piece: &Piece) -> Self {
        let powers = piece.powers();
        Self {
            from: piece.from,
            duration: piece.to - piece.from,
            moved: powers.map(|power| power.moved.as_vec3a()),
            turned: powers.map(|power| power.turned.as_vec3a()),
            loose: piece.loose,
        }
    }

    /// What it moves by and what it turns by, each with how far it may be from there.
    pub(super) fn parts(&self) -> [(&[Vec3A; 4], f32); 2] {
        [(&self.moved, self.loose.moved as f32), (&self.turned, self.loose.turned as f32)]
    }

    /// The part of it that has passed at a time.
    pub(super) fn share(&self, time: f64) -> f32 {
        if self.duration.is_finite() { ((time - self.from) / self.duration) as f32 } else { 0.0 }
    }

    pub(super) fn to(&self) -> f64 {
        self.from + self.duration
    }
}

/// What joints do in a stretch of time.
pub(super) struct Pieces {
    /// For each joint, ascending and without gaps.
    of: Vec<Vec<Cubic>>,
    /// For each joint, the first piece that reaches into each block, as far as they are known.
    firsts: Vec<Vec<u32>>,
    /// When something jumps; sorted once all is known.
    jumps: Vec<f64>,
}

impl Pieces {
    pub(super) fn new(joints: usize) -> Self {
        Self { of: vec![Vec::new(); joints], firsts: vec![Vec::new(); joints], jumps: Vec::new() }
    }

    /// The next piece of a joint. What takes no time is a jump.
    pub(super) fn note(&mut self, joint: usize, piece: &Piece, blocks: &Blocks) {
        if piece.from < piece.to {
            let (number, firsts) = (self.of[joint].len(), &mut self.firsts[joint]);
            while firsts.len() < blocks.count() && blocks.edge(firsts.len()) < piece.to {
                firsts.push(number as u32);
            }
            self.push(joint, piece);
        } else {
            self.jumps.push(piece.from);
        }
    }

    /// Adds a piece of a joint, whichever blocks there are.
    pub(super) fn push(&mut self, joint: usize, piece: &Piece) {
        self.of[joint].push(Cubic::of(piece));
    }

    /// All pieces of a joint.
    #[cfg(test)]
    pub(super) fn all(&self, joint: usize) -> &[Cubic] {
        &self.of[joint]
    }

    /// The last piece was noted.
    pub(super) fn close(&mut self) {
        self.jumps.sort_by(f64::total_cmp);
    }

    /// Whether nothing jumps in a block.
    pub(super) fn is_steady(&self, [start, end]: [f64; 2]) -> bool {
        self.jumps.get(self.jumps.partition_point(|jump| *jump < start)).is_none_or(|jump| *jump > end)
    }

    /// The pieces of a joint that have a part in a span of a block.
    pub(super) fn over(&self, joint: usize, block: usize, [start, end]: [f64; 2]) -> &[Cubic] {
        let Some(first) = self.firsts[joint].get(block) else { return &[] };
        let pieces = &self.of[joint][*first as usize..];
        let before = pieces.iter().take_while(|piece| piece.to() <= start).count();
        let pieces = &pieces[before..];
        &pieces[..pieces.iter().take_while(|piece| piece.from < end).count()]
    }
}
