//! Why an operation is not done.

use dopesheet_core::times::NotATime;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use std::fmt;

/// The words of a law of keys.
pub(crate) const A_LAW: &str = "step, linear, or four numbers x1,y1,x2,y2";

/// An operation that is not done.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Its word.
    pub operation: &'static str,
    /// Why.
    pub reason: Reason,
}

/// Reason why an operation makes no sense on a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// A time that the clip does not have.
    Time(NotATime),
    /// A range that ends before it starts.
    Backwards(Ends),
    /// A range that reaches beyond the clip.
    Outside {
        /// The range.
        range: Ends,
        /// Start and end of the clip.
        clip: Ends,
    },
    /// A time between two frames of the clip's grid.
    OffGrid {
        /// The time.
        time: Seconds,
        /// The grid.
        rate: FrameRate,
    },
    /// A factor that is 0, below it, infinite or no number.
    Factor(f64),
    /// Frames were asked for, of a clip that has none.
    NoFrames,
    /// Values that no file can hold.
    TooLarge {
        /// What they are of.
        target: String,
    },
    /// A clip without length, where a length is needed.
    NoLength,
    /// A pattern that nothing of the clip has the name of.
    NothingNamed {
        /// The pattern.
        pattern: String,
        /// The first names that the clip has.
        names: Vec<String>,
        /// Number of further ones.
        more: usize,
    },
    /// A pattern that is none.
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A curve whose law has no halves of its own kind, where it would have to be divided.
    Undividable {
        /// The target that it moves.
        target: String,
        /// Start of what was to stay, if that was not its own.
        start: Option<Seconds>,
        /// End of what was to stay.
        end: Seconds,
    },
    /// Nothing to cut a clip at.
    NoCuts,
    /// A file with several clips, where one is cut.
    SeveralClips(usize),
    /// A text that is no way.
    Way(String),
    /// A turn that is no number of degrees.
    Turn(f64),
    /// Nothing that could be placed elsewhere.
    NoRoot,
    /// Joints of which nobody says where they hang.
    NoHierarchy,
    /// No figure that stands.
    NoStand,
    /// A joint in a space that is scaled unevenly, where a turn would shear it.
    Uneven {
        /// The joint.
        target: String,
    },
    /// Joints that stand in the world each by itself, where a factor would change the lengths of bones.
    NoLengths,
    /// A curve that cannot be turned: angles with slopes, or keys of its axes at different times.
    Unturnable {
        /// The target that it moves.
        target: String,
    },
    /// Nothing that a filter could take jitter out of.
    NothingMoves,
    /// Keys that are further apart than those of captures.
    NotCaptured {
        /// Largest distance of keys that a filter takes.
        apart: Seconds,
    },
    /// A number of repetitions that is 0, or makes more keys than there may be.
    Repeats(usize),
    /// No motion that another one could be put together with.
    NoOthers,
    /// A motion without a clip at a position.
    NoClip {
        /// The position, from 0.
        clip: usize,
        /// Number of clips of the other motion.
        found: usize,
    },
    /// A motion with other frames.
    OtherRate {
        /// Frames of the clip.
        own: Option<FrameRate>,
        /// Frames of the other one.
        other: Option<FrameRate>,
    },
    /// A motion whose poses come on top of rest, and another one whose poses replace it.
    OtherRest,
    /// A motion of another skeleton.
    OtherSkeleton {
        /// The node that the clip's skeleton has elsewhere, or not at all.
        node: String,
    },
    /// A property that two files make of curves of different kinds.
    OtherCurves {
        /// The target that has it.
        target: String,
        /// Its word.
        property: String,
    },
    /// A property that two motions move.
    Taken {
        /// The target that has it.
        target: String,
        /// Its word.
        property: String,
    },
    /// A stretch at the end of a clip that is not above 0, or longer than the clip.
    Stretch {
        /// Its length.
        over: Seconds,
        /// End of the clip.
        end: Seconds,
    },
    /// A point of a map of times that is not later than the one before it, in the old times or in the new ones.
    NotLater {
        /// Its number, from 1.
        point: usize,
    },
    /// So many points of a map of times, which are too few.
    FewPoints(usize),
    /// A range without a key.
    NoKeys(Ends),
    /// A key that would come to the time of another one, or pass it.
    KeysCross {
        /// The target that has them.
        target: String,
        /// Where it would come to.
        at: Seconds,
    },
    /// A curve that would have no keys.
    LastKey {
        /// The target that it moves.
        target: String,
    },
    /// Control points of a timing that would go back in time.
    Handle([f32; 4]),
    /// A text that is no law of keys.
    NotALaw(String),
    /// A marker that the clip does not have.
    NoMarker {
        /// Its name or time.
        marker: String,
        /// Names of those that it has.
        names: Vec<String>,
    },
    /// More keys than there may be.
    TooManyKeys,
    /// Joints or morphs none of which has a partner on the other side.
    NoPairs,
    /// A joint whose rest pose is not the mirror image of its partner's, with curves that are not of whole values.
    Lopsided {
        /// The joint.
        target: String,
    },
    /// Nothing that has the name of a bone in the naming of this word.
    NoBones(&'static str),
    /// A name that something else has already.
    NameTaken {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
}

/// Where something starts and ends, on the grid of its clip if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Where it starts.
    pub start: Seconds,
    /// Where it ends.
    pub end: Seconds,
    /// The frames of the clip.
    pub grid: Option<FrameRate>,
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.grid {
            Some(rate) => write!(f, "{}f:{}f", rate.frame(self.start), rate.frame(self.end)),
            None => write!(f, "{}s:{}s", self.start.0, self.end.0),
        }
    }
}

