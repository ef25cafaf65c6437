//! A rig made ready to be solved.

use crate::append::Share;
use crate::behaviour::Behaviour;
use crate::chain::{Chain, LargestTurn, Link};
use crate::error::{RigError, RigFinding};
use crate::limit::Limit;
use crate::morph::Morphs;
use crate::order::{append_cycles, entry, order, stage};
use crate::place::{RestNode, parent, places, rest_seen_from_scene};
use crate::pose::{Lengths, SolvedPose};
use crate::schedule::{ScheduleStep, StepList};
use crate::turn::{bounded, direction};
use dopesheet_core::model::{IkChain, Node, NodeIndex, Rig, RigJoint};
use glam::DVec3;
use std::collections::HashMap;

/// Solves a rig for one pose after another.
///
/// ```
/// use dopesheet_core::model::{Append, Node, NodeIndex, Rig, RigJoint, Transform};
/// use dopesheet_rig::{Behaviour, RigPose, Solver};
///
/// let nodes = ["eyes", "left eye"].map(|name| Node::new(name, None, Transform::IDENTITY));
/// let append =
///     Append { source: NodeIndex(0), ratio: 0.5, rotation: true, translation: false, local: false };
/// let eye = RigJoint { node: NodeIndex(1), level: 1, after_physics: false, append: Some(append), fixed_axis: None };
/// let rig = Rig { joints: vec![eye], ..Rig::default() };
/// let solver = Solver::new(&nodes, &rig, Behaviour::Mmd)?;
///
/// let mut local = [Transform::IDENTITY; 2];
/// local[0].rotation = [0.0, 0.6, 0.0, 0.8];
/// let mut solved = solver.pose();
/// solver.solve(&RigPose { local: &local, ..RigPose::default() }, &mut solved);
/// assert!((solved.local[1].rotation[1] - 0.1_f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), dopesheet_rig::RigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    pub(crate) nodes: Vec<RestNode>,
    pub(crate) steps: Vec<ScheduleStep>,
    pub(crate) shares: Vec<Share>,
    pub(crate) chains: Vec<Chain>,
    pub(crate) morphs: Morphs,
    /// Joints with keyed rotations about an axis.
    pub(crate) axes: Vec<(usize, DVec3)>,
    /// Effectors with a recorded earlier position for their chains; the position in the list is the slot.
    pub(crate) watched: Vec<usize>,
    touched: Vec<bool>,
    work: usize,
    findings: Vec<RigFinding>,
}

/// The most joints from the first link to the effector of a chain; links further up stay as they are keyed.
const LONGEST_CHAIN: usize = 1024;

/// Upper bound of the joints brought up to date by the chains of a rig in one pose, all rounds counted, so
/// that no file can make a pose take longer than some hundredths of a second. Models of people need some
/// thousands, models with long chains for hair some hundred thousand.
const MOST_WORK: usize = 1_000_000;

/// Remainder of [`MOST_WORK`].
struct Work(usize);

impl Default for Work {
    fn default() -> Self {
        Self(MOST_WORK)
    }
}

impl Work {
    /// Number of the wanted rounds within the remaining work; `path` is the number of joints on the chain's
    /// path and `depth` the number of joints above its effector.
    fn rounds(&mut self, requested: u32, links: &[Link], path: usize, depth: usize) -> u32 {
        self.0 = self.0.saturating_sub(depth);
        let of_round: usize = links.iter().map(|link| path.saturating_sub(link.at)).sum();
        let affordable = u32::try_from(self.0.checked_div(of_round).unwrap_or(self.0)).unwrap_or(u32::MAX);
        let rounds = requested.min(affordable);
        self.0 = self.0.saturating_sub(of_round.saturating_mul(rounds as usize));
        rounds
    }
}

impl Solver {
    /// Compiles a rig.
    ///
    /// # Errors
    /// If the rig names missing nodes or morphs, a node stands before its parent, or a joint has two entries.
    pub fn new(nodes: &[Node], rig: &Rig, behaviour: Behaviour) -> Result<Self, RigError> {
        let places = places(nodes)?;
        let joints = joints(nodes.len(), &rig.joints)?;
        let mut findings = Vec::new();
        let order = order(nodes, &joints, &mut findings);
        append_cycles(&joints, &mut findings);
        let mut solver = Self {
            nodes: places,
            steps: Vec::new(),
            shares: Vec::new(),
            chains: Vec::new(),
            morphs: Morphs::new(&rig.morphs, nodes.len())?,
            axes: Vec::new(),
            watched: Vec::new(),
            touched: vec![false; nodes.len()],
            work: 0,
            findings,
        };
        let mut work = Work::default();
        for chain in &rig.ik {
            solver.add_chain(chain, &joints, behaviour, &mut work)?;
        }
        solver.work = MOST_WORK.saturating_sub(work.0);
        solver.add_axes(&joints);
        solver.add_turns(&order, &joints, behaviour);
        solver.add_consequences();
        solver.mark_touched();
        Ok(solver)
    }

