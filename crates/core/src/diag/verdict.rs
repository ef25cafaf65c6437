//! Verdict on a motion that was put onto a figure.

use crate::units::Seconds;
use std::fmt;

/// A stand of a foot or a hand, and its slide when another figure takes the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Slide {
    /// Position of the clip in its scene.
    pub clip: usize,
    /// The bone whose joint stands: `leftFoot` an ankle or heel, `leftToes` a ball, `leftHand` a wrist.
    pub bone: String,
    /// First and last time of the stand in the source.
    pub stand: [Seconds; 2],
    /// Largest distance on the ground from the start of the stand, in metres, with nothing held.
    pub before_m: f64,
    /// The same distance in the written motion.
    pub after_m: f64,
}

/// A limb of a figure that took another figure's motion, and the largest angle between both limbs.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// Word of the bone.
    pub bone: String,
    /// Largest angle between both limbs, in radians.
    pub angle_rad: f64,
    /// Time of the largest angle.
    pub time: Seconds,
}

/// Depth in metres from which on a figure is said to sink: hands and feet of figures as tall differ in length by
/// about as much.
const SUNK_M: f64 = 0.03;

/// Lowest points of a figure and of the source of its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowest {
    /// Height of the lowest joint, bone end or sole above the ground, in metres.
    pub height_m: f64,
    /// Its bone.
    pub bone: String,
    /// Its time.
    pub time: Seconds,
    /// Height of the source's lowest point above zero, in metres of a figure with legs as long.
    pub source_m: f64,
}

impl fmt::Display for Lowest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |height: f64| {
            let height = (height * 1e3).round();
            format!("{} mm {}", height.abs(), if height < 0.0 { "below" } else { "above" })
        };
        let [height, source] = [self.height_m, self.source_m].map(words);
        write!(f, "lowest point {height} the ground ({} at {:.3} s; ", self.bone, self.time.0)?;
        write!(f, "the source's {source})")
    }
}

/// Verdict on a motion that another figure took, measured on the written motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Position of the clip in its scene.
    pub clip: usize,
    /// Number of limbs that both figures have.
    pub limbs: usize,
    /// Largest angle between corresponding arms and legs that point the same way, in radians.
    pub within_rad: f64,
    /// The same of feet, hands, shoulders, the neck and the trunk.
    pub trunk_within_rad: f64,
    /// Limbs that do not point the same way, the limb farthest off first.
    pub off: Vec<Limb>,
    /// True if standing feet are held, for which legs may point elsewhere.
    pub legs_are_held: bool,
    /// Height of the lowest and of the highest sole above the ground during stands, in metres; `None` without
    /// stands.
    pub soles_m: Option<[f64; 2]>,
    /// Bone and time of the sole farthest from the ground; `None` without stands.
    pub sole_at: Option<(String, Seconds)>,
    /// Largest slide of a stand without and with holding, in metres; `None` without held stands.
    pub slides_m: Option<[f64; 2]>,
    /// Lowest points of both figures.
    pub lowest: Lowest,
}

impl Verdict {
    /// Depth in metres of the lowest point below the ground; beyond the source's depth if soles are measured,
    /// which show the source's ground. 0 of up to 3 cm.
    #[must_use]
    pub fn sunk_m(&self) -> f64 {
        let allowed = if self.soles_m.is_some() { self.lowest.source_m.min(0.0) } else { 0.0 };
        Some(allowed - self.lowest.height_m).filter(|depth| *depth > SUNK_M).unwrap_or(0.0)
    }

    /// True if the verdict in words names the lowest points: of a figure that sinks, or without soles.
    #[must_use]
    pub fn names_lowest(&self) -> bool {
        self.soles_m.is_none() || self.sunk_m() > 0.0
    }

    /// Limbs that are off, except legs of held feet.
    pub fn astray(&self) -> impl Iterator<Item = &Limb> {
        self.off.iter().filter(|limb| !self.is_held(limb))
    }

    /// The leg of a held foot that is farthest off.
    #[must_use]
    pub fn held(&self) -> Option<&Limb> {
        self.off.iter().find(|limb| self.is_held(limb))
    }

    /// Bone and time at which to look first: the limb that is off most, else the sole that is farthest from the ground, else the leg of a
    /// held foot that is off most; `None` where nothing is off and nothing stands.
    #[must_use]
    pub fn worst(&self) -> Option<(&str, Seconds)> {
        let astray = self.astray().next().map(|limb| (limb.bone.as_str(), limb.time));
        let sole = self.sole_at.as_ref().map(|(bone, time)| (bone.as_str(), *time));
        astray.or(sole).or_else(|| self.held().map(|limb| (limb.bone.as_str(), limb.time)))
    }

    /// Height of the soles in words: `soles 0 to 3 mm above the ground`.
    #[must_use]
    pub fn soles(&self) -> Option<String> {
        // A sum with zero has no sign where it is zero.
        let [low, high] = self.soles_m?.map(|height| (height * 1e3).round() + 0.0);
        Some(match high < 0.0 {
            true => format!("soles {} to {} mm below the ground", -high, -low),
            false => format!("soles {low} to {high} mm above the ground"),
        })
    }

    fn is_held(&self, limb: &Limb) -> bool {
        self.legs_are_held && ["Leg", "Foot"].iter().any(|part| limb.bone.ends_with(part))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is within an angle is within the next tenth of a degree.
        let degrees = |angle_rad: f64| (angle_rad.to_degrees() * 10.0).ceil() / 10.0;
        let (within, astray) = (self.limbs.saturating_sub(self.off.len()), self.astray().count());
        match (within == self.limbs, astray) {
            (true, _) => write!(f, "all {within} limbs")?,
            (false, 0) => write!(f, "{within} limbs")?,
            (false, _) => write!(f, "{within} of {} limbs", self.limbs)?,
        }
        write!(f, " within {:.1}° of the source", degrees(self.within_rad))?;
        if self.trunk_within_rad > self.within_rad {
            write!(f, " (trunk, feet and hands {:.1}°)", degrees(self.trunk_within_rad))?;
        }
        if let Some(limb) = self.held() {
            let count = self.off.len().saturating_sub(astray);
            write!(f, ", {count} of standing legs within {:.1}°", degrees(limb.angle_rad))?;
        }
        if let Some(limb) = self.astray().next() {
            write!(f, ", {} {:.1}° off at {:.3} s", limb.bone, limb.angle_rad.to_degrees(), limb.time.0)?;
            if astray > 1 {
                write!(f, " and {} more off", astray - 1)?;
            }
        }
        if let Some(soles) = self.soles() {
            write!(f, "; {soles}")?;
        }
        if self.names_lowest() {
            write!(f, "; {}", self.lowest)?;
        }
        match self.slides_m {
            Some([before, after]) => {
                write!(f, "; what stands slides {:.1} mm ({:.1} mm if not held)", after * 1e3, before * 1e3)
            }
            None => Ok(()),
        }
    }
}