impl From<NotATime> for Reason {
    fn from(time: NotATime) -> Self {
        Self::Time(time)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => time.fmt(f),
            Self::Backwards(range) => write!(f, "expected a range that ends after it starts, found {range}"),
            Self::Outside { range, clip } => {
                write!(f, "expected a range within the clip, which is {clip}, found {range}")
            }
            Self::OffGrid { time, rate } => {
                let frame = rate.frame(*time);
                let (early, late) = (frame.floor(), frame.ceil());
                write!(f, "expected a time on a frame, found {} s between {early}f and {late}f", time.0)
            }
            Self::Factor(factor) => write!(f, "expected a number above 0, found {factor}"),
            Self::NoFrames => {
                f.write_str("expected a file with frames, found one whose keys may be at any time")
            }
            Self::TooLarge { target } => {
                write!(
                    f,
                    "expected values that files can hold, up to 3.4e38, found larger ones of \"{target}\""
                )
            }
            Self::NoLength => f.write_str("expected a clip that lasts, found one that is a single pose"),
            Self::Repeats(times) => {
                write!(
                    f,
                    "expected a number of times from 1 up, for up to 67 million keys in all, found {times}"
                )
            }
            Self::NotLater { .. } | Self::FewPoints(_) => self.fmt_times(f),
            Self::Stretch { .. }
            | Self::NoKeys(_)
            | Self::KeysCross { .. }
            | Self::LastKey { .. }
            | Self::Handle(_)
            | Self::NothingMoves
            | Self::NotCaptured { .. }
            | Self::NotALaw(_)
            | Self::TooManyKeys => self.fmt_keys(f),
            Self::Undividable { target, start, end } => undividable(f, target, *start, *end),
            Self::NoCuts
            | Self::SeveralClips(_)
            | Self::Way(_)
            | Self::Turn(_)
            | Self::NoRoot
            | Self::NoHierarchy
            | Self::NoStand
            | Self::Uneven { .. }
            | Self::NoLengths
            | Self::Unturnable { .. } => self.fmt_places(f),
            Self::NothingNamed { .. }
            | Self::Pattern { .. }
            | Self::NameTaken { .. }
            | Self::NoMarker { .. }
            | Self::NoBones(_)
            | Self::NoPairs
            | Self::Lopsided { .. } => self.fmt_names(f),
            _ => self.fmt_others(f),
        }
    }
}

fn undividable(
    f: &mut fmt::Formatter<'_>,
    target: &str,
    start: Option<Seconds>,
    end: Seconds,
) -> fmt::Result {
    write!(
        f,
        "expected curves that can be divided, found one of \"{target}\" that has no halves of its own kind "
    )?;
    match start {
        Some(start) => write!(f, "at {} s or {} s", start.0, end.0)?,
        None => write!(f, "at {} s", end.0)?,
    }
    f.write_str("; choose the time of a key, or give it straight keys first (resample)")
}

