//! How a joint is apart relative to its parent, between the moments at which that was seen.

use super::blocks::Blocks;
use super::stage::Local;
use dopesheet_core::order::ascend;
use glam::{DVec3, Vec3A};
use std::ops::{Add, Mul};

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

impl Add for Twist {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.plus(1.0, &other)
    }
}

impl Mul<f64> for Twist {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self { moved: self.moved * factor, turned: self.turned * factor }
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
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) ends: [Twist; 2],
    /// At the part s of the time, 4·s·(1 − s) times as much of the first, and of the second that times s − ½.
    pub(super) arch: [Twist; 2],
    /// How far it may be from there.
    pub(super) loose: Size,
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
        let loose = |arch, beside, bend| beside_arch(highest(arch), beside, bend);
        let loose = Size {
            moved: loose(arch.map(|twist| twist.moved), beside.moved, bends.moved),
            turned: loose(arch.map(|twist| twist.turned), beside.turned, bends.turned),
        };
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
}

/// How a joint is apart in one direction between two moments, as a [`Piece`] is in all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) ends: [f64; 2],
    pub(super) arch: [f64; 2],
    pub(super) loose: Size,
}

/// What goes from one end to the other on an arch, as a polynomial of the share of the time that has passed.
fn powers<T: Copy + Add<Output = T> + Mul<f64, Output = T>>(
    [start, end]: [T; 2],
    [arch, slant]: [T; 2],
) -> [T; 4] {
    let once = end + start * -1.0 + arch * 4.0 + slant * -2.0;
    [start, once, arch * -4.0 + slant * 6.0, slant * -4.0]
}

/// How far from an arch's cubic it may be that is so high, was seen to be so far beside it in the middle, and gets so far from the
/// straight way.
pub(super) fn beside_arch(high: f64, beside: f64, bend: f64) -> f64 {
    MISSING * (bend - high).abs() + BESIDE_CUBIC * bend + BESIDE_MIDDLE * beside
}

/// How high 4·s·(1 − s)·(a + (s − ½)·b) gets for vectors a and b that point the same way, or opposite ways; for others about.
fn highest([a, b]: [DVec3; 2]) -> f64 {
    let along = (a + b * 1f64.copysign(a.dot(b))).normalize_or_zero();
    let off = top(a.dot(along), b.dot(along));
    (1.0 - 4.0 * off * off) * (a + off * b).length()
}

/// [`highest`] for numbers.
pub(super) fn highest_along([height, slant]: [f64; 2]) -> f64 {
    let off = top(height, slant);
    (1.0 - 4.0 * off * off) * (height + off * slant).abs()
}

/// How far beside the middle 4·s·(1 − s)·(height + (s − ½)·slant) is highest: where the derivative by s is 0, on the side of the
/// middle on which both add up.
fn top(height: f64, slant: f64) -> f64 {
    let root = (64.0 * height * height + 48.0 * slant * slant).sqrt();
    if root > 0.0 { 2.0 * slant / (8.0 * height + root.copysign(height)) } else { 0.0 }
}

/// A [`Piece`] as a polynomial of the share of its time that has passed, in single precision: there are millions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    pub(super) from: f64,
    /// Infinite where it is always the same.
    pub(super) duration: f64,
    /// How far what it moves by, and what it turns by, may be from there.
    pub(super) loose: [f32; 2],
    way: Way,
}

/// Where a cubic leads.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Along one of the directions of its joint.
    Along(u32, [f32; 4]),
    /// Anywhere: the first of the joint's vectors that are its powers, and how many those of either part are; more are zero.
    Free(u32, [u8; 2]),
}

impl Cubic {
    fn new([from, to]: [f64; 2], way: Way, loose: Size) -> Self {
        Self { from, duration: to - from, loose: [loose.moved as f32, loose.turned as f32], way }
    }

    /// The part of it that has passed at a time.
    pub(super) fn share(&self, time: f64) -> f32 {
        if self.duration.is_finite() { ((time - self.from) / self.duration) as f32 } else { 0.0 }
    }

    pub(super) fn to(&self) -> f64 {
        self.from + self.duration
    }
}

/// What a joint does that moves or turns in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Direction {
    /// 0 if it moves, 1 if it turns.
    pub(super) part: usize,
    /// Where to, or about which axis; of length 1.
    pub(super) axis: Vec3A,
}

/// Powers of what a joint is moved by, and of what it is turned by.
pub(super) type Powers = [[Vec3A; 4]; 2];

/// What one joint does, ascending and without gaps.
#[derive(Clone, Debug, Default)]
struct Joined {
    cubics: Vec<Cubic>,
    directions: Vec<Direction>,
    vectors: Vec<Vec3A>,
}

/// Some cubics of a joint in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) cubics: &'a [Cubic],
    of: &'a Joined,
}

