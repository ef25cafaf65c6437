//! The status of the viewer, for programs that drive it from outside: a canvas cannot be asked.

use crate::work::Cost;
#[cfg(target_arch = "wasm32")]
use serde_json::{Map, Value, json};

/// Times of the viewer, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Speeds {
    /// Time from the opening of the page or the start of the program to the end of the first frame.
    pub(crate) first_frame_ms: Option<f64>,
    /// Time from the arrival of a file's bytes to the first drawn pose.
    pub(crate) to_pose_ms: Option<f64>,
    /// Processor time of a frame, smoothed over the last frames.
    pub(crate) frame_ms: f64,
    /// Part of this time for the scene: the pose, and the vertices; smoothed.
    pub(crate) pose_ms: f64,
    /// Part of this time for the dope sheet or the curves; smoothed.
    pub(crate) sheet_ms: f64,
}

/// Choices about figures, and their results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FitStatus {
    /// Lines of the command with the same effect.
    pub(crate) command: Vec<String>,
    /// Words of all steps, done and undone.
    pub(crate) steps: Vec<String>,
    /// Position of the present step.
    pub(crate) step: usize,
    /// Bones, with the node and its certainty in the motion and in the figure.
    pub(crate) bones: Vec<(&'static str, [[String; 2]; 2])>,
    /// Number of stands of the figure.
    pub(crate) stands: usize,
    /// Bones of limbs that point elsewhere than the source's, and the angles in degrees.
    pub(crate) off: Vec<(String, f64)>,
    /// The line about nodes that changed places.
    pub(crate) exchanged: Option<String>,
    /// Time of the figure's largest deviation from the source, in seconds.
    pub(crate) worst_s: Option<f64>,
    /// Cost of the motion put onto the figure.
    pub(crate) cost: Cost,
    /// Memory of the program in bytes; 0 if unknown.
    pub(crate) memory: f64,
    /// Number of operations on the shown file.
    pub(crate) changes: usize,
}

/// The status of the viewer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Status {
    pub(crate) files: Vec<String>,
    pub(crate) active: Option<String>,
    pub(crate) compared_with: Option<String>,
    /// Name of the figure with the motion put onto it.
    pub(crate) fitted: Option<String>,
    /// The verdict of the report on the figure's motion.
    pub(crate) verdict: Option<String>,
    pub(crate) failures: Vec<[String; 2]>,
    /// Archives that wait for the user's choice of files.
    pub(crate) offers: Vec<String>,
    pub(crate) time_s: f64,
    pub(crate) end_s: f64,
    pub(crate) is_playing: bool,
    pub(crate) tab: &'static str,
    /// Number of findings about the shown file, from the first look at the list on.
    pub(crate) findings: Option<usize>,
    pub(crate) rows: usize,
    /// True if the compared files agree; `None` until the comparison is done.
    pub(crate) agree: Option<bool>,
    pub(crate) said: String,
    /// The jobs in progress.
    pub(crate) busy: Vec<String>,
    pub(crate) fit: FitStatus,
    pub(crate) speeds: Speeds,
    /// Rectangles of the controls by their names: left, top, width and height in points.
    pub(crate) controls: Vec<(String, [f32; 4])>,
}

impl Status {
    /// As JSON, for a page's script. Numbers carry their unit in their name.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn to_json(&self) -> Value {
        let controls: Map<String, Value> =
            self.controls.iter().map(|(name, rect)| (name.clone(), json!(rect))).collect();
        let failures: Vec<_> =
            self.failures.iter().map(|[name, why]| json!({"file": name, "why": why})).collect();
        json!({
            "files": self.files,
            "active": self.active,
            "compared_with": self.compared_with,
            "fitted": self.fitted,
            "verdict": self.verdict,
            "failures": failures,
            "offers": self.offers,
            "time_s": self.time_s,
            "end_s": self.end_s,
            "is_playing": self.is_playing,
            "tab": self.tab,
            "findings": self.findings,
            "rows": self.rows,
            "agree": self.agree,
            "said": self.said,
            "busy": self.busy,
            "command": self.fit.command,
            "steps": self.fit.steps,
            "step": self.fit.step,
            "bones": self.fit.bones.iter().map(|(bone, cells)| ((*bone).to_owned(), json!(cells))).collect::<Map<_, _>>(),
            "stands": self.fit.stands,
            "off": self.fit.off,
            "exchanged": self.fit.exchanged,
            "worst_s": self.fit.worst_s,
            "took_ms": self.fit.cost.took_ms,
            "worker_memory": self.fit.cost.memory,
            "memory": self.fit.memory,
            "changes": self.fit.changes,
            "first_frame_ms": self.speeds.first_frame_ms,
            "to_pose_ms": self.speeds.to_pose_ms,
            "frame_ms": self.speeds.frame_ms,
            "pose_ms": self.speeds.pose_ms,
            "sheet_ms": self.speeds.sheet_ms,
            "controls": controls,
        })
    }
}
