//! Codes of the findings of conversions, and conversions that are refused because of a finding.

use super::ConversionReport;
#[cfg(feature = "gltf")]
use super::avatar::{PLAYERS, TERMS};
use super::bones::NOTHING_TO_SEE;
use super::scene::{NOTHING_MOVES, REST_ASSUMED, SCALED_AWAY, UNIT_UNKNOWN};
use super::stature::FIGURE_HEIGHT;
use crate::convert::figure::doubtful::{FIGURE_BY_SHAPE, FIGURE_LIES};
use crate::convert::figure::onto::{FIGURE_SHAPE, HANDS_IN_BODY, SEVERAL_PERSONS};
use crate::convert::figure::witness::FIRST_FRAME;
use crate::error::Error;
use crate::models::vocabularies::OTHER_VOCABULARY;
use crate::registry;
use dopesheet_core::diag::{Loss, Severity};
use dopesheet_core::format::{Check, WRITTEN_ANEW};
use dopesheet_human::NOT_LIKE_THE_SOURCE;
use dopesheet_human::RIG_OFF;
use dopesheet_motion::bind::{ROOT_SCALE, UNBOUND_TRACK};
use dopesheet_motion::sample::rig::{RIG_CYCLE, RIG_ROUNDS};

/// Codes of the findings of conversions, in addition to the codes of the formats.
pub const CONVERSION_CHECKS: &[Check] = &[
    warning(
        "avatar-missing",
        "Muscles of a humanoid move joints only by an avatar, which the file does not have.",
    ),
    warning(
        "bound-far",
        "What is measured is within the tolerance, but all that is proved is a bound of more than ten times that.",
    ),
    info("english-name-missing", "A name has no English form in the source or its model, and stays."),
    info("english-name-repeated", "Several things have one English name; they are numbered."),
    warning(
        "feet-not-held",
        "A motion was smoothed whose legs are not known, or have no keys: feet that stand may slide.",
    ),
    warning(
        FIGURE_BY_SHAPE,
        "No names tell the bones of a human figure; they are those by its shape, as sure as the message says.",
    ),
    info(FIGURE_HEIGHT, "A human figure is so tall or small that its unit of length is likely another one."),
    warning(
        FIGURE_LIES,
        "The figure that takes a motion lies at rest, by its nodes or its axes, and performs lying.",
    ),
    warning(
        FIGURE_SHAPE,
        "Bones of a human figure, found by their names, lie where a body has none; they may be others.",
    ),
    info(
        FIRST_FRAME,
        "The first frame of a motion holds the figure's rest pose; it stays, but is neither a stand nor judged.",
    ),
    info(
        HANDS_IN_BODY,
        "Hands pass into the body of the figure that takes the motion, which is a capsule as broad as its trunk.",
    ),
    warning(
        "hierarchy-unknown",
        "A motion alone does not say which node hangs on which; they stand side by side.",
    ),
    info("model-assumed", "The standard model stands for the model that the motion does not name."),
    warning(
        "model-missing",
        "A human figure needs a model with the bones of MikuMikuDance to become keys of its bones.",
    ),
    warning(
        NOT_LIKE_THE_SOURCE,
        "On another figure a motion is bad: a limb points elsewhere than in the source, a sole is not on the ground, a part is below it, a foot slides, or a joint bends much faster.",
    ),
    warning(
        NOTHING_MOVES,
        "The result has no motion that players of its format show, although the source has some.",
    ),
    warning(
        NOTHING_TO_SEE,
        "A skeleton without a mesh is nothing that viewers show; --show-bones gives it one.",
    ),
    info(OTHER_VOCABULARY, "The bones of a model have other names than the motion's, which is put onto it."),
    warning(
        REST_ASSUMED,
        "The format states no rest pose: that of a motion without a model is taken from its first keys.",
    ),
    warning(
        RIG_CYCLE,
        "Joints of the model's rig take over each other's motion in a circle; the first to have its turn takes its source's keys only.",
    ),
    warning(
        RIG_OFF,
        "The rig of a model brings its hands, feet or head elsewhere than the motion that was put onto it.",
    ),
    warning(
        RIG_ROUNDS,
        "A chain of the model's rig asks for more rounds than any program runs or a pose may cost; it ends early.",
    ),
    warning(
        ROOT_SCALE,
        "A clip sets the scale of a root to another one than the model has, and so resizes the model.",
    ),
    warning(
        SCALED_AWAY,
        "A clip scales a node to 0 at every key, and so hides it with everything below, although the node has a size at rest.",
    ),
    info(SEVERAL_PERSONS, "A file has several human figures, of which the first is taken."),
    warning(
        TOLERANCE_EXCEEDED,
        "Something stays farther off than the tolerance with all keys that were tried.",
    ),
    warning(UNIT_UNKNOWN, "The source does not say how long its unit is: lengths count as metres."),
    warning(
        UNBOUND_TRACK,
        "The motion moves something that the model or the target does not have; a remark if bones of human figures are not concerned.",
    ),
    #[cfg(feature = "gltf")]
    warning(PLAYERS, "The motion is in the avatar itself, where players of VRM do not look for one."),
    #[cfg(feature = "gltf")]
    warning(TERMS, "The author of an avatar prohibits that it is changed or handed on."),
    warning(WRITTEN_ANEW, "An edit wrote the file anew, without what it held besides its motion."),
];