impl Reason {
    /// The words about maps of times.
    fn fmt_times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLater { point } => write!(
                f,
                "expected points that are later than those before them, in the old times and in the new ones, found that point {point} \
                 is not"
            ),
            Self::FewPoints(found) => {
                write!(f, "expected at least two points, found {}", counted(*found, "point"))
            }
            _ => Ok(()),
        }
    }

    /// The words about single keys.
    fn fmt_keys(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stretch { over, end } => {
                write!(
                    f,
                    "expected a time above 0 and up to the length of the clip, {} s, found {} s",
                    end.0, over.0
                )
            }
            Self::NoKeys(range) => {
                write!(
                    f,
                    "expected a key of those that are meant within {range}, found none; keys insert makes one"
                )
            }
            Self::KeysCross { target, at } => write!(
                f,
                "expected keys to stay apart and in order, found that one of \"{target}\" would come to another one or pass it at {} s",
                at.0
            ),
            Self::LastKey { target } => write!(
                f,
                "expected a key to be left of each curve, found none of \"{target}\"; drop leaves out all of a track"
            ),
            Self::Handle([x1, y1, x2, y2]) => {
                write!(f, "expected control points with times from 0 to 1, found {x1},{y1},{x2},{y2}")
            }
            Self::NothingMoves => {
                f.write_str("expected keys between which something moves, found none in what is meant")
            }
            Self::NotCaptured { apart } => write!(
                f,
                "expected keys closer than {}, as captures have them, found none in what is meant; keys that far apart hold no jitter, and \
                 resample puts one on every frame",
                dopesheet_core::words::time(*apart)
            ),
            Self::NotALaw(found) => write!(f, "expected {}, found {found}", A_LAW),
            Self::TooManyKeys => {
                f.write_str("expected up to 67 million keys in all, found more; take a lower rate")
            }
            _ => Ok(()),
        }
    }

    /// The words about places.
    fn fmt_places(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Way(found) => {
                write!(f, "expected three lengths (1m,0,-20cm; without m, cm or mm in units of the file), found \"{found}\"")
            }
            Self::NoCuts => {
                f.write_str("expected times to cut at, or a clip with markers between its ends, found neither")
            }
            Self::SeveralClips(found) => {
                write!(f, "expected a file with one clip, found {found}; write each into a file of its own first")
            }
            Self::Turn(turn) => write!(f, "expected a number of degrees, found {turn}"),
            Self::NoRoot => f.write_str("expected joints, a camera or a light, found a motion of none of them"),
            Self::NoHierarchy => f.write_str(
                "expected a file that says which joint hangs on which, found one that only names them; convert it with the model it is \
                 for first (-m)",
            ),
            Self::NoStand => f.write_str(
                "expected a figure that stands at some time and has legs with known names, found none; a way up or down needs none",
            ),
            Self::Uneven { target } => write!(
                f,
                "expected nodes above \"{target}\" that scale all axes alike, found others, which a turn would shear; turn it by 0"
            ),
            Self::NoLengths => f.write_str(
                "expected joints that hang on each other, found some that stand in the world each by itself, whose bones --scale would \
                 make longer or shorter; leave --scale out",
            ),
            Self::Unturnable { target } => write!(
                f,
                "expected curves that can be turned, found those of \"{target}\" with slopes of angles, or with keys of its axes at \
                 different times; resample first"
            ),
            _ => Ok(()),
        }
    }

    /// The words about names.
    fn fmt_names(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingNamed { pattern, names, more } => {
                write!(f, "expected the name of something that moves, found \"{pattern}\"")?;
                match (names.is_empty(), more) {
                    (true, _) => Ok(()),
                    (false, 0) => write!(f, "; there are {}", names.join(", ")),
                    (false, more) => write!(f, "; there are {} and {more} more", names.join(", ")),
                }
            }
            Self::Pattern { pattern, fault } => {
                write!(f, "expected a pattern of names, found \"{pattern}\" ({fault})")
            }
            Self::NoMarker { marker, names } => {
                write!(f, "expected the name or the time of a marker, found \"{marker}\"")?;
                match names.is_empty() {
                    true => f.write_str("; the clip has none"),
                    false => write!(f, "; there are {}", names.join(", ")),
                }
            }
            Self::NoBones(naming) => {
                write!(f, "expected names of bones as {naming} has them, found none of them")
            }
            Self::NoPairs => f.write_str(
                "expected names of a left and a right side (左 and 右, Left and Right, _L and _R), found none; say which belong together \
                 with --map",
            ),
            Self::Lopsided { target } => write!(
                f,
                "expected a rest pose that is its own mirror image, or keys of whole rotations and places, found neither at \"{target}\"; \
                 convert the file to glTF first"
            ),
            Self::NameTaken { from, to } => {
                write!(f, "expected a name that nothing else has for \"{from}\", found \"{to}\"")
            }
            _ => Ok(()),
        }
    }

    /// The words about other motions.
    fn fmt_others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOthers => f.write_str(
                "expected another motion: name its file behind the operation, or give several files as input",
            ),
            Self::NoClip { clip, found } => {
                let clips = counted(*found, "clip");
                write!(f, "expected a clip at position {clip} of the other file, which has {clips}; --clip chooses one")
            }
            Self::OtherRate { own, other } => {
                let [own, other] = [own, other].map(|rate| match rate {
                    Some(rate) => rate.to_string(),
                    None => "no frames".to_owned(),
                });
                write!(f, "expected a motion with {own} as the first one, found {other}; resample one of them first")
            }
            Self::OtherRest => f.write_str(
                "expected motions of the same kind of format, found poses on top of rest and poses that replace it; \
                 convert one of them first",
            ),
            Self::OtherSkeleton { node } => write!(
                f,
                "expected the skeleton of the first file, found \"{node}\", which has no place in it; rename it, or retarget \
                 the motion first"
            ),
            Self::OtherCurves { target, property } => write!(
                f,
                "expected the {property} of \"{target}\" to be made of the same kinds of curves in all files, found others; \
                 convert one of them first"
            ),
            Self::Taken { target, property } => write!(
                f,
                "expected motions of different things, found the {property} of \"{target}\" in both; drop it from one of them first"
            ),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Refused {}

impl std::error::Error for Reason {}
