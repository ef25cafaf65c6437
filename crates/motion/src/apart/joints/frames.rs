//! Where joints are during blocks, by where they are at the edges of these and of those around them: looked up once for all.

use super::Joints;
use super::measure::Chains;
use crate::apart::field::{Course, Frame, or_infinite};
use crate::apart::lane::Accuracy;
use crate::apart::moments::Moment;
use crate::apart::stage::Stage;
use crate::evaluate::Side;
use glam::{DMat3, DQuat, Mat3A, Vec3A};

/// By what part of the largest third difference around it a joint may be beside the square through the edges of a block and its
/// middle, which is found from four edges: 1/120 of it where the way is smooth, and 3/8 at a kink.
const BESIDE_SQUARE: f32 = 0.4;

/// So many edges tell where joints are in the middle between two of them.
const EDGES: usize = 4;

/// For each edge of a block, where A's joints of the pairs are, as far as anybody has asked.
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
    /// By where it is at some edges in a row; the block starts at one of these.
    fn new(edges: &[Frame], start: usize) -> Self {
        let larger = |x: [f32; 2], y: [f32; 2]| [0, 1].map(|n| x[n].max(or_infinite(y[n])));
        let beside =
            edges.windows(EDGES).map(third).fold([0.0; 2], larger).map(|third| BESIDE_SQUARE * third);
        let first = start.saturating_sub(1).min(edges.len() - EDGES);
        let middle = middle(&edges[first..first + EDGES], start - first);
        let (start, end) = (&edges[start], &edges[start + 1]);
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
        // Two edges more than tell where its middle is, on either side: kinks that are hidden to some of them show in others.
        let first = block.saturating_sub(2);
        let last = (block + 3).min(chains.blocks.count());
        let edges: Option<Vec<Vec<Frame>>> =
            (first..=last).map(|edge| self.frames_at(places, edge, chains)).collect();
        let edges = edges?;
        let mut own = Vec::with_capacity(edges.len());
        let of = |n: usize| {
            own.clear();
            own.extend(edges.iter().map(|edge| edge[n]));
            Known::new(&own, block - first)
        };
        Some((0..places.len()).map(of).collect())
    }

    /// Where A's joints of some pairs are at an edge of a block.
    fn frames_at(&mut self, places: &[usize], edge: usize, chains: &mut Chains) -> Option<Vec<Frame>> {
        let moment = Moment::new(chains.blocks.edge(edge), Side::At, false);
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
fn third(edges: &[Frame]) -> [f32; 2] {
    let [a, b, c, d] = edges else { return [f32::INFINITY; 2] };
    let lever = d.lever - a.lever + 3.0 * (b.lever - c.lever);
    [lever.length(), size(d.above - a.above + (b.above - c.above) * 3.0)]
}

/// Halfway between two of four edges, by the cubic through all of them.
fn middle(edges: &[Frame], start: usize) -> Frame {
    let parts = match start {
        0 => [5.0, 15.0, -5.0, 1.0],
        1 => [-1.0, 9.0, 9.0, -1.0],
        _ => [1.0, -5.0, 15.0, 5.0],
    };
    let none = Frame { lever: Vec3A::ZERO, above: Mat3A::ZERO };
    edges.iter().zip(parts).fold(none, |sum, (edge, part)| Frame {
        lever: sum.lever + edge.lever * (part / 16.0),
        above: sum.above + edge.above * (part / 16.0),
    })
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
