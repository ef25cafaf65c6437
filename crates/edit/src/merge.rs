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
    /// The motions to play at the same time. Their clips are paired by position.
    pub others: Vec<Arc<Scene>>,
}

/// Takes the tracks of other motions into a clip: a body, its face and a camera become a single motion. It
/// ends with the last of the motions.
///
/// # Errors
/// If there is no other motion, or a motion has no clip at that position, other frames, or another skeleton;
/// if two motions move the same property of the same target.
pub fn merge(scene: &mut Scene, clip: usize, options: &Merge) -> Result<(), Reason> {
    if options.others.is_empty() {
        return Err(refused::no_others());
    }
    for other in &options.others {
        let other = adopted(scene, clip, other)?;
        let Some(target_clip) = scene.clips.get_mut(clip) else { return Ok(()) };
        take(target_clip, other)?;
    }
    Ok(())
}

fn take(target_clip: &mut Clip, other: Clip) -> Result<(), Reason> {
    let index_of: HashMap<_, usize> = numbered(&target_clip.tracks)
        .into_iter()
        .map(|(kind, name, count)| (kind, name.to_owned(), count))
        .zip(0..)
        .collect();
    let places: Vec<Option<usize>> = numbered(&other.tracks)
        .into_iter()
        .map(|(kind, name, count)| index_of.get(&(kind, name.to_owned(), count)).copied())
        .collect();
    for (track, index) in other.tracks.into_iter().zip(places) {
        let Some(track_here) = index.and_then(|index| target_clip.tracks.get_mut(index)) else {
            target_clip.tracks.push(track);
            continue;
        };
        for channel in track.channels {
            if track_here.channels.iter().any(|channel_here| channel_here.property == channel.property) {
                return Err(Reason::new(format!(
                    "expected motions of different things, found the {} of \"{}\" in both; drop it from one of them first",
                    channel.property.word(),
                    track_here.target.label()
                )));
            }
            track_here.channels.push(channel);
        }
    }
    target_clip.duration = Seconds(target_clip.end().0.max(other.duration.0));
    target_clip.made_for = target_clip.made_for.take().or(other.made_for);
    target_clip.markers.extend(other.markers);
    by_number(&mut target_clip.markers, |marker| marker.time.0);
    Ok(())
}
