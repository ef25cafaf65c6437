//! Moments with a name.

use crate::ends;
use crate::refused::{self, Ends, Reason};
use dopesheet_core::model::{Clip, Marker};
use dopesheet_core::times::TimeValue;
use dopesheet_core::units::Seconds;

/// Options of [`markers`].
#[derive(Clone, Debug, PartialEq)]
pub struct Markers {
    /// The change.
    pub change: MarkerChange,
    /// True if times between two frames are the nearest frame; else they are refused.
    pub snap: bool,
}

/// Change of the markers of a clip. An existing marker is given by its name, or by its time if no marker has
/// the name.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkerChange {
    /// A new marker.
    Add {
        /// When.
        at: TimeValue,
        /// Its name.
        name: String,
    },
    /// An existing marker at a new time.
    Move {
        /// Its name or time.
        marker: String,
        /// When.
        to: TimeValue,
    },
    /// Removal of a marker.
    Remove {
        /// Its name or time.
        marker: String,
    },
}

/// Adds a marker to a clip, moves a marker, or removes a marker. Of several markers with the same name the
/// first is chosen.
///
/// # Errors
/// If the marker does not exist, or a time is outside of the clip or between two frames of its grid.
pub fn markers(clip: &mut Clip, options: &Markers) -> Result<(), Reason> {
    match &options.change {
        MarkerChange::Add { at, name } => {
            let time = inside(clip, *at, options.snap)?;
            put(clip, Marker { time, name: name.clone(), data: None });
        }
        MarkerChange::Move { marker, to } => {
            let (index, time) = (find(clip, marker)?, inside(clip, *to, options.snap)?);
            let marker = Marker { time, ..clip.markers.remove(index) };
            put(clip, marker);
        }
        MarkerChange::Remove { marker } => {
            let index = find(clip, marker)?;
            clip.markers.remove(index);
        }
    }
    Ok(())
}

fn inside(clip: &Clip, time: TimeValue, snap: bool) -> Result<Seconds, Reason> {
    let (time, clip) = (ends::time(clip, time, snap)?, ends::whole(clip));
    match (clip.start.0..=clip.end.0).contains(&time.0) {
        true => Ok(time),
        false => Err(refused::outside(&Ends { start: time, end: time, grid: clip.grid }, &clip)),
    }
}

/// Inserts a marker after all markers that are not later.
fn put(clip: &mut Clip, marker: Marker) {
    let index = clip.markers.iter().position(|listed| listed.time.0 > marker.time.0);
    clip.markers.insert(index.unwrap_or(clip.markers.len()), marker);
}

fn find(clip: &Clip, marker: &str) -> Result<usize, Reason> {
    let by_name = clip.markers.iter().position(|listed| listed.name == marker);
    let time = TimeValue::parse(marker).ok().and_then(|time| time.seconds(clip.grid).ok());
    let by_number = || {
        let time = time?;
        clip.markers.iter().position(|listed| (listed.time.0 - time.0).abs() < 1e-4)
    };
    by_name.or_else(by_number).ok_or_else(|| {
        let names: Vec<&str> = clip.markers.iter().map(|listed| listed.name.as_str()).collect();
        let choices = match names.is_empty() {
            true => "the clip has none".to_owned(),
            false => format!("there are {}", names.join(", ")),
        };
        Reason::new(format!("expected the name or the time of a marker, found \"{marker}\"; {choices}"))
    })
}
