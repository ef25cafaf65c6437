//! Stands of the feet and hands of a human figure.

use super::sample::{SampleOptions, scene_to_sample};
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Hierarchy, HumanBone};
use dopesheet_core::units::Seconds;
use dopesheet_human::{ContactLimits, Vocabulary, contacts as find, propose_by};

/// A time during which a foot, the ball of a foot or a hand stays on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Stand {
    /// Ankle (`leftFoot`), ball (`leftToes`) or wrist (`leftHand`), of either side.
    pub bone: HumanBone,
    /// Name of its node.
    pub joint: String,
    /// First time of the contact.
    pub start: Seconds,
    /// Last time of the contact.
    pub end: Seconds,
}

/// The stands of the human figure of a clip, by bone and then by time, as [`contacts`](fn@find) of the motion
/// crate finds them with its usual limits: on the frames of the clip, or 60 times a second. `options` choose
/// clip and model; their times, axes and space do not count. `names` of `options` map nodes to bones if there
/// is no model; a `vocabulary`, if given, is the only one tried.
///
/// # Errors
/// [`Error::Usage`] if there is no clip, the hierarchy is unknown, or there is no human figure with legs.
pub fn contacts(
    opened: &Opened,
    options: &SampleOptions<'_>,
    vocabulary: Option<Vocabulary>,
) -> Result<Vec<Stand>, Error> {
    let usage = |expected: &str, found: &str| Error::Usage(format!("expected {expected}, found {found}"));
    let mut scene = scene_to_sample(opened, options)?;
    let Some(clip) = options.clip.take(&mut scene)? else {
        return Err(usage("a motion", "a file without one"));
    };
    if scene.hierarchy == Hierarchy::Unknown {
        return Err(usage("a hierarchy for contacts with the ground", "a motion alone; give its model"));
    }
    let nothing = NameMap::default();
    let names = if options.model.is_some() { &nothing } else { &options.names };
    let figure = propose_by(&scene, names, vocabulary).humanoid;
    let Some(contacts) = find(&scene, &figure, &clip, &ContactLimits::default()) else {
        let missing: Vec<&str> = figure.missing().into_iter().map(HumanBone::word).collect();
        let missing_bones = format!("none with legs; bones that are missing: {}", missing.join(", "));
        return Err(usage(&format!("a human figure in {}", opened.name), &missing_bones));
    };
    let joint = |node| scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
    let stands = contacts.stands.into_iter();
    Ok(stands
        .map(|stand| Stand { bone: stand.bone, joint: joint(stand.node), start: stand.start, end: stand.end })
        .collect())
}
