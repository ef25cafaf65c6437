//! Verdict on a motion that was put onto a figure.

use crate::order::by_number;
use crate::units::Seconds;
use crate::words::time;
use std::collections::HashSet;
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

/// Kind of a measure of a figure that took another figure's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeasureKind {
    /// Angle in radians between both figures' upper arms or forearms.
    Arms,
    /// Angle in radians between both figures' thighs or shins, with the foot in the air.
    FreeLegs,
    /// The same angle with the foot on the ground, where it may be held.
    StandingLegs,
    /// Angle in radians between both figures' lines from the hips to the neck or the head, or necks.
    Trunk,
    /// Angle in radians between both figures' lines from the ankle to the ball of the foot.
    Feet,
    /// Angle in radians by which forearms, hands or the head are turned about their own axes.
    Twist,
    /// Way in metres that a foot slides while the source's stands, beyond the source's.
    Slides,
    /// Height in metres of a standing sole above or below the source's and the ground.
    Soles,
    /// Depth in metres of the lowest point of the body below the floor, beyond the source's.
    Depth,
    /// Speed in radians per second at which a knee or an elbow bends, beyond the source's.
    Bends,
}

/// Words and limits of a kind of measures.
#[derive(Clone, Copy, Debug)]
pub struct MeasureInfo {
    /// The kind.
    pub kind: MeasureKind,
    /// Word in JSON.
    pub id: &'static str,
    /// Unit of values in JSON.
    pub unit: &'static str,
    /// Largest value of a good motion.
    pub good: f64,
    /// Value from which on the motion is bad.
    pub bad: f64,
}

const fn degrees(kind: MeasureKind, id: &'static str, good: f64, bad: f64) -> MeasureInfo {
    MeasureInfo { kind, id, unit: "rad", good: good.to_radians(), bad: bad.to_radians() }
}

const fn metres(kind: MeasureKind, id: &'static str, good: f64, bad: f64) -> MeasureInfo {
    MeasureInfo { kind, id, unit: "m", good, bad }
}

/// All kinds of measures with their limits, for which docs/retargeting.md gives the reasons.
pub const MEASURES: [MeasureInfo; 10] = [
    degrees(MeasureKind::Arms, "arms", 5.0, 30.0),
    degrees(MeasureKind::FreeLegs, "free-legs", 5.0, 30.0),
    degrees(MeasureKind::StandingLegs, "standing-legs", 15.0, 45.0),
    degrees(MeasureKind::Trunk, "trunk", 18.0, 45.0),
    degrees(MeasureKind::Feet, "feet", 25.0, 60.0),
    degrees(MeasureKind::Twist, "twist", 30.0, 120.0),
    metres(MeasureKind::Slides, "slides", 0.02, 0.1),
    metres(MeasureKind::Soles, "soles", 0.03, 0.1),
    metres(MeasureKind::Depth, "depth", 0.03, 0.15),
    MeasureInfo { unit: "rad/s", ..degrees(MeasureKind::Bends, "bends", 300.0, 1500.0) },
];

impl MeasureKind {
    /// Words and limits of the kind.
    #[must_use]
    pub fn info(self) -> MeasureInfo {
        let [first, ..] = MEASURES;
        MEASURES.into_iter().find(|info| info.kind == self).unwrap_or(first)
    }
}

/// Largest value of a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Kind of the measure, which gives the unit of its values.
    pub kind: MeasureKind,
    /// Word of the bone with the largest value.
    pub bone: String,
    /// Time of the largest value; of a slide, the start of the stand.
    pub time: Seconds,
    /// The largest value; of soles, the height farthest from 0, negative below the ground.
    pub value: f64,
    /// The bone's smallest value at any time: close to the largest of a bone built otherwise.
    pub least: f64,
    /// The source's own slide or depth, in metres of a figure with legs as long; 0 of other kinds.
    pub source: f64,
}

impl Measure {
    /// The value that counts against limits: of soles, the distance from the ground.
    #[must_use]
    pub fn size(&self) -> f64 {
        if self.kind == MeasureKind::Soles { self.value.abs() } else { self.value }
    }

    /// The value as a share of the largest good value.
    fn share(&self) -> f64 {
        self.size() / self.kind.info().good
    }

    /// Side of a foot that slides, hovers or sinks.
    fn foot(&self) -> Option<&str> {
        let side = self.bone.strip_suffix("Foot").or_else(|| self.bone.strip_suffix("Toes"));
        side.filter(|_| self.kind.info().unit == "m")
    }

    /// The value without bone and time: `7.2°`, `4 mm`, `120°/s`.
    #[must_use]
    pub fn amount(&self) -> String {
        let degrees = self.value.to_degrees();
        match self.kind.info().unit {
            // A sum with zero has no sign where it is zero.
            "m" => format!("{} mm", (self.value * 1e4).round() / 10.0 + 0.0),
            "rad/s" => format!("{degrees:.0}°/s"),
            _ => format!("{degrees:.1}°"),
        }
    }
}

/// Share of the largest angle from which on the smallest angle shows a bone that is off throughout.
const THROUGHOUT: f64 = 0.6;

