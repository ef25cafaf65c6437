//! JSON of any shape as a tree, for small values that are passed on, such as notes and options.

use super::super::Read;
use super::read::{JsonCodes, JsonCursor, JsonKind};
use serde_json::{Map, Number, Value};

/// The value of a JSON text, or `None` if the text is not JSON.
///
/// Numbers are the nearest doubles. Parsers of `serde_json` yield the nearest doubles only with a feature
/// that depends on all crates of a build.
#[must_use]
pub fn value(text: &str) -> Option<Value> {
    let mut cursor = JsonCursor::from_text(text, JsonCodes { syntax: "json" });
    let value = cursor.value().ok()?;
    cursor.end().ok()?;
    Some(value)
}

impl JsonCursor<'_> {
    /// Reads any value. Of members with the same name the last counts.
    ///
    /// # Errors
    /// As [`skip`](Self::skip).
    pub fn value(&mut self) -> Read<Value> {
        Ok(match self.peek()? {
            JsonKind::Null => {
                self.null()?;
                Value::Null
            }
            JsonKind::Bool => Value::Bool(self.bool()?),
            JsonKind::Number => self.whole_or_double()?,
            JsonKind::String => Value::String(self.string()?.into_owned()),
            JsonKind::Array => {
                let mut elements = Vec::new();
                self.array(|cursor, _| cursor.value().map(|element| elements.push(element)))?;
                Value::Array(elements)
            }
            JsonKind::Object => {
                let mut members = Map::new();
                self.object(|cursor, name| {
                    members.insert(name.to_owned(), cursor.value()?);
                    Ok(())
                })?;
                Value::Object(members)
            }
        })
    }

    /// A number in the type of its spelling: whole if the text has neither fraction nor exponent, and 64 bits
    /// hold the number. Zero has a sign only as a double.
    fn whole_or_double(&mut self) -> Read<Value> {
        let start = self.at;
        let double = self.number()?;
        let text = self.text.get(start..self.at).unwrap_or_default();
        let negative = || text.parse().ok().filter(|whole: &i64| *whole != 0).map(Number::from);
        let whole = text.parse().ok().map(|whole: u64| whole.into()).or_else(negative);
        Ok(whole.or_else(|| Number::from_f64(double)).map_or(Value::Null, Value::Number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_tree_is_what_its_text_says() {
        let text = " {\"a\": [1, -2, 2.50, 1e2, true, null, \"\\u00e9\"], \"b\": {\"c\": {}}, \"a\": []}\n";
        assert_eq!(value(text), Some(json!({ "a": [], "b": { "c": {} } })));
        let text = "[1, -2, 2.50, 1e2, true, null, \"\\u00e9\"]";
        assert_eq!(value(text), Some(json!([1, -2, 2.5, 100.0, true, null, "é"])));
        for text in ["", "[1,]", "1 1", "{\"a\"}", "1e999"] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_the_nearest_there_are_and_whole_ones_stay_whole() {
        // A reader that rounds twice gives the neighbour of the first.
        for text in ["1.4666666984558105", "18446744073709551615", "-9223372036854775808", "0", "-0.0", "0.1"]
        {
            assert_eq!(value(text).unwrap().to_string(), text);
        }
        assert_eq!(value("-0").unwrap().to_string(), "-0.0");
        assert_eq!(value("18446744073709551616").unwrap().as_f64(), Some(18_446_744_073_709_551_616.0));
    }
}
