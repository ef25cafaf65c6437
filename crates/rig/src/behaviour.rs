//! Programs for a solver to follow, where programs disagree.

/// The most rounds of one chain and pose, even if a file asks for more.
///
/// MikuMikuDance itself has been seen to run 720; the value leaves room above and bounds the solving time of
/// any file.
pub const MAX_ROUNDS: u32 = 1024;

/// The program to follow in inverse kinematics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Behaviour {
    /// MikuMikuDance 9.32, as seen in its results on small rigs.
    #[default]
    Mmd,
    /// babylon-mmd 1.3: runs the rounds of the file, and brings all joints up to date before each chain.
    Babylon,
}

/// Rule for an effector already in the direction of the goal as seen from a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aligned {
    /// The chain is done.
    Ends,
    /// The next link has its turn.
    Continues,
}

impl Behaviour {
    /// Rounds of a chain with `authored` rounds in the file and a step of `step_rad`.
    ///
    /// MikuMikuDance runs enough rounds for two full turns of the first link, up to 360, where the file asks
    /// for fewer. babylon-mmd runs the rounds of the file up to 256.
    pub(crate) fn rounds(self, authored: u32, step_rad: f64) -> u32 {
        match self {
            Self::Babylon => authored.min(256),
            Self::Mmd => {
                let enough = (4.0 * std::f64::consts::PI / step_rad).clamp(0.0, 360.0).floor();
                authored.max(whole(enough)).min(MAX_ROUNDS)
            }
        }
    }

    /// True if a chain starts from the effector's position at the effector's own turn, even if a link above
    /// the effector has moved since.
    ///
    /// In MikuMikuDance this turns ankles about the direction of the foot, because the toe was placed before
    /// the leg bent.
    pub(crate) fn sees_effector_of_its_turn(self) -> bool {
        self == Self::Mmd
    }

    /// True if an effector loses its own append as soon as a chain moves the effector.
    pub(crate) fn leaves_out_append_of_effector(self) -> bool {
        self == Self::Mmd
    }

    /// True if the joints of a level have their turns in three passes: all appends, all chains, then once
    /// more the appends with a source turned by a chain. Otherwise each joint has a single turn for its
    /// append and its chains.
    pub(crate) fn solves_levels_in_passes(self) -> bool {
        self == Self::Mmd
    }

    /// True if a link with a fixed axis turns only about the fixed axis while a chain is solved.
    pub(crate) fn keeps_fixed_axes(self) -> bool {
        self == Self::Mmd
    }

    pub(crate) fn when_aligned(self) -> Aligned {
        match self {
            Self::Mmd => Aligned::Ends,
            Self::Babylon => Aligned::Continues,
        }
    }
}

/// A number between 0 and 360 without fraction.
fn whole(rounds: f64) -> u32 {
    (0..=360).rev().find(|n| f64::from(*n) <= rounds).unwrap_or(0)
}
