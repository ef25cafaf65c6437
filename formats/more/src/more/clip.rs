//! `MORE::Clip`: how animations are played.

use super::animation::Animation;
use crate::text::Name;

/// How one or several animations are played.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The layer of the actor that it plays on.
    pub layer_id: u16,
    /// Whether it starts again at its end.
    pub is_looping: bool,
    /// How many seconds of the animation pass in one second.
    pub time_scale: f32,
    /// How it is mixed with others; in the file since version 0x1.
    pub transition: Option<Transition>,
    /// Bends time: pairs of input and output, both as fractions of the duration; in the file since version 0xE.
    pub time_warp: Option<Vec<[f32; 2]>>,
    /// What is played.
    pub content: ClipContent,
}

/// How a clip is mixed with others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transition {
    /// Its weight.
    pub blending: f32,
    /// Seconds to fade in.
    pub fade_in: f32,
    /// Seconds to fade out.
    pub fade_out: f32,
}

/// What a clip plays.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipContent {
    /// One animation.
    Simple(SubResource),
    /// Several at once, held together by their instants.
    Synchronised {
        /// The animations.
        layers: Vec<SubResource>,
        /// The weight of each; in the file since version 0x1, else empty.
        blendings: Vec<f32>,
        /// Whether each is stretched to the first one's instants; in the file since version 0xB, else empty.
        adjust_durations: Vec<bool>,
    },
}

impl ClipContent {
    /// What is played, in the order of the file.
    #[must_use]
    pub fn layers(&self) -> &[SubResource] {
        match self {
            Self::Simple(one) => std::slice::from_ref(one),
            Self::Synchronised { layers, .. } => layers,
        }
    }
}

/// A resource inside another one.
#[derive(Clone, Debug, PartialEq)]
pub enum SubResource {
    /// A path to another file, from the root of the archive. Never empty.
    Path(Name),
    /// An animation right here, of the same version and byte order.
    Embedded(Box<Animation>),
}

impl Clip {
    /// The time in an animation of `duration` seconds at `time` seconds since the clip started.
    ///
    /// The time is scaled; then it starts again (looping) or is held at the ends; then it is warped.
    #[must_use]
    pub fn local_time(&self, time: f64, duration: f64) -> f64 {
        if duration <= 0.0 || !duration.is_finite() {
            return 0.0;
        }
        let scaled = time * f64::from(self.time_scale);
        let local = match self.is_looping {
            true => scaled - (scaled / duration).floor() * duration,
            false => scaled.clamp(0.0, duration),
        };
        match self.time_warp.as_deref() {
            Some(points) if !points.is_empty() => duration * warp(points, local / duration),
            _ => local,
        }
    }
}

/// Straight between the points in order of their inputs; held outside.
fn warp(points: &[[f32; 2]], at: f64) -> f64 {
    let mut sorted: Vec<[f64; 2]> = points.iter().map(|p| p.map(f64::from)).collect();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let after = sorted.partition_point(|p| p[0] <= at);
    let before = after.checked_sub(1).and_then(|i| sorted.get(i));
    match (before, sorted.get(after)) {
        (Some([x0, y0]), Some([x1, y1])) => y0 + (y1 - y0) * (at - x0) / (x1 - x0),
        (Some([_, y]), None) | (None, Some([_, y])) => *y,
        (None, None) => at,
    }
}
