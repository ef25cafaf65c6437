//! Where a value is beside a straight way.

use glam::DVec3;

/// A way at constant speed by its ends: how far it is from a value at two times.
pub(crate) type Ends = [DVec3; 2];

/// Where a value is, between two times, beside a way at constant speed: within a ball.
///
/// Three numbers are beside it by the difference. A rotation is by an angle in radians about an axis in the space that it leads
/// to; the ball is that of such turns. Of other values only the distance is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beside {
    /// The middle of the ball; zero where only the distance is known.
    pub(crate) centre: DVec3,
    /// Above or equal to 0.
    pub(crate) radius: f64,
    /// How far the way's ends are from the value in other directions than the one in which that moves.
    pub(crate) off: f64,
}

impl Beside {
    pub(crate) const NOWHERE: Self = Self { centre: DVec3::ZERO, radius: 0.0, off: 0.0 };

    /// Of a value that goes at constant speed, too.
    pub(crate) fn straight([from, to]: Ends) -> Self {
        let off = from.length_squared().max(to.length_squared()).sqrt();
        Self { centre: -0.5 * (from + to), radius: 0.5 * from.distance(to), off }
    }

    /// How far the value is beside the way, at most.
    pub(crate) fn most(&self) -> f64 {
        self.centre.length() + self.radius
    }
}
