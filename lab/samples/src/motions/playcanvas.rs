//! A pencil for PlayCanvas animation JSON, version 4: one key per line, so that people can read it.

use std::fmt::Write as _;

/// One node's keys: all have the same rests for what they leave out.
pub(super) struct Node {
    /// Its name in the model.
    pub(super) name: &'static str,
    /// Where it stays, if its keys do not say.
    pub(super) position: [f64; 3],
    /// Time in seconds, position if it moves, turn in degrees about X, Y and Z.
    pub(super) keys: Vec<Key>,
}

/// Time in seconds, offset from the node's position, turn in degrees.
pub(super) type Key = (f64, [f64; 3], [f64; 3]);

/// A node that only turns.
pub(super) fn turning(name: &'static str, position: [f64; 3], keys: &[(f64, [f64; 3])]) -> Node {
    Node { name, position, keys: keys.iter().map(|&(t, turn)| (t, [0.0; 3], turn)).collect() }
}

/// The text of an animation.
pub(super) fn animation(name: &str, duration_s: f64, nodes: &[Node]) -> String {
    let mut text = format!(
        "{{\"animation\":{{\"version\":4,\"name\":\"{name}\",\"duration\":{duration_s},\"nodes\":[\n"
    );
    for (index, node) in nodes.iter().enumerate() {
        let end = if index + 1 < nodes.len() { "," } else { "" };
        let _ = writeln!(text, "{}{end}", node_text(node));
    }
    text + "]}}\n"
}

fn node_text(node: &Node) -> String {
    let stays = node.keys.iter().all(|(_, offset, _)| *offset == [0.0; 3]);
    let defaults =
        if stays { format!("\"p\":{},\"s\":[1,1,1]", list(node.position)) } else { "\"s\":[1,1,1]".into() };
    let key = |(time, offset, turn): &Key| {
        let position = [0, 1, 2].map(|i| tidy(node.position[i] + offset[i]));
        let position = if stays { String::new() } else { format!("\"p\":{},", list(position)) };
        format!("  {{\"t\":{time},{position}\"r\":{}}}", list(*turn))
    };
    let keys: Vec<String> = node.keys.iter().map(key).collect();
    format!(" {{\"name\":\"{}\",\"defaults\":{{{defaults}}},\"keys\":[\n{}]}}", node.name, keys.join(",\n"))
}

pub(super) fn list(numbers: [f64; 3]) -> String {
    format!("[{},{},{}]", numbers[0], numbers[1], numbers[2])
}

/// Without the dust of sums of decimal fractions.
fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
