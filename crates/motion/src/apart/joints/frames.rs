//! Where joints are at the edges of blocks: looked up once for the two blocks that meet there.

use super::Joints;
use super::measure::Chains;
use crate::apart::field::Frame;
use crate::apart::lane::Accuracy;
use crate::apart::moments::Moment;
use crate::apart::norm::{angle, half_sine};
use crate::apart::stage::Stage;
use crate::evaluate::Side;
use glam::DQuat;

/// For each edge of a block, where A's joints of the pairs are then, as far as anybody has asked.
#[derive(Default)]
pub(super) struct Frames(Vec<Vec<Option<Frame>>>);

impl Frames {
    /// The pairs at an edge.
    fn edge(&mut self, edge: usize, pairs: usize) -> &mut [Option<Frame>] {
        if self.0.len() <= edge {
            self.0.resize_with(edge + 1, Vec::new);
        }
        self.0[edge].resize(pairs, None);
        &mut self.0[edge]
    }
}

impl Joints<'_> {
    /// Where A's joints of some pairs are at the start and at the end of a block, and what part of a length they may be beside
    /// the straight way between that; `None` for pairs that A does not have.
    pub(super) fn frames(
        &mut self,
        places: &[usize],
        block: usize,
        chains: &mut Chains,
    ) -> Option<(Vec<[Frame; 2]>, f64)> {
        // What a block may do between its ends is seen from that which it is next to: they come in twos.
        let second = block % 2;
        let [start, middle, end] =
            [0, 1, 2].map(|edge| self.frames_at(places, block - second + edge, chains));
        let (start, middle, end) = (start?, middle?, end?);
        let mut most = 0.0f64;
        for ((start, middle), end) in start.iter().zip(&middle).zip(&end) {
            let turned = |a: DQuat, b: DQuat| angle(half_sine(a, b));
            let own =
                if second == 0 { turned(start.above, middle.above) } else { turned(middle.above, end.above) };
            let sign = 1f64.copysign(start.above.dot(end.above));
            let halfway = (start.above + end.above * sign).normalize();
            // Rotations and what they move both go on arcs of that angle, and stand on their chords in the field: the product of
            // two arcs is half its square beside the straight way at most, and that of two chords a quarter. What turns faster and
            // faster gets beside an even turn with the square of the time.
            most = most.max(own.powi(2) * 0.75 + turned(halfway, middle.above) / 4.0);
        }
        let (from, to) = if second == 0 { (start, middle) } else { (middle, end) };
        Some((from.into_iter().zip(to).map(|(from, to)| [from, to]).collect(), most))
    }

    /// Where A's joints of some pairs are at the edge before a block.
    fn frames_at(&mut self, places: &[usize], edge: usize, chains: &mut Chains) -> Option<Vec<Frame>> {
        let moment = Moment::new(chains.blocks.edge(edge), Side::At, false);
        let known = chains.frames.edge(edge, self.pairs.len());
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
    let above = joint.parent.map_or(DQuat::IDENTITY, |parent| stage.joints[parent].place.rotation);
    Frame { position: joint.place.position, above }
}
