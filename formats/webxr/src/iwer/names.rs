//! Names of the nodes and tracks made from a recording.

use super::document::{Entry, InputSource};

/// The head.
pub(super) const VIEWER: &str = "viewer";
/// Properties of a source.
pub(super) const TRACKED: &str = "tracked";
/// As [`TRACKED`]; the first button of a hand.
pub(super) const PINCH: &str = "pinch";

/// The states of a button, in the order of the file.
pub(super) const BUTTON_STATES: [&str; 3] = ["pressed", "touched", "value"];

/// `button0.pressed`
pub(super) fn button(number: usize, state: &str) -> String {
    format!("button{number}.{state}")
}

/// `axis0`
pub(super) fn axis(number: usize) -> String {
    format!("axis{number}")
}

/// `radius.wrist`
pub(super) fn radius(joint: &str) -> String {
    format!("radius.{joint}")
}

/// Names of an input source and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceNames {
    /// The node of its target ray, and its tracks: `left-hand`.
    pub(super) ray: String,
    /// The node of its grip: `left-hand-grip`.
    pub(super) grip: String,
    /// The nodes of its joints, in the order of the schema: `left-wrist`.
    pub(super) joints: Vec<String>,
    /// `left.hand`, the label of a hand's switches in formats with tracked hands.
    pub(super) label: Option<String>,
}

/// The names of all sources of a schema, in its order. The names of the second source of a kind end in `-2`.
pub(super) fn of_sources(schema: &[Entry]) -> Vec<SourceNames> {
    let mut before: Vec<String> = Vec::new();
    let mut names = |source: &InputSource| {
        let side = &source.handedness;
        let kind = if source.joints.is_some() { "hand" } else { "controller" };
        let plain = if side == "none" { "input".to_owned() } else { format!("{side}-{kind}") };
        let earlier = before.iter().filter(|name| **name == plain).count();
        before.push(plain.clone());
        let end = if earlier == 0 { String::new() } else { format!("-{}", earlier + 1) };
        let joints = source.joints.iter().flatten();
        SourceNames {
            grip: format!("{plain}-grip{end}"),
            joints: joints.map(|joint| format!("{side}-{joint}{end}")).collect(),
            label: source.joints.as_ref().map(|_| format!("{side}.hand{end}")),
            ray: format!("{plain}{end}"),
        }
    };
    schema.iter().map(|entry| names(&entry.source)).collect()
}
