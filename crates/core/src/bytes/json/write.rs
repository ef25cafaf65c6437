//! The compact writer.

/// How numbers are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberStyle {
    /// The shortest decimal that restores the same f64.
    #[default]
    ShortestF64,
    /// The shortest decimal that restores the same value rounded to f32.
    ShortestF32,
    /// Six significant digits, exactly as C's `%.6g`.
    SixDigits,
}

/// Builds JSON text without white space, members in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub struct JsonWriter {
    text: String,
    style: NumberStyle,
}

impl JsonWriter {
    /// An empty writer that spells numbers in `style`.
    #[must_use]
    pub fn new(style: NumberStyle) -> Self {
        Self { text: String::new(), style }
    }

    /// Writes an object with the members that `members` writes.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) -> &mut Self {
        self.bracketed('{', '}', members)
    }

    /// Writes an array with the elements that `elements` writes.
    pub fn array(&mut self, elements: impl FnOnce(&mut Self)) -> &mut Self {
        self.bracketed('[', ']', elements)
    }

    /// Writes a member's name; its value must follow.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.text.push(':');
        self
    }

    /// Writes a string. Only `"`, `\` and control characters are escaped.
    pub fn string(&mut self, value: &str) -> &mut Self {
        self.comma();
        self.text.push('"');
        for c in value.chars() {
            match c {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                '\0'..' ' => self.text.push_str(&format!("\\u{:04x}", u32::from(c))),
                _ => self.text.push(c),
            }
        }
        self.text.push('"');
        self
    }

    /// Writes a number in the writer's style. Not-finite values, which JSON cannot spell, become `null`.
    pub fn number(&mut self, value: f64) -> &mut Self {
        self.comma();
        match self.style {
            _ if !value.is_finite() => self.text.push_str("null"),
            NumberStyle::ShortestF64 => {
                push_shortest(&mut self.text, zmij::Buffer::new().format_finite(value))
            }
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is what this style means")]
            NumberStyle::ShortestF32 => {
                push_shortest(&mut self.text, zmij::Buffer::new().format_finite(value as f32))
            }
            NumberStyle::SixDigits => push_six_digits(&mut self.text, value),
        }
        self
    }

    /// Writes an array of numbers.
    pub fn numbers(&mut self, values: impl IntoIterator<Item = f64>) -> &mut Self {
        self.array(|w| {
            for value in values {
                w.number(value);
            }
        })
    }

    /// Writes a whole number.
    pub fn integer(&mut self, value: usize) -> &mut Self {
        self.raw(&value.to_string())
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.raw(if value { "true" } else { "false" })
    }

    /// Writes a value that is JSON already.
    pub fn raw(&mut self, json: &str) -> &mut Self {
        self.comma();
        self.text.push_str(json);
        self
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    fn bracketed(&mut self, open: char, close: char, inside: impl FnOnce(&mut Self)) -> &mut Self {
        self.comma();
        self.text.push(open);
        inside(self);
        self.text.push(close);
        self
    }

    /// A comma, unless this is the first item of an array or object or the value of a member.
    fn comma(&mut self) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(',');
        }
    }
}

/// The shortest form without a trailing `.0`.
fn push_shortest(text: &mut String, formatted: &str) {
    text.push_str(formatted.strip_suffix(".0").unwrap_or(formatted));
}

/// C's `%.6g`: six significant digits, fixed notation for decimal exponents −4..6, else scientific with at least two
/// exponent digits; trailing zeros stripped.
fn push_six_digits(text: &mut String, value: f64) {
    let scientific = format!("{value:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let strip = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    if (-4..6).contains(&exponent) {
        let places = usize::try_from(5i32.saturating_sub(exponent)).unwrap_or(0);
        text.push_str(&strip(&format!("{value:.places$}")));
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        text.push_str(&format!("{}e{sign}{:02}", strip(mantissa), exponent.unsigned_abs()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_print_as_c_does() {
        // Printed with C's printf("%.6g").
        let cases: [(f64, &str); 12] = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (1.19209e-7, "1.19209e-07"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-178.946, "-178.946"),
            (1.633333, "1.63333"),
        ];
        for (value, text) in cases {
            let mut writer = JsonWriter::new(NumberStyle::SixDigits);
            writer.number(value);
            assert_eq!(writer.finish(), text);
        }
    }

    #[test]
    fn commas_go_between_items_and_nowhere_else() {
        let mut writer = JsonWriter::new(NumberStyle::ShortestF32);
        writer.object(|w| {
            w.name("a").array(|w| {
                w.number(1.0).number(0.1).array(|_| {}).string("x\"\n");
            });
            w.name("b").object(|_| {}).name("c").bool(true);
        });
        assert_eq!(writer.finish(), r#"{"a":[1,0.1,[],"x\"\n"],"b":{},"c":true}"#);
    }
}
