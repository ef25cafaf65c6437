//! Measured times of frames.

use crate::platform;
use crate::status::Speeds;

/// Share of the newest frame in a smoothed time.
const FRESH: f64 = 0.1;
/// Longest time counted between two frames, in seconds, so that a clip does not jump ahead after a pause of the program.
const LONGEST: f64 = 0.1;

/// Measured times of frames.
#[derive(Default)]
pub(crate) struct Timing {
    pub(crate) speeds: Speeds,
    last_frame_ms: Option<f64>,
    /// Arrival time of files without a drawn pose yet, in milliseconds.
    arrived_ms: Option<f64>,
}

impl Timing {
    /// Notes the arrival of files.
    pub(crate) fn arrived(&mut self) {
        self.arrived_ms = Some(platform::now_ms());
    }

    /// Seconds since the last frame.
    pub(crate) fn passed(&mut self, now_ms: f64) -> f64 {
        let last = self.last_frame_ms.replace(now_ms);
        last.map_or(0.0, |last| ((now_ms - last) / 1e3).clamp(0.0, LONGEST))
    }

    /// Takes in a frame: its processor time in seconds, and the time of the scene's last painting.
    pub(crate) fn measure(&mut self, cpu_seconds: Option<f32>, painted_ms: Option<f64>) {
        if let Some(seconds) = cpu_seconds {
            smooth(&mut self.speeds.frame_ms, f64::from(seconds) * 1e3);
        }
        self.speeds.first_frame_ms.get_or_insert_with(platform::now_ms);
        // Nothing is painted before all of the frame is known; so this is about the frame before.
        if let (Some(arrived), Some(painted)) = (self.arrived_ms, painted_ms)
            && painted > arrived
        {
            self.arrived_ms = None;
            self.speeds.to_pose_ms = Some(painted - arrived);
        }
    }

    /// Forgets the times of frames with first drawings.
    pub(crate) const fn forget_frames(&mut self) {
        (self.speeds.frame_ms, self.speeds.pose_ms, self.speeds.sheet_ms) = (0.0, 0.0, 0.0);
    }
}

/// Mixes a measurement into those before it.
pub(crate) fn smooth(mean: &mut f64, new: f64) {
    *mean = if *mean == 0.0 { new } else { *mean + (new - *mean) * FRESH };
}
