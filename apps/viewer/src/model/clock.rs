//! The time in the clip, and the pace at which it passes.

use dopesheet::FrameRate;
use dopesheet::core::model::{Clip, Looping};

/// Frames per second for steps through clips without a frame grid.
const STEPS: f64 = 30.0;

/// Speeds to choose from.
pub(crate) const SPEEDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0];

/// The time in the clip, and the pace at which it passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    /// The present time, in seconds.
    pub(crate) time: f64,
    /// End of the clip, in seconds; at least 0.
    pub(crate) end: f64,
    /// Frame rate of the clip, if it has a frame grid.
    pub(crate) rate: Option<FrameRate>,
    pub(crate) is_playing: bool,
    /// Seconds of the clip per second.
    pub(crate) speed: f64,
    /// True if the clock starts again after the end.
    pub(crate) loops: bool,
    /// True to show times as frames.
    pub(crate) in_frames: bool,
    /// Start and end of the stretch played instead of the whole clip, in seconds.
    pub(crate) part: Option<[f64; 2]>,
}

impl Clock {
    /// A clock at the start of a clip. Clips that move play.
    pub(crate) fn of(clip: &Clip) -> Self {
        let end = clip.duration.0;
        let end = if end.is_finite() { end.max(0.0) } else { 0.0 };
        Self {
            time: 0.0,
            end,
            rate: clip.grid,
            is_playing: end > 0.0,
            speed: 1.0,
            loops: clip.looping != Looping::Once,
            in_frames: false,
            part: None,
        }
    }

    /// A clock that ends with the longer of two clips.
    pub(crate) fn until(self, other: &Clip) -> Self {
        let end = other.duration.0;
        Self { end: if end.is_finite() { self.end.max(end) } else { self.end }, ..self }
    }

    /// Lets real time pass, in seconds.
    pub(crate) fn pass(&mut self, seconds: f64) {
        if !self.is_playing || self.end <= 0.0 {
            return;
        }
        let [start, end] = self.played();
        self.time = self.time.max(start) + seconds * self.speed;
        if self.time > end {
            match self.loops {
                true => self.time = start + (self.time - start) % (end - start),
                false => (self.time, self.is_playing) = (end, false),
            }
        }
    }

    /// Start and end of the played stretch, in seconds.
    pub(crate) fn played(&self) -> [f64; 2] {
        self.part.unwrap_or([0.0, self.end])
    }

    /// Makes the present time the start of the played stretch.
    pub(crate) fn start_here(&mut self) {
        let [_, end] = self.played();
        self.play_part(self.time, if end > self.time { end } else { self.end });
    }

    /// Makes the present time the end of the played stretch.
    pub(crate) fn end_here(&mut self) {
        let [start, _] = self.played();
        self.play_part(if start < self.time { start } else { 0.0 }, self.time);
    }

    /// Plays a stretch of the clip; the whole clip if the stretch covers the clip or is empty.
    fn play_part(&mut self, start: f64, end: f64) {
        let is_all = start <= 0.0 && end >= self.end;
        self.part = (!is_all && start < end).then_some([start, end]);
    }

    /// Starts, from the beginning if the time is at the end; or stops.
    pub(crate) fn toggle(&mut self) {
        let [start, end] = self.played();
        if !self.is_playing && self.time >= end {
            self.time = start;
        }
        self.is_playing = !self.is_playing && self.end > 0.0;
    }

    /// Stops at a time, limited to the clip.
    pub(crate) fn seek(&mut self, time: f64) {
        self.time = if time.is_finite() { time.clamp(0.0, self.end) } else { 0.0 };
        self.is_playing = false;
    }

    /// Stops a number of frames later, or earlier if the number is negative.
    pub(crate) fn step(&mut self, frames: i32) {
        let fps = self.fps();
        let here = self.time * fps;
        // Between two frames, a step leads to the next frame in its direction.
        let from = if frames > 0 { (here + 1e-3).floor() } else { (here - 1e-3).ceil() };
        self.seek((from + f64::from(frames)) / fps);
    }

    /// Frames per second of the clip, or [`STEPS`] without a frame grid.
    pub(crate) fn fps(&self) -> f64 {
        self.rate.map_or(STEPS, |rate| rate.fps())
    }

    /// A time as shown to the user, with its unit.
    pub(crate) fn text(&self, time: f64) -> String {
        match self.in_frames {
            true => format!("{:.0} f", time * self.fps()),
            false => format!("{time:.2} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet::Seconds;

    fn clock(end: f64) -> Clock {
        Clock::of(&Clip { duration: Seconds(end), ..Clip::default() })
    }

    #[test]
    fn it_loops_or_stops_at_the_end() {
        let mut looping = clock(2.0);
        looping.pass(4.5);
        assert_eq!((looping.time, looping.is_playing), (0.5, true));
        let mut once = Clock { loops: false, speed: 2.0, ..clock(2.0) };
        once.pass(0.75);
        assert_eq!(once.time, 1.5);
        once.pass(5.0);
        assert_eq!((once.time, once.is_playing), (2.0, false));
        once.toggle();
        assert_eq!((once.time, once.is_playing), (0.0, true), "it starts anew");
    }

    #[test]
    fn a_part_is_played_over_and_over() {
        let mut clock = clock(4.0);
        clock.seek(1.0);
        clock.start_here();
        clock.seek(2.0);
        clock.end_here();
        assert_eq!(clock.part, Some([1.0, 2.0]));
        clock.toggle();
        assert_eq!(clock.time, 1.0, "from its end it starts anew");
        clock.pass(2.25);
        assert_eq!(clock.time, 1.25);
        clock.loops = false;
        clock.pass(5.0);
        assert_eq!((clock.time, clock.is_playing), (2.0, false));
        clock.seek(3.0);
        clock.start_here();
        assert_eq!(clock.part, Some([3.0, 4.0]), "an end before the start is given up");
        clock.seek(0.0);
        clock.start_here();
        assert_eq!(clock.part, None, "all of the clip is no part");
    }

    #[test]
    fn steps_lead_from_frame_to_frame_and_never_out_of_the_clip() {
        let mut clock = clock(1.0);
        clock.seek(0.01);
        clock.step(1);
        assert!((clock.time - 1.0 / 30.0).abs() < 1e-9, "{}", clock.time);
        clock.step(-1);
        clock.step(-1);
        assert_eq!(clock.time, 0.0);
        clock.seek(0.05);
        clock.step(-1);
        assert!((clock.time - 1.0 / 30.0).abs() < 1e-9, "{}", clock.time);
        clock.step(999);
        assert_eq!(clock.time, 1.0);
    }

    #[test]
    fn clips_that_make_no_sense_stand_still() {
        for end in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut clock = clock(end);
            clock.pass(1.0);
            clock.toggle();
            clock.step(1);
            clock.seek(f64::NAN);
            assert_eq!((clock.time, clock.is_playing), (0.0, false));
        }
    }
}
