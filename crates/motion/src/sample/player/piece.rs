//! What has to be played for one joint or one channel alone.

/// Something that is played as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    /// Eight channels of [`Rows`](super::rows::Rows): which rows, which of their blocks, and their keys.
    Rows { rows: u32, block: u32, knots: u32 },
    /// Eight channels of [`Lanes`](super::lanes::Lanes): which kind, which block, and the keys of one lane.
    Lane { kind: u8, block: u32, knots: u32 },
    /// A channel of the reference evaluator.
    Exact(u32),
}

impl Piece {
    /// Which list of key times it needs.
    pub(super) const fn knots(self) -> Option<usize> {
        match self {
            Self::Rows { knots, .. } | Self::Lane { knots, .. } => Some(knots as usize),
            Self::Exact(_) => None,
        }
    }
}

/// The pieces of every joint, then of every slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    joints: usize,
    /// Where each one's pieces start in `all`, and where the last one's end.
    starts: Box<[u32]>,
    all: Box<[Piece]>,
}

impl Pieces {
    /// From pairs of an owner, joints before slots, and a piece of it.
    pub(super) fn new(joints: usize, owners: usize, mut owned: Vec<(usize, Piece)>) -> Self {
        owned.sort_unstable();
        owned.dedup();
        let starts = (0..=owners).map(|owner| owned.partition_point(|(of, _)| *of < owner) as u32).collect();
        Self { joints, starts, all: owned.into_iter().map(|(_, piece)| piece).collect() }
    }

    pub(super) fn of_joint(&self, joint: usize) -> &[Piece] {
        if joint < self.joints { self.of(joint) } else { &[] }
    }

    pub(super) fn of_slot(&self, slot: usize) -> &[Piece] {
        self.joints.checked_add(slot).map_or(&[], |owner| self.of(owner))
    }

    fn of(&self, owner: usize) -> &[Piece] {
        let range = self.starts.get(owner..).and_then(|starts| match starts {
            [start, end, ..] => self.all.get(*start as usize..*end as usize),
            _ => None,
        });
        range.unwrap_or_default()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.all)
    }
}