impl fmt::Display for Measure {
    /// The measure as a complaint: `left foot slides 4 cm from 1.2 s on (1 cm in the source)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use MeasureKind as K;
        let (bone, source) = (spaced(&self.bone), length(self.source.abs()));
        let (angle, at) = (self.value.to_degrees(), time(self.time));
        let total = self.value + self.source;
        let ending = if bone.ends_with('s') { "" } else { "s" };
        match self.kind {
            K::StandingLegs => write!(f, "{bone} turned {angle:.0}° to hold its foot at {at}"),
            K::Twist => write!(f, "{bone} twisted by {angle:.0}° at {at}"),
            K::Slides => {
                write!(f, "{bone} slide{ending} {} from {at} on ({source} in the source)", length(total))
            }
            K::Soles if self.value < 0.0 => {
                write!(f, "{bone} stand{ending} {} below the floor at {at}", length(-self.value))
            }
            K::Soles => write!(f, "{bone} stand{ending} {} above the floor at {at}", length(self.value)),
            K::Depth if total <= 0.0 => {
                write!(f, "{bone} {} nearer to the floor than in the source at {at}", length(self.value))
            }
            K::Depth if self.source > 0.0 => {
                write!(f, "{bone} {} below the floor at {at} ({source} in the source)", length(total))
            }
            K::Depth => write!(f, "{bone} {} below the floor at {at}", length(total)),
            K::Bends => write!(f, "{bone} bends {angle:.0}° a second faster than in the source at {at}"),
            _ if self.least >= THROUGHOUT * self.value => write!(f, "{bone} {angle:.0}° off throughout"),
            _ => write!(f, "{bone} {angle:.0}° off at {at}"),
        }
    }
}

/// A length as an eye sees it: `4 mm`, `14 cm`, `1.2 m`.
fn length(metres: f64) -> String {
    match metres.abs() {
        0.0..0.01 => format!("{:.0} mm", metres * 1e3),
        0.01..1.0 => format!("{:.0} cm", metres * 1e2),
        _ => format!("{metres:.1} m"),
    }
}

/// The word of a bone in plain words: `left upper arm` of `leftUpperArm`.
fn spaced(bone: &str) -> String {
    let letters = bone.chars().flat_map(|letter| {
        let gap = letter.is_ascii_uppercase().then_some(' ');
        gap.into_iter().chain(std::iter::once(letter.to_ascii_lowercase()))
    });
    letters.collect()
}

/// A motion on another figure, as one sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// Poses, feet and floor are as in the source.
    Good,
    /// Something differs enough to be looked at.
    LookAtIt,
    /// Something is wrong.
    Bad,
}

impl Judgement {
    /// The judgement in words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::LookAtIt => "look at it",
            Self::Bad => "bad",
        }
    }
}

/// Verdict on a motion that another figure took, measured on the written motion at the source's frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Position of the clip in its scene.
    pub clip: usize,
    /// Largest values, one of each kind that both figures have.
    pub measures: Vec<Measure>,
}

impl Verdict {
    /// The judgement.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        let is_bad = |measure: &Measure| measure.size() > measure.kind.info().bad;
        match self.complaints().is_empty() {
            true => Judgement::Good,
            false if self.measures.iter().any(is_bad) => Judgement::Bad,
            false => Judgement::LookAtIt,
        }
    }

    /// The measures over their limits, that farthest beyond its limit first.
    #[must_use]
    pub fn complaints(&self) -> Vec<&Measure> {
        let mut over: Vec<&Measure> =
            self.measures.iter().filter(|measure| measure.size() > measure.kind.info().good).collect();
        by_number(&mut over, |measure| -measure.share());
        over
    }

    /// The measure that is farthest beyond its limit, or nearest to it; `None` without any.
    #[must_use]
    pub fn worst(&self) -> Option<&Measure> {
        self.measures.iter().max_by(|a, b| a.share().total_cmp(&b.share()))
    }

    /// Reason for the judgement: at most two complaints, or the qualities of a good motion. A foot that is off the
    /// ground complains once, by the measure farthest beyond its limit.
    #[must_use]
    pub fn reason(&self) -> String {
        let mut complaints = self.complaints();
        let mut feet = HashSet::new();
        complaints.retain(|measure| measure.foot().is_none_or(|side| feet.insert(side)));
        match complaints.as_slice() {
            [] => self.praise(),
            [only] => only.to_string(),
            [first, second] => format!("{first}, {second}"),
            [first, second, others @ ..] => format!("{first}, {second}, and {} more", others.len()),
        }
    }

    fn praise(&self) -> String {
        let mut praise = "poses as in the source".to_owned();
        if self.measure(MeasureKind::Slides).is_some() {
            praise.push_str(", feet stand still");
        }
        if let Some(depth) = self.measure(MeasureKind::Depth) {
            praise.push_str(&match depth.value + depth.source {
                on_floor if on_floor <= ON_FLOOR_M => ", nothing below the floor".to_owned(),
                deep => format!(", nothing deeper below the floor than {}", length(deep)),
            });
        }
        praise
    }

    /// The measure of a kind.
    #[must_use]
    pub fn measure(&self, kind: MeasureKind) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.kind == kind)
    }

    /// True if no value is over the limit that `limit` gives its kind.
    #[must_use]
    pub fn is_within(&self, limit: impl Fn(MeasureInfo) -> f64) -> bool {
        !self.measures.iter().any(|measure| measure.size() > limit(measure.kind.info()))
    }

    /// All measures in words, with bones and times.
    #[must_use]
    pub fn numbers(&self) -> String {
        let words = |measure: &Measure| {
            let (id, amount) = (measure.kind.info().id.replace('-', " "), measure.amount());
            format!("{id} {amount} ({} at {})", measure.bone, time(measure.time))
        };
        self.measures.iter().map(words).collect::<Vec<_>>().join(", ")
    }
}

/// Depth in metres up to which nothing is said to be below the floor.
const ON_FLOOR_M: f64 = 0.01;

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.judgement().word(), self.reason())
    }
}
