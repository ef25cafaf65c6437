//! The operation being chosen.

use crate::model::clock::Clock;
use dopesheet::edit::OPERATIONS;
use serde_json::{Map, Value};

/// Name of the option for the played range.
pub(crate) const RANGE: &str = "range";
/// Name of the option for the nearest frames.
const SNAP: &str = "snap";

/// Words of the operations in the menu, with their effects.
pub(crate) const OFFERED: [(&str, &str); 7] = [
    ("trim", "Leave out what is before and after a range"),
    ("delete", "Leave out a range, and close the gap"),
    ("mirror", "Exchange left and right"),
    ("reverse", "Play backwards"),
    ("retime", "Play faster or slower"),
    ("shift", "Move all keys in time"),
    ("loop", "Make the end meet the start"),
];

/// An operation before it is applied.
#[derive(Debug)]
pub(crate) struct Draft {
    /// Word of the operation.
    pub(crate) word: &'static str,
    /// Values of its options, as they were written.
    pub(crate) given: Map<String, Value>,
}

impl Default for Draft {
    fn default() -> Self {
        Self { word: OFFERED[0].0, given: Map::new() }
    }
}

impl Draft {
    /// Value of an option that nobody has chosen: the played range, whose ends are anywhere, and the frames nearest to it.
    pub(crate) fn usual(option: &str, clock: &Clock) -> Option<Value> {
        match option {
            RANGE => clock.part.map(|[start, end]| format!("{}:{}", short(start), short(end)).into()),
            SNAP => clock.rate.map(|_| true.into()),
            _ => None,
        }
    }

    /// The options as the library reads them.
    pub(crate) fn options(&self, clock: &Clock) -> Map<String, Value> {
        let operation = OPERATIONS.iter().find(|operation| operation.word == self.word);
        let known = operation.into_iter().flat_map(|operation| operation.options);
        let usual = known.filter_map(|option| Some(((*option).to_owned(), Self::usual(option, clock)?)));
        let mut options: Map<String, Value> = usual.collect();
        for (name, value) in &self.given {
            match value {
                Value::Bool(false) => drop(options.remove(name)),
                Value::String(text) if text.trim().is_empty() => {}
                Value::String(text) => drop(options.insert(name.clone(), read(text))),
                other => drop(options.insert(name.clone(), other.clone())),
            }
        }
        options
    }
}

/// A number, a list, an object or a text from its spelling.
fn read(text: &str) -> Value {
    let value = serde_json::from_str::<Value>(text.trim()).ok();
    value
        .filter(|value| value.is_number() || value.is_object() || value.is_array())
        .unwrap_or_else(|| text.trim().into())
}

/// A time in seconds without needless digits.
fn short(time: f64) -> f64 {
    (time * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::document::Document;
    use crate::model::export::edited;
    use dopesheet::ReadOptions;
    use std::path::Path;

    fn trimmed(draft: &Draft) -> Result<f64, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/walk.vmd");
        let walk = Document::new(dopesheet::open(&path, None, &ReadOptions::default()).unwrap(), 0);
        let clip = walk.opened.scene().unwrap().clips.remove(0);
        let clock = Clock { part: Some([0.5123, 2.0456]), ..Clock::of(&clip) };
        let change = (draft.word.to_owned(), Value::Object(draft.options(&clock)).to_string());
        let (output, _) = edited(&walk, &[change]).map_err(|error| error.to_string())?;
        let trimmed = dopesheet::read("walk.vmd", &output.main, &ReadOptions::default(), &mut |_| None);
        Ok(trimmed.unwrap().scene().unwrap().clips[0].duration.0)
    }

    #[test]
    fn a_range_set_between_frames_trims_a_motion_with_frames() {
        let mut draft = Draft::default();
        assert!((trimmed(&draft).unwrap() - 46.0 / 30.0).abs() < 1e-6, "from frame 15 to frame 61");
        draft.given.insert(SNAP.into(), false.into());
        assert!(trimmed(&draft).unwrap_err().contains("expected a time on a frame"));
        assert_eq!(Draft::usual(SNAP, &Clock::of(&Default::default())), None, "a clip without frames");
    }
}
