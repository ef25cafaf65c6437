//! Where joints are during blocks, by where they are at times around and within these.

use super::Joints;
use super::measure::Chains;
use crate::apart::abreast::{Frame, Mover, Turns};
use crate::apart::blocks::Blocks;
use crate::apart::field::{Course, or_infinite};
use crate::apart::stage::Stage;
use glam::Mat3A;

/// By what part of the largest third difference around it a joint may be beside the square through three places in a row: 1/16 of it
/// where the way is smooth, and 3/8 at a kink.
const BESIDE_SQUARE: f32 = 0.4;

/// How much farther beside a square through every other place a joint may be than it is at the places between, but for third
/// differences of all of them: as it is found at kinks and on waves.
const BEYOND: f32 = 1.25;

/// So many parts of a block lie between places that are looked at. All of it is known by every other of these, its halves by each.
const PARTS: usize = 4;

/// So many of these places are before the start of a block, and as many behind its end: more than tell where the joint is between
/// them, because kinks that are hidden to some show in others.
const MARGIN: usize = 2;

/// So many places are known of a joint around a block.
const PLACES: usize = PARTS + 1 + 2 * MARGIN;

/// How many lots of places are kept: those around a block, and one more.
const KEPT: usize = 4;

/// Where A's joints are at the places of blocks: of those that were asked for last.
#[derive(Default)]
pub(super) struct Frames<'a> {
    /// For each of A's joints.
    movers: Vec<Mover<'a>>,
    /// The newest last.
    lots: Vec<Lot>,
    /// Joints to be brought to places, the child first; kept to be used again.
    path: Vec<usize>,
}

/// The places from the start of a block to that of the next one.
struct Lot {
    /// Of the block behind this one, because there may be one before the first.
    number: usize,
    times: [f64; PARTS],
    /// For each of A's joints, how it is turned and where it is there, as far as anybody has asked.
    joints: Vec<Option<(Turns, [Frame; PARTS])>>,
}

impl<'a> Frames<'a> {
    /// Where some of A's joints are, each after what it hangs on.
    fn lot(&mut self, number: usize, nodes: &[usize], stage: &Stage<'a>, blocks: &Blocks) -> &Lot {
        if self.movers.is_empty() {
            self.movers = stage.joints.iter().map(|joint| joint.mover()).collect();
        }
        let known = self.lots.iter().position(|lot| lot.number == number).unwrap_or_else(|| {
            let mut joints = if self.lots.len() < KEPT { Vec::new() } else { self.lots.remove(0).joints };
            joints.clear();
            joints.resize(self.movers.len(), None);
            let time = |part: usize| blocks.at(number as f64 - 1.0 + part as f64 / PARTS as f64);
            self.lots.push(Lot { number, times: std::array::from_fn(time), joints });
            self.lots.len() - 1
        });
        let Self { movers, lots, path } = self;
        let lot = &mut lots[known];
        for &node in nodes {
            let mut next = Some(node);
            while let Some(node) = next.filter(|node| lot.joints[*node].is_none()) {
                path.push(node);
                next = movers[node].parent;
            }
            while let Some(node) = path.pop() {
                let mover = &mut movers[node];
                mover.go_to(&lot.times);
                let above =
                    mover.parent.and_then(|parent| lot.joints[parent].as_ref()).map(|(turns, _)| turns);
                lot.joints[node] = Some((mover.turns(above), mover.frames(above)));
            }
        }
        lot
    }
}

/// Where a joint is around a block.
#[derive(Clone, Debug)]
pub(super) struct Around([Frame; PLACES]);

/// A part of a block of which the [course](Known) of joints is known at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Whole,
    /// Two of the parts that lie between places, from this one on.
    Half(usize),
}

impl Part {
    /// The smallest that some time of a block lies in, from one share of it to another.
    pub(super) fn of([from, to]: [f64; 2]) -> Self {
        let parts = PARTS as f64;
        let first = ((from * parts) as usize).min(PARTS - 2);
        if to * parts <= (first + 2) as f64 { Self::Half(first) } else { Self::Whole }
    }

    /// When it starts and ends, in shares of the block.
    pub(super) fn shares(self) -> [f64; 2] {
        match self {
            Self::Whole => [0.0, 1.0],
            Self::Half(first) => [first, first + 2].map(|part| part as f64 / PARTS as f64),
        }
    }
}

/// Where a joint is during a part of a block.
pub(super) struct Known {
    pub(super) course: Course,
    /// How far it may be beside that: its lever, and what it hangs on as a part of what that turns.
    beside: [f32; 2],
    /// How much that changes from one end of a half to the other.
    change: [f32; 2],
}

