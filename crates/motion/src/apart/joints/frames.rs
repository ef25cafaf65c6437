//! Where joints are during blocks, by where they are at the starts, in the middles and at the ends: looked up once for all blocks
//! that meet there or are next to that.

use super::Joints;
use super::measure::Chains;
use crate::apart::field::{Course, Frame};
use crate::apart::lane::Accuracy;
use crate::apart::moments::Moment;
use crate::apart::stage::Stage;
use crate::evaluate::Side;
use glam::{DMat3, DQuat, Mat3A};

/// By what part of a third difference a joint may be beside the square through three places: 1/16 of it where the way is smooth, and
/// 3/8 at a kink.
const BESIDE_SQUARE: f32 = 0.5;

/// For each half of a block, where A's joints of the pairs are when it starts, as far as anybody has asked.
#[derive(Default)]
pub(super) struct Frames(Vec<Vec<Option<Frame>>>);

impl Frames {
    /// The pairs at the start of a half.
    fn at(&mut self, half: usize, pairs: usize) -> &mut [Option<Frame>] {
        if self.0.len() <= half {
            self.0.resize_with(half + 1, Vec::new);
        }
        self.0[half].resize(pairs, None);
        &mut self.0[half]
    }
}

/// Where a joint is during a block.
pub(super) struct Known {
    pub(super) course: Course,
    /// How far it may be beside that: its lever, and what it hangs on as a part of what that turns.
    beside: [f32; 2],
    /// How much that changes from one end of a half to the other.
    change: [f32; 2],
}

impl Known {
    /// By where it is in both halves, and in those before and after that are known.
    fn new([a, b, c]: [&Frame; 3], around: [Option<&Frame>; 2]) -> Self {
        let [before, after] = around;
        let thirds =
            [before.map(|before| third([before, a, b, c])), after.map(|after| third([a, b, c, after]))];
        let larger = |x: [f32; 2], y: [f32; 2]| [x[0].max(y[0]), x[1].max(y[1])];
        let beside = thirds.into_iter().flatten().fold([0.0; 2], larger).map(|third| BESIDE_SQUARE * third);
        Self { course: Course::through([a, b, c]), beside, change: larger(change(a, b), change(b, c)) }
    }

    /// How far the lever, and what it hangs on as a part of what that turns, may be from what the courses tell, and from the straight
    /// ways in such a part of the block on which sums rest.
    ///
    /// A product of two that change is beside the straight way by an eighth of twice the product of both changes, and what is apart
    /// changes by twice as much as it is, at most.
    pub(super) fn wrong(&self, part: f64) -> [f64; 2] {
        [0, 1].map(|n: usize| f64::from(self.beside[n]) + f64::from(self.change[n]) * part)
    }
}

impl Joints<'_> {
    /// Where A's joints of some pairs are during a block; `None` for pairs that A does not have.
    pub(super) fn known(
        &mut self,
        places: &[usize],
        block: usize,
        chains: &mut Chains,
    ) -> Option<Vec<Known>> {
        let first = 2 * block;
        let own = [first, first + 1, first + 2].map(|half| self.frames_at(places, half, chains));
        let [Some(start), Some(middle), Some(end)] = own else { return None };
        let before = first.checked_sub(1).and_then(|half| self.frames_at(places, half, chains));
        let is_last = block + 1 == chains.blocks.count();
        let after = if is_last { None } else { self.frames_at(places, first + 3, chains) };
        let of = |n: usize| {
            let around = [&before, &after].map(|frames| frames.as_ref().map(|frames| &frames[n]));
            Known::new([&start[n], &middle[n], &end[n]], around)
        };
        Some((0..places.len()).map(of).collect())
    }

    /// Where A's joints of some pairs are at the start of a half of a block.
    fn frames_at(&mut self, places: &[usize], half: usize, chains: &mut Chains) -> Option<Vec<Frame>> {
        let moment = Moment::new(chains.blocks.half(half), Side::At, false);
        let known = chains.frames.at(half, self.pairs.len());
        self.number += 1;
        let frame = |place: &usize| {
            if known[*place].is_none() {
                let node = self.pairs[*place].a?;
                self.a.bring(node, &moment, self.number, Accuracy::Near);
                known[*place] = Some(frame(&self.a, node));
            }
            known[*place]
        };
        places.iter().map(frame).collect()
    }
}

fn frame(stage: &Stage<'_>, node: usize) -> Frame {
    let joint = &stage.joints[node];
    let (position, above) = match joint.parent.map(|parent| &stage.joints[parent].place) {
        Some(place) => (place.position, place.rotation),
        None => Default::default(),
    };
    let above: DQuat = above;
    Frame {
        lever: (joint.place.position - position).as_vec3a(),
        above: DMat3::from_quat(above).as_mat3().into(),
    }
}

/// The third differences of places in a row: of levers, and of what they are turned by.
fn third([a, b, c, d]: [&Frame; 4]) -> [f32; 2] {
    let lever = d.lever - a.lever + 3.0 * (b.lever - c.lever);
    [lever.length(), size(d.above - a.above + (b.above - c.above) * 3.0)]
}

/// How far two places are apart.
fn change(a: &Frame, b: &Frame) -> [f32; 2] {
    [a.lever.distance(b.lever), size(a.above - b.above)]
}

/// No vector becomes longer by a matrix than so many times.
fn size(matrix: Mat3A) -> f32 {
    let squares = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.length_squared());
    squares.iter().sum::<f32>().sqrt()
}