/// Code of the finding that the tolerance cannot be kept.
pub const TOLERANCE_EXCEEDED: &str = "tolerance-exceeded";

/// Words for all losses of one kind, accepted in place of codes.
const LOSSES: [&str; 2] = ["approximated", "dropped"];

const fn warning(code: &'static str, about: &'static str) -> Check {
    Check { code, severity: Severity::Warning, about }
}

const fn info(code: &'static str, about: &'static str) -> Check {
    Check { code, severity: Severity::Info, about }
}

/// Codes of losses that make a conversion fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForbiddenLosses(Vec<String>);

impl ForbiddenLosses {
    /// Reads a comma-separated list of codes of findings, `approximated` for anything inexact, or `dropped`
    /// for anything missing.
    ///
    /// # Errors
    /// [`Error::Usage`] if a code does not exist.
    pub fn parse(list: &str) -> Result<Self, Error> {
        let codes: Vec<String> = list.split(',').map(|code| code.trim().to_owned()).collect();
        let formats = registry::formats().iter().flat_map(|format| format.info().checks);
        let codes_and_losses: Vec<&str> =
            formats.chain(CONVERSION_CHECKS).map(|check| check.code).chain(LOSSES).collect();
        match codes.iter().find(|code| !codes_and_losses.contains(&code.as_str())) {
            Some(code) => Err(Error::Usage(format!(
                "expected dropped, approximated or a code such as hierarchy-unknown, found \"{code}\"; docs/checks.md lists all codes"
            ))),
            None => Ok(Self(codes)),
        }
    }

    /// The same codes and another.
    #[must_use]
    pub fn and(mut self, code: &str) -> Self {
        self.0.push(code.to_owned());
        self
    }

    /// Refuses a conversion with a forbidden loss.
    ///
    /// # Errors
    /// [`Error::Forbidden`] with the first loss found.
    pub fn check(&self, report: &ConversionReport) -> Result<(), Error> {
        let findings = report.report.findings.iter().map(|f| (f.fault.code, f.fault.to_string()));
        let mut all = findings.chain(report.report.losses.iter().filter_map(described));
        match all.find(|(code, _)| self.0.iter().any(|forbidden| forbidden == code)) {
            Some((code, what)) => Err(Error::Forbidden { code, what }),
            None => Ok(()),
        }
    }
}

/// Word for the loss of an item that is not kept, and a description of the item.
fn described(loss: &Loss) -> Option<(&'static str, String)> {
    let text = loss.to_string();
    let text = text.strip_prefix(loss.word())?.trim_start_matches(": ").to_owned();
    (!matches!(loss, Loss::Kept { .. } | Loss::KeptAsData { .. })).then_some((loss.word(), text))
}
