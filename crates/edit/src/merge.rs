//! Play several motions at once.

use crate::others::{adopted, numbered};
use crate::refused::{self, Reason};
use dopesheet_core::model::{Clip, Scene};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use std::collections::HashMap;
use std::sync::Arc;

/// Options of [`merge`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merge {
    /// The motions that are played at the same time. Their clips are paired by position.
    pub others: Vec<Arc<Scene>>,
}

/// Takes the tracks of other motions into a clip: a body, its face and a camera become one motion. It ends with the last of them.
///
/// # Errors
/// If there is no other motion, or one that has no clip at that position, other frames, or another skeleton; if two motions move the
/// same property of the same thing.
pub fn merge(scene: &mut Scene, clip: usize, options: &Merge) -> Result<(), Reason> {
    if options.others.is_empty() {
        return Err(refused::no_others());
    }
    for other in &options.others {
        let other = adopted(scene, clip, other)?;
        let Some(own) = scene.clips.get_mut(clip) else { return Ok(()) };
        take(own, other)?;
    }
    Ok(())
}

fn take(own: &mut Clip, other: Clip) -> Result<(), Reason> {
    let known: HashMap<_, usize> = numbered(&own.tracks)
        .into_iter()
        .map(|(kind, name, count)| (kind, name.to_owned(), count))
        .zip(0..)
        .collect();
    let places: Vec<Option<usize>> = numbered(&other.tracks)
        .into_iter()
        .map(|(kind, name, count)| known.get(&(kind, name.to_owned(), count)).copied())
        .collect();
    for (track, place) in other.tracks.into_iter().zip(places) {
        let Some(known) = place.and_then(|place| own.tracks.get_mut(place)) else {
            own.tracks.push(track);
            continue;
        };
        for channel in track.channels {
            if known.channels.iter().any(|known| known.property == channel.property) {
                return Err(Reason::new(format!(
                    "expected motions of different things, found the {} of \"{}\" in both; drop it from one of them first",
                    channel.property.word(),
                    known.target.label()
                )));
            }
            known.channels.push(channel);
        }
    }
    own.duration = Seconds(own.end().0.max(other.duration.0));
    own.made_for = own.made_for.take().or(other.made_for);
    own.markers.extend(other.markers);
    by_number(&mut own.markers, |marker| marker.time.0);
    Ok(())
}
