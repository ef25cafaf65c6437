//! The operation being chosen.

use crate::model::clock::Clock;
use dopesheet::edit::{Described, EditOption, OPERATIONS, Shape};
use serde_json::{Map, Value};

/// Name of the option for the played range.
pub(crate) const RANGE: &str = "range";
/// Name of the option for the nearest frames.
const SNAP: &str = "snap";

/// The operations in the menu: all on a single file.
pub(crate) fn offered() -> impl Iterator<Item = &'static Described> {
    OPERATIONS.iter().filter(|operation| !operation.takes_others())
}

/// An operation before it is applied.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The operation.
    pub(crate) operation: &'static Described,
    /// Values of its options, as they were written.
    pub(crate) given: Map<String, Value>,
}

impl Default for Draft {
    fn default() -> Self {
        Self { operation: &OPERATIONS[0], given: Map::new() }
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
        let mut options = Map::new();
        for option in self.operation.options {
            let value = match self.given.get(option.name) {
                Some(Value::Bool(false)) => None,
                Some(Value::String(text)) if !text.trim().is_empty() => Some(read(option, text.trim())),
                None | Some(Value::String(_)) => Self::usual(option.name, clock),
                Some(is_on) => Some(is_on.clone()),
            };
            options.extend(value.map(|value| (option.name.to_owned(), value)));
        }
        options
    }
}

/// The value of an option from what is written in its field.
fn read(option: &EditOption, text: &str) -> Value {
    match option.shape {
        Shape::List => text.split(',').map(str::trim).collect(),
        Shape::Names | Shape::Spans => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        _ => text.into(),
    }
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
        let change = (draft.operation.word.to_owned(), Value::Object(draft.options(&clock)).to_string());
        let (output, _) = edited(&walk, &[change]).map_err(|error| error.to_string())?;
        let trimmed = dopesheet::read("walk.vmd", &output.main, &ReadOptions::default(), &mut |_| None);
        Ok(trimmed.unwrap().scene().unwrap().clips[0].duration.0)
    }

    #[test]
    fn what_is_written_in_the_fields_of_an_operation_is_what_its_options_take() {
        for (word, fields) in [
            ("select", &[("names", "A, B"), ("kind", "joint, morph")][..]),
            ("mirror", &[("names", r#"{"A": "B"}"#)]),
            ("retime", &[("curve", "[[0, 0], [1, 2]]")]),
            ("keys law", &[("range", "15f"), ("law", "0,0.5,0.5,1")]),
            ("set", &[("name", "5"), ("loop", "off")]),
        ] {
            let operation = offered().find(|operation| operation.word == word).unwrap();
            let given = fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).into())).collect();
            let options = Draft { operation, given }.options(&Clock::of(&Default::default()));
            assert!(operation.operation(options, Vec::new()).is_ok(), "{word}");
        }
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
