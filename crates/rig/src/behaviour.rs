//! Programs whose answers a solver gives, where programs disagree.

/// The most rounds of one chain and pose, whatever a file asks for.
///
/// MikuMikuDance itself has been seen to run 720; the value leaves room above and bounds the time that a file can
/// take.
pub const MAX_ROUNDS: u32 = 1024;

/// Program whose inverse kinematics is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Behaviour {
    /// MikuMikuDance 9.32, as seen in its results on small rigs.
    #[default]
    Mmd,
    /// babylon-mmd 1.3, whose rounds are those of the file and whose joints are all up to date when a chain starts.
    Babylon,
}

/// Rule for an effector that already lies in the direction of the goal as seen from a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aligned {
    /// The chain is done.
    Ends,
    /// The next link has its turn.
    Continues,
}

impl Behaviour {
    /// Rounds that a chain runs whose file says `authored` and whose step is `step_rad`.
    ///
    /// MikuMikuDance runs enough rounds for two full turns of the first link, up to 360, where the file asks for
    /// fewer. babylon-mmd runs what the file says up to 256.
    pub(crate) fn rounds(self, authored: u32, step_rad: f64) -> u32 {
        match self {
            Self::Babylon => authored.min(256),
            Self::Mmd => {
                let enough = (4.0 * std::f64::consts::PI / step_rad).clamp(0.0, 360.0).floor();
                authored.max(whole(enough)).min(MAX_ROUNDS)
            }
        }
    }

    /// True if an effector that has had its turn before a link above it moved is first seen where it was
    /// then.
    ///
    /// In MikuMikuDance this turns ankles about the direction of the foot, because the toe was placed before the leg
    /// bent.
    pub(crate) fn sees_effector_of_its_turn(self) -> bool {
        self == Self::Mmd
    }

    /// True if an effector that a chain has moved is without its own append from then on.
    pub(crate) fn leaves_out_append_of_effector(self) -> bool {
        self == Self::Mmd
    }

    /// True if the joints of a level have their turns in three passes: all appends, all chains, then once more those
    /// appends whose source a chain has turned. Otherwise each joint has one turn for all.
    pub(crate) fn solves_levels_in_passes(self) -> bool {
        self == Self::Mmd
    }

    /// True if a link with a fixed axis turns about that axis only while a chain is solved.
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