impl Around {
    /// Where it is during a part of the block.
    pub(super) fn during(&self, part: Part) -> Known {
        let Self(places) = self;
        let (first, step) = match part {
            Part::Whole => (MARGIN, PARTS / 2),
            Part::Half(first) => (MARGIN + first, 1),
        };
        let [start, middle, end] = [0, 1, 2].map(|n| &places[first + n * step]);
        // All that have a part in it.
        let around = &places[first - MARGIN..=first + 2 * step + MARGIN];
        let thirds = around.array_windows().map(third).fold([0.0; 2], larger);
        let course = Course::through([start, middle, end]);
        let mut beside = thirds.map(|third| BESIDE_SQUARE * or_infinite(third.sqrt()));
        if part == Part::Whole {
            let between = [(0.25, &places[first + 1]), (0.75, &places[first + 3])];
            let off = between.map(|(share, place)| off(&course.at(share), place));
            let off = larger(off[0], off[1]).map(|off| BEYOND * or_infinite(off.sqrt()));
            beside = [beside[0] + off[0], beside[1] + off[1]];
        }
        let change = larger(off(start, middle), off(middle, end)).map(|change| or_infinite(change.sqrt()));
        Known { course, beside, change }
    }
}

impl Known {
    /// How far the lever, and what it hangs on as a part of what that turns, may be from what the courses tell, and from the straight
    /// ways in such a share of the part on which sums rest.
    ///
    /// A product of two that change is beside the straight way by an eighth of twice the product of both changes, and what is apart
    /// changes by twice as much as it is, at most.
    pub(super) fn wrong(&self, share: f64) -> [f64; 2] {
        [0, 1].map(|n: usize| f64::from(self.beside[n]) + f64::from(self.change[n]) * share)
    }
}

impl<'a> Joints<'a> {
    /// Where A's joints of some pairs are around a block; `None` if A has not all of them.
    pub(super) fn around(
        &self,
        places: &[usize],
        block: usize,
        chains: &mut Chains<'a>,
    ) -> Option<Vec<Around>> {
        let nodes: Vec<usize> = places.iter().map(|place| self.pairs[*place].a).collect::<Option<_>>()?;
        let mut around = vec![Around([Frame::default(); PLACES]); nodes.len()];
        for lot in 0..3 {
            let Lot { joints, .. } = chains.frames.lot(block + lot, &nodes, &self.a, &chains.blocks);
            // The first place of the lot, counted from the first one that is looked at.
            let first = (lot * PARTS) as isize - (PARTS - MARGIN) as isize;
            for (Around(known), node) in around.iter_mut().zip(&nodes) {
                let frames = joints[*node].iter().flat_map(|(_, frames)| frames);
                for (n, frame) in (first..).zip(frames) {
                    if let Some(place) = usize::try_from(n).ok().and_then(|n| known.get_mut(n)) {
                        *place = *frame;
                    }
                }
            }
        }
        Some(around)
    }
}

/// The larger of each.
fn larger(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [0, 1].map(|n| if a[n] >= b[n] { a[n] } else { b[n] })
}

/// The square of the third difference of four places in a row: of levers, and of what they are turned by.
fn third([a, b, c, d]: &[Frame; 4]) -> [f32; 2] {
    let lever = d.lever - a.lever + 3.0 * (b.lever - c.lever);
    [lever.length_squared(), size(d.above - a.above + (b.above - c.above) * 3.0)]
}

/// The squares of how far two places are apart.
fn off(a: &Frame, b: &Frame) -> [f32; 2] {
    [a.lever.distance_squared(b.lever), size(a.above - b.above)]
}

/// No vector becomes longer by a matrix than so many times, squared.
fn size(matrix: Mat3A) -> f32 {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.length_squared()).iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3A;

    /// How far beside the course of a part a lever gets that goes along a line, as a share of what it may be.
    fn beside(part: Part, way: impl Fn(f32) -> f32) -> f32 {
        let frame = |place: usize| Frame {
            lever: Vec3A::X * way((place as f32 - MARGIN as f32) / PARTS as f32),
            above: Mat3A::IDENTITY,
        };
        let known = Around(std::array::from_fn(frame)).during(part);
        let [from, to] = part.shares().map(|share| share as f32);
        let apart = |n: u16| {
            let passed = f32::from(n) / 50.0;
            let apart = (known.course.at(passed).lever.x - way(from + passed * (to - from))).abs();
            // But for single precision.
            (apart - 1e-5) / known.beside[0].max(1e-6)
        };
        (0..=50).map(apart).fold(0.0, f32::max)
    }

    #[test]
    fn kinks_and_smooth_ways_are_beside_their_course_by_what_is_told() {
        for part in [Part::Whole, Part::Half(0), Part::Half(1), Part::Half(2)] {
            for n in 0..=600u16 {
                let kink = f32::from(n) / 300.0 - 0.5;
                let apart = beside(part, |time| 2.0 * (time - kink).max(0.0));
                assert!(apart <= 1.0, "{apart} with a kink at {kink} in {part:?}");
                for speed in [1.3, 3.0, 5.0] {
                    let apart = beside(part, |time| (time * speed + kink).sin());
                    assert!(apart <= 1.0, "{apart} from {kink} in {part:?}");
                }
            }
        }
    }

    #[test]
    fn a_part_holds_what_lies_in_it() {
        for n in 0..=100u16 {
            let from = f64::from(n) / 100.0;
            for to in [from, (from + 0.26).min(1.0), 1.0] {
                let [start, end] = Part::of([from, to]).shares();
                assert!(start <= from && to <= end, "{start} to {end} for {from} to {to}");
            }
        }
        assert_eq!(Part::of([0.3, 0.5]), Part::Half(1));
    }
}
