//! The status of the viewer, for programs that drive it from outside: a canvas cannot be asked.

use crate::work::Cost;
#[cfg(target_arch = "wasm32")]
use serde_json::{Map, Value, json};

/// Milliseconds that things took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Speeds {
    /// From opening the page or starting the program to the end of the first frame.
    pub(crate) first_frame_ms: Option<f64>,
    /// From having a file's bytes to having its first pose drawn.
    pub(crate) to_pose_ms: Option<f64>,
    /// The share of the processor in the last frames, each smoothed with those before.
    pub(crate) frame_ms: f64,
    /// Of that, what the scene itself took: the pose, and the vertices.
    pub(crate) pose_ms: f64,
    /// And what the dope sheet or the curves took.
    pub(crate) sheet_ms: f64,
}

/// Choices about figures, and their results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FitStatus {
    /// Lines of the command that do the same.
    pub(crate) command: Vec<String>,
    /// Words of all steps that can be undone and of those that were, and the position of the one that is seen.
    pub(crate) steps: Vec<String>,
    pub(crate) step: usize,
    /// Bones, with the node and its certainty in the motion and in the figure.
    pub(crate) bones: Vec<(&'static str, [[String; 2]; 2])>,
    /// Number of stands that were held.
    pub(crate) stands: usize,
    /// The time at which the figure is farthest from the source.
    pub(crate) worst_s: Option<f64>,
    /// Cost of the motion put onto the figure.
    pub(crate) cost: Cost,
    /// Bytes of memory that the program has.
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
    /// The figure with the motion that was put onto it, and the verdict on that.
    pub(crate) fitted: Option<String>,
    pub(crate) verdict: Option<String>,
    pub(crate) failures: Vec<[String; 2]>,
    /// Archives of which nobody has said yet what is to be opened.
    pub(crate) offers: Vec<String>,
    pub(crate) time_s: f64,
    pub(crate) end_s: f64,
    pub(crate) is_playing: bool,
    pub(crate) tab: &'static str,
    /// Errors, warnings and infos of the shown file, once somebody has looked at them.
    pub(crate) findings: Option<usize>,
    pub(crate) rows: usize,
    /// True if the compared files agree; none until that is known.
    pub(crate) agree: Option<bool>,
    pub(crate) said: String,
    /// The work that is being done beside the window.
    pub(crate) busy: Vec<String>,
    pub(crate) fit: FitStatus,
    pub(crate) speeds: Speeds,
    /// Where things are that can be clicked: left, top, width and height in points.
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
