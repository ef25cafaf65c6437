//! The list of steps for each pose.

use crate::append::Share;
use crate::chain::Chain;
use crate::place::{RestNode, parent};
use std::collections::HashMap;

/// A step of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScheduleStep {
    /// A share of another joint's motion is added.
    Append(usize),
    /// The same once more, because chains may have turned the other joint since.
    AppendAgain(usize),
    /// The effector's present position is recorded as the first position for its chains; the number is its
    /// slot.
    See(usize),
    /// A chain reaches for its goal.
    Solve(usize),
}

/// The list during scheduling.
pub(crate) struct StepList {
    steps: Vec<ScheduleStep>,
    /// The slots of effectors.
    slots: HashMap<usize, usize>,
    /// The effector of each slot.
    effectors: Vec<usize>,
    /// Position in the list of the last recording of each slot's effector.
    seen: Vec<usize>,
    /// For each step, true if the step is needed.
    needed: Vec<bool>,
    /// The chains to each goal.
    chains: HashMap<usize, Vec<usize>>,
    /// Position in the list behind the last move of each node, by any step; 0 before the first move.
    moved: Vec<usize>,
    /// Position in the list behind the last turn of each node by a chain or by a repeated append; 0 before
    /// the first turn.
    turned: Vec<usize>,
}

impl StepList {
    /// Starts with a recording of each effector as keyed, in case the effector's turn is after the turn of
    /// its chain.
    pub(crate) fn new(nodes: &[RestNode], chains: &[Chain]) -> Self {
        let mut list = Self {
            steps: Vec::new(),
            slots: HashMap::new(),
            effectors: Vec::new(),
            seen: Vec::new(),
            needed: Vec::new(),
            chains: HashMap::new(),
            moved: vec![0; nodes.len()],
            turned: vec![0; nodes.len()],
        };
        for (number, chain) in chains.iter().enumerate().filter(|(_, c)| c.rounds > 0 && !c.links.is_empty())
        {
            list.chains.entry(chain.goal).or_default().push(number);
            if chain.behaviour.sees_effector_of_its_turn() && !list.slots.contains_key(&chain.effector) {
                list.slots.insert(chain.effector, list.effectors.len());
                list.effectors.push(chain.effector);
                list.seen.push(0);
                list.see(chain.effector);
            }
        }
        list
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    fn push(&mut self, step: ScheduleStep) {
        self.steps.push(step);
        self.needed.push(!matches!(step, ScheduleStep::See(_)));
    }

    pub(crate) fn append(&mut self, share: usize, node: usize) {
        self.push(ScheduleStep::Append(share));
        set(&mut self.moved, node, self.steps.len());
    }

    /// Records the position of a node after its turn, if the node is an effector.
    pub(crate) fn see(&mut self, node: usize) {
        if let Some(slot) = self.slots.get(&node).copied() {
            set(&mut self.seen, slot, self.steps.len());
            self.push(ScheduleStep::See(slot));
        }
    }

    /// The chains to a goal have their turns.
    pub(crate) fn solve(&mut self, nodes: &[RestNode], chains: &mut [Chain], goal: usize) {
        for number in self.chains.get(&goal).cloned().unwrap_or_default() {
            let Some(chain) = chains.get_mut(number) else { continue };
            let slot = self.slots.get(&chain.effector).copied();
            chain.watched = slot.filter(|slot| {
                let above = parent(nodes, chain.effector);
                last_of_line(nodes, &self.moved, above) > at(&self.seen, *slot)
            });
            if let Some(look) = chain.watched.and_then(|slot| self.needed.get_mut(at(&self.seen, slot))) {
                *look = true;
            }
            self.push(ScheduleStep::Solve(number));
            for node in chain.turned().chain([chain.effector]) {
                set(&mut self.turned, node, self.steps.len());
            }
            for node in chain.turned() {
                set(&mut self.moved, node, self.steps.len());
            }
        }
    }

    /// Repeats the appends of a level with a source or a joint turned by chains of the level. The level
    /// begins at `start` in the list, and with the share `first`.
    pub(crate) fn append_again(&mut self, nodes: &[RestNode], shares: &[Share], first: usize, start: usize) {
        for (number, share) in shares.iter().enumerate().skip(first) {
            let of_source = if share.is_local() {
                last_of_line(nodes, &self.turned, Some(share.source))
            } else {
                at(&self.turned, share.source)
            };
            if of_source.max(at(&self.turned, share.node)) > start {
                self.push(ScheduleStep::AppendAgain(number));
                set(&mut self.moved, share.node, self.steps.len());
                set(&mut self.turned, share.node, self.steps.len());
                self.see(share.node);
            }
        }
    }

    /// The list, without unneeded recordings of effectors, and the effectors by slot.
    pub(crate) fn finish(self) -> (Vec<ScheduleStep>, Vec<usize>) {
        let steps =
            self.steps.into_iter().zip(self.needed).filter_map(|(step, needed)| needed.then_some(step));
        (steps.collect(), self.effectors)
    }
}

/// The position in the list behind the last move of a node and the nodes above it.
fn last_of_line(nodes: &[RestNode], turns: &[usize], node: Option<usize>) -> usize {
    std::iter::successors(node, |n| parent(nodes, *n)).map(|n| at(turns, n)).max().unwrap_or(0)
}

/// Position in the list noted for a node or a slot; 0 for unknown numbers.
fn at(positions: &[usize], number: usize) -> usize {
    positions.get(number).copied().unwrap_or(0)
}

fn set(positions: &mut [usize], number: usize, position: usize) {
    if let Some(entry) = positions.get_mut(number) {
        *entry = position;
    }
}