impl Row<'_> {
    /// The direction in which the joint is apart all the time, if that is one.
    pub(super) fn direction(&self) -> Option<Direction> {
        let number = |cubic: &Cubic| match cubic.way {
            Way::Along(direction, _) => Some(direction),
            Way::Free(..) => None,
        };
        let first = number(self.cubics.first()?)?;
        self.cubics
            .iter()
            .all(|cubic| number(cubic) == Some(first))
            .then(|| self.of.directions[first as usize])
    }

    /// A cubic's powers in its direction.
    pub(super) fn along(cubic: &Cubic) -> Option<&[f32; 4]> {
        match &cubic.way {
            Way::Along(_, powers) => Some(powers),
            Way::Free(..) => None,
        }
    }

    /// A cubic's powers.
    pub(super) fn powers(&self, cubic: &Cubic) -> Powers {
        let mut all = [[Vec3A::ZERO; 4]; 2];
        match cubic.way {
            Way::Along(direction, powers) => {
                let Direction { part, axis } = self.of.directions[direction as usize];
                all[part] = powers.map(|power| axis * power);
            }
            Way::Free(first, counts) => {
                let mut vectors = self.of.vectors[first as usize..].iter();
                for (powers, count) in all.iter_mut().zip(counts) {
                    powers
                        .iter_mut()
                        .take(count.into())
                        .zip(&mut vectors)
                        .for_each(|(power, known)| *power = *known);
                }
            }
        }
        all
    }
}

/// What joints do in a stretch of time.
pub(super) struct Pieces {
    of: Vec<Joined>,
    /// For each joint, the first piece that reaches into each block, as far as they are known.
    firsts: Vec<Vec<u32>>,
    /// When something jumps; sorted once all is known.
    jumps: Vec<f64>,
}

impl Pieces {
    pub(super) fn new(joints: usize) -> Self {
        Self { of: vec![Joined::default(); joints], firsts: vec![Vec::new(); joints], jumps: Vec::new() }
    }

    /// The next piece of a joint. What takes no time is a jump.
    pub(super) fn note(&mut self, joint: usize, piece: &Piece, blocks: &Blocks) {
        if self.takes_time([piece.from, piece.to], joint, blocks) {
            self.push(joint, piece);
        }
    }

    /// The next pieces of a joint that are [along](Self::note_along) something are in this direction.
    pub(super) fn head(&mut self, joint: usize, direction: Direction) {
        self.of[joint].directions.push(direction);
    }

    /// [`Self::note`] in the direction in which the joint is [headed](Self::head).
    pub(super) fn note_along(&mut self, joint: usize, piece: &Along, blocks: &Blocks) {
        if self.takes_time([piece.from, piece.to], joint, blocks) {
            self.push_along(joint, piece);
        }
    }

    /// Whether the next piece of a joint is no jump; which blocks it is the first to reach is noted then.
    fn takes_time(&mut self, [from, to]: [f64; 2], joint: usize, blocks: &Blocks) -> bool {
        if from < to {
            let (number, firsts) = (self.of[joint].cubics.len(), &mut self.firsts[joint]);
            while firsts.len() < blocks.count() && blocks.edge(firsts.len()) < to {
                firsts.push(number as u32);
            }
            return true;
        }
        self.jumps.push(from);
        false
    }

    /// Adds a piece of a joint, whichever blocks there are.
    pub(super) fn push(&mut self, joint: usize, piece: &Piece) {
        let joint = &mut self.of[joint];
        let powers = powers(piece.ends, piece.arch);
        let first = joint.vectors.len() as u32;
        let mut add = |part: fn(&Twist) -> DVec3| {
            let powers = powers.map(|power| part(&power).as_vec3a());
            let count = powers.iter().rposition(|power| *power != Vec3A::ZERO).map_or(0, |last| last + 1);
            joint.vectors.extend_from_slice(&powers[..count]);
            count as u8
        };
        let way = Way::Free(first, [add(|power| power.moved), add(|power| power.turned)]);
        joint.cubics.push(Cubic::new([piece.from, piece.to], way, piece.loose));
    }

    /// Adds a piece of a joint in the direction in which that is headed, whichever blocks there are.
    pub(super) fn push_along(&mut self, joint: usize, piece: &Along) {
        let joint = &mut self.of[joint];
        let powers = powers(piece.ends, piece.arch).map(|power| power as f32);
        let way = Way::Along(joint.directions.len().saturating_sub(1) as u32, powers);
        joint.cubics.push(Cubic::new([piece.from, piece.to], way, piece.loose));
    }

    /// The last piece was noted.
    pub(super) fn close(&mut self) {
        ascend(&mut self.jumps);
    }

    /// Whether nothing jumps in a block.
    pub(super) fn is_steady(&self, [start, end]: [f64; 2]) -> bool {
        self.jumps.get(self.jumps.partition_point(|jump| *jump < start)).is_none_or(|jump| *jump > end)
    }

    /// The pieces of a joint that have a part in a span of a block.
    pub(super) fn over(&self, joint: usize, block: usize, [start, end]: [f64; 2]) -> Row<'_> {
        let (of, first) = (&self.of[joint], self.firsts[joint].get(block));
        let pieces = first.map_or(&[][..], |first| &of.cubics[*first as usize..]);
        let before = pieces.iter().take_while(|piece| piece.to() <= start).count();
        let pieces = &pieces[before..];
        Row { cubics: &pieces[..pieces.iter().take_while(|piece| piece.from < end).count()], of }
    }

    /// Whether a joint has a part in a block.
    pub(super) fn is_over(&self, joint: usize, block: usize, span: [f64; 2]) -> bool {
        !self.over(joint, block, span).cubics.is_empty()
    }

    /// The pieces of a joint that are wanted, which follow each other.
    #[cfg(test)]
    pub(super) fn row(&self, joint: usize, is_wanted: impl Fn(&Cubic) -> bool) -> Row<'_> {
        let of = &self.of[joint];
        let first = of.cubics.iter().position(&is_wanted).unwrap_or(of.cubics.len());
        let last = of.cubics.iter().rposition(is_wanted).map_or(first, |last| last + 1);
        Row { cubics: &of.cubics[first..last], of }
    }
}
