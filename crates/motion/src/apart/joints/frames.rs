//! Where joints are during blocks, by where they are at the edges of these and of those around them: looked up once for all.

use super::Joints;
use super::measure::Chains;
use crate::apart::field::{Course, Frame, or_infinite};
use crate::apart::lane::Accuracy;
use crate::apart::moments::Moment;
use crate::apart::stage::Stage;
use crate::evaluate::Side;
use glam::{DMat3, DQuat, Mat3A};

/// By what part of the largest third difference around it a joint may be beside the square through the edges of a block and its
/// middle, which is found from four edges: 1/125 of it where the way is smooth, and 3/8 at a kink.
const BESIDE_SQUARE: f32 = 0.4;

/// So many edges around a block are looked at: more than tell where its middle is, because kinks that are hidden to some of them show
/// in others.
const AROUND: usize = 6;

/// So many of them are before the one at which it starts.
const BEFORE: usize = 2;

/// For each edge of a block, and those before the first and behind the last, where A's joints of the pairs are, as far as anybody
/// has asked.
#[derive(Default)]
pub(super) struct Frames(Vec<Vec<Option<Frame>>>);

impl Frames {
    /// The pairs at an edge.
    fn at(&mut self, edge: usize, pairs: usize) -> &mut [Option<Frame>] {
        if self.0.len() <= edge {
            self.0.resize_with(edge + 1, Vec::new);
        }
        self.0[edge].resize(pairs, None);
        &mut self.0[edge]
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
    /// By where it is at the edges around the block.
    fn new(edges: &[Frame; AROUND]) -> Self {
        let larger = |x: [f32; 2], y: [f32; 2]| [0, 1].map(|n| x[n].max(or_infinite(y[n])));
        let thirds = edges.array_windows().map(third);
        let beside = thirds.fold([0.0; 2], larger).map(|third| BESIDE_SQUARE * third);
        let [_, before, start, end, after, _] = edges;
        let middle = middle([before, start, end, after]);
        let change = larger(change(start, &middle), change(&middle, end));
        Self { course: Course::through([start, &middle, end]), beside, change }
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
        let edges: Option<Vec<Vec<Frame>>> =
            (block..block + AROUND).map(|edge| self.frames_at(places, edge, chains)).collect();
        let edges = edges?;
        let known = |n: usize| Known::new(&std::array::from_fn(|edge| edges[edge][n]));
        Some((0..places.len()).map(known).collect())
    }

    /// Where A's joints of some pairs are at an edge, counted from the second before the first block.
    fn frames_at(&mut self, places: &[usize], edge: usize, chains: &mut Chains) -> Option<Vec<Frame>> {
        let moment = Moment::new(chains.blocks.at(edge as f64 - BEFORE as f64), Side::At, false);
        let known = chains.frames.at(edge, self.pairs.len());
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

/// The third difference of four places in a row: of levers, and of what they are turned by.
fn third([a, b, c, d]: &[Frame; 4]) -> [f32; 2] {
    let lever = d.lever - a.lever + 3.0 * (b.lever - c.lever);
    [lever.length(), size(d.above - a.above + (b.above - c.above) * 3.0)]
}

/// In the middle of four places in a row, by the cubic through all of them.
fn middle([a, b, c, d]: [&Frame; 4]) -> Frame {
    let lever = (9.0 * (b.lever + c.lever) - a.lever - d.lever) / 16.0;
    Frame { lever, above: ((b.above + c.above) * 9.0 - a.above - d.above) * (1.0 / 16.0) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3A;

    /// How far beside the course of a block, the third of some, a lever gets that goes along a line, as a part of what it may be.
    fn beside(way: impl Fn(f32) -> f32) -> f32 {
        let frame = |edge: usize| Frame { lever: Vec3A::X * way(edge as f32), above: Mat3A::IDENTITY };
        let known = Known::new(&std::array::from_fn(frame));
        let apart = |n: u16| {
            let passed = f32::from(n) / 50.0;
            let apart = (known.course.lever_at(passed).x - way(BEFORE as f32 + passed)).abs();
            // But for single precision.
            (apart - 1e-5) / known.beside[0].max(1e-6)
        };
        (0..=50).map(apart).fold(0.0, f32::max)
    }

    #[test]
    fn kinks_and_smooth_ways_are_beside_their_course_by_what_is_told() {
        for n in 0..=500u16 {
            let kink = f32::from(n) / 100.0;
            let apart = beside(|time| 2.0 * (time - kink).max(0.0));
            assert!(apart <= 1.0, "{apart} with a kink at {kink}");
            let apart = beside(|time| (time * 1.3 + kink).sin());
            assert!(apart <= 1.0, "{apart} from {kink}");
        }
    }
}