    /// Room for the results of [`Solver::solve`].
    #[must_use]
    pub fn pose(&self) -> SolvedPose {
        let longest = self.chains.iter().map(|chain| chain.path.len()).max().unwrap_or(0);
        SolvedPose::new(&Lengths {
            nodes: self.nodes.len(),
            morphs: self.morphs.count,
            longest_path: longest,
            watched: self.watched.len(),
            shares: self.shares.len(),
        })
    }

    /// True for each node with a local transform changed by the rig for some input.
    #[must_use]
    pub fn touched(&self) -> &[bool] {
        &self.touched
    }

    /// True for each node with an influence on the nodes [touched](Self::touched) by the rig; all other nodes
    /// follow from the hierarchy alone.
    #[must_use]
    pub fn asked(&self) -> Vec<bool> {
        let mut asked = self.touched.clone();
        let appended = self.shares.iter().map(|share| share.source);
        let chained = self.chains.iter().flat_map(|chain| chain.path.iter().copied().chain([chain.goal]));
        appended.chain(chained).for_each(|node| mark(&mut asked, node));
        // Parents stand before children.
        for (node, rest) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = rest.parent.filter(|_| asked.get(node) == Some(&true)) {
                mark(&mut asked, parent);
            }
        }
        asked
    }

    /// Upper bound of the joints brought up to date by the chains in one pose, all rounds counted.
    #[must_use]
    pub const fn work(&self) -> usize {
        self.work
    }

    /// Oddities of the rig.
    #[must_use]
    pub fn findings(&self) -> &[RigFinding] {
        &self.findings
    }

    fn add_chain(
        &mut self,
        chain: &IkChain,
        joints: &[Option<&RigJoint>],
        behaviour: Behaviour,
        work: &mut Work,
    ) -> Result<(), RigError> {
        for node in [chain.goal, chain.effector].into_iter().chain(chain.links.iter().map(|l| l.node)) {
            node_in(self.nodes.len(), node)?;
        }
        let number = self.chains.len();
        let line = self.line_to(chain.effector.0);
        let mut links = Vec::new();
        for (j, link) in chain.links.iter().enumerate() {
            let Some(at) = self.position(&line, link.node.0) else {
                self.findings.push(RigFinding::IdleLink { chain: number, node: link.node });
                continue;
            };
            let limit = link.limit.as_ref().map(Limit::new);
            let axis =
                entry(joints, link.node.0).and_then(fixed_axis).filter(|_| behaviour.keeps_fixed_axes());
            let largest_turn = LargestTurn::new(bounded(chain.step_rad) * (j as f64 + 1.0));
            if !limit.is_some_and(|l| l.locked) {
                links.push(Link { node: link.node.0, at, limit, axis, largest_turn });
            }
        }
        let top = links.iter().map(|link| link.at).min().unwrap_or(line.len().saturating_sub(1));
        links.iter_mut().for_each(|link| link.at = link.at.saturating_sub(top));
        let path: Vec<usize> = line.into_iter().skip(top).collect();
        let wanted = behaviour.rounds(chain.iterations, chain.step_rad);
        let rounds = work.rounds(wanted, &links, path.len(), self.depth(chain.effector.0));
        if rounds < wanted.max(chain.iterations) {
            self.findings.push(RigFinding::RoundsCut { chain: number, iterations: chain.iterations });
        }
        self.chains.push(Chain {
            goal: chain.goal.0,
            effector: chain.effector.0,
            base: path.first().and_then(|top| parent(&self.nodes, *top)),
            path,
            links,
            rounds,
            behaviour,
            watched: None,
            refreshes: Vec::new(),
            effector_share: None,
        });
        Ok(())
    }

    /// The line of nodes down to a node, from the root or as far up as a chain may reach.
    fn line_to(&self, node: usize) -> Vec<usize> {
        let up = std::iter::successors(Some(node), |n| parent(&self.nodes, *n));
        let mut nodes: Vec<usize> = up.take(LONGEST_CHAIN).collect();
        nodes.reverse();
        nodes
    }

    /// Position of a node on a line; `None` for the last node and for nodes outside the line.
    fn position(&self, line: &[usize], node: usize) -> Option<usize> {
        let (last, above) = line.split_last()?;
        let below = self.depth(*last).checked_sub(self.depth(node))?;
        above.len().checked_sub(below).filter(|at| above.get(*at) == Some(&node))
    }

    /// Number of nodes above a node.
    fn depth(&self, node: usize) -> usize {
        self.nodes.get(node).map_or(0, |rest| rest.depth)
    }

    fn add_axes(&mut self, joints: &[Option<&RigJoint>]) {
        let axis = |(node, joint): (usize, &Option<&RigJoint>)| Some((node, joint.and_then(fixed_axis)?));
        self.axes = joints.iter().enumerate().filter_map(axis).collect();
    }

    fn add_turns(&mut self, order: &[usize], joints: &[Option<&RigJoint>], behaviour: Behaviour) {
        let rest = rest_seen_from_scene(&self.nodes);
        let mut list = StepList::new(&self.nodes, &self.chains);
        let append = |shares: &mut Vec<Share>, list: &mut StepList, node: usize| {
            if let Some(append) = entry(joints, node).and_then(|j| j.append) {
                list.append(shares.len(), node);
                let of_source = rest.get(append.source.0).copied().unwrap_or_default();
                shares.push(Share::new(node, &append, of_source));
            }
            list.see(node);
        };
        for nodes in order.chunk_by(|a, b| stage(joints, *a) == stage(joints, *b)) {
            if behaviour.solves_levels_in_passes() {
                let (first, start) = (self.shares.len(), list.len());
                nodes.iter().for_each(|node| append(&mut self.shares, &mut list, *node));
                nodes.iter().for_each(|node| list.solve(&self.nodes, &mut self.chains, *node));
                list.append_again(&self.nodes, &self.shares, first, start);
            } else {
                for node in nodes {
                    append(&mut self.shares, &mut list, *node);
                    list.solve(&self.nodes, &mut self.chains, *node);
                }
            }
        }
        (self.steps, self.watched) = list.finish();
    }

    /// Adds the effects of each chain after a move of its path: new positions of the effectors seen by other
    /// chains, and the loss of the append of its own effector if the append was added before the chain.
    fn add_consequences(&mut self) {
        let slots: HashMap<usize, usize> =
            self.watched.iter().enumerate().map(|(slot, node)| (*node, slot)).collect();
        let mut added: HashMap<usize, usize> = HashMap::new();
        for step in &self.steps {
            match *step {
                ScheduleStep::Append(number) => {
                    added.extend(self.shares.get(number).map(|share| (share.node, number)))
                }
                ScheduleStep::Solve(number) => {
                    let Some(chain) = self.chains.get_mut(number) else { continue };
                    let slot = |(at, node)| slots.get(node).map(|slot| (at, *slot));
                    chain.refreshes = chain.path.iter().enumerate().filter_map(slot).collect();
                    if chain.behaviour.leaves_out_append_of_effector() {
                        chain.effector_share = added.get(&chain.effector).copied();
                    }
                }
                ScheduleStep::AppendAgain(_) | ScheduleStep::See(_) => {}
            }
        }
    }

    fn mark_touched(&mut self) {
        let appended = self.shares.iter().map(|share| share.node);
        let turned = self.chains.iter().flat_map(Chain::turned);
        let aligned = self.axes.iter().map(|(node, _)| *node);
        let offset = self.morphs.offsets.iter().map(|offset| offset.node);
        for node in appended.chain(turned).chain(aligned).chain(offset) {
            mark(&mut self.touched, node);
        }
    }
}

fn mark(marks: &mut [bool], node: usize) {
    if let Some(mark) = marks.get_mut(node) {
        *mark = true;
    }
}

fn joints(nodes: usize, joints: &[RigJoint]) -> Result<Vec<Option<&RigJoint>>, RigError> {
    let mut by_node = vec![None; nodes];
    for joint in joints {
        let entry = by_node.get_mut(joint.node.0).ok_or(RigError::NoSuchNode { node: joint.node, nodes })?;
        if let Some(append) = joint.append {
            node_in(nodes, append.source)?;
        }
        if entry.replace(joint).is_some() {
            return Err(RigError::JointTwice { node: joint.node });
        }
    }
    Ok(by_node)
}

fn node_in(nodes: usize, node: NodeIndex) -> Result<(), RigError> {
    if node.0 < nodes { Ok(()) } else { Err(RigError::NoSuchNode { node, nodes }) }
}

fn fixed_axis(joint: &RigJoint) -> Option<DVec3> {
    joint.fixed_axis.map(|axis| direction(DVec3::from(axis))).filter(|axis| *axis != DVec3::ZERO)
}
