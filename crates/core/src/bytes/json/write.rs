//! The compact writer.

/// Spelling of numbers.
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

impl NumberStyle {
    /// The number that a reader finds in place of a written number; 0 for a number that is not finite.
    #[must_use]
    pub fn read_back(self, value: f64) -> f64 {
        let mut writer = JsonWriter::new(self);
        writer.number(value);
        std::str::from_utf8(&writer.text).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0)
    }
}

/// Builds JSON text without white space, with members in the order of writing.
#[derive(Clone, Debug, Default)]
pub struct JsonWriter {
    /// UTF-8: only whole strings and ASCII are ever appended.
    text: Vec<u8>,
    style: NumberStyle,
}

impl JsonWriter {
    /// An empty writer that spells numbers in `style`.
    #[must_use]
    pub fn new(style: NumberStyle) -> Self {
        Self { text: Vec::new(), style }
    }

    /// Bytes written so far.
    #[must_use]
    pub fn position(&self) -> usize {
        self.text.len()
    }

    /// Writes the output of `inside` with numbers in another style.
    pub fn styled(&mut self, style: NumberStyle, inside: impl FnOnce(&mut Self)) -> &mut Self {
        let outer_style = std::mem::replace(&mut self.style, style);
        inside(self);
        self.style = outer_style;
        self
    }

    /// Writes an object with the members written by `members`.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) -> &mut Self {
        self.bracketed(*b"{}", members)
    }

    /// Writes an array with the elements written by `elements`.
    pub fn array(&mut self, elements: impl FnOnce(&mut Self)) -> &mut Self {
        self.bracketed(*b"[]", elements)
    }

    /// Writes a member's name; its value must follow.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.text.push(b':');
        self
    }

    /// Writes a string. Only `"`, `\` and control characters are escaped.
    pub fn string(&mut self, value: &str) -> &mut Self {
        self.comma();
        self.text.push(b'"');
        let mut rest = value;
        while let Some(at) = rest.bytes().position(|b| matches!(b, b'"' | b'\\' | 0..0x20)) {
            let (plain, special) = rest.split_at(at);
            self.text.extend_from_slice(plain.as_bytes());
            self.escape(special.as_bytes().first().copied().unwrap_or(b'"'));
            rest = special.get(1..).unwrap_or_default();
        }
        self.text.extend_from_slice(rest.as_bytes());
        self.text.push(b'"');
        self
    }

    fn escape(&mut self, byte: u8) {
        match byte {
            b'"' => self.text.extend_from_slice(b"\\\""),
            b'\\' => self.text.extend_from_slice(b"\\\\"),
            b'\n' => self.text.extend_from_slice(b"\\n"),
            b'\r' => self.text.extend_from_slice(b"\\r"),
            b'\t' => self.text.extend_from_slice(b"\\t"),
            _ => self.text.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
    }

    /// Writes a number in the writer's style. Values that are not finite, which JSON cannot spell, become
    /// `null`.
    #[inline]
    pub fn number(&mut self, value: f64) -> &mut Self {
        self.comma();
        match self.style {
            _ if !value.is_finite() => self.text.extend_from_slice(b"null"),
            NumberStyle::ShortestF64 => {
                if !push_few_places(&mut self.text, value) {
                    push_shortest(&mut self.text, zmij::Buffer::new().format_finite(value));
                }
            }
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is what this style means")]
            NumberStyle::ShortestF32 => {
                push_shortest(&mut self.text, zmij::Buffer::new().format_finite(value as f32));
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

    /// Writes a whole number, in any style of numbers.
    pub fn integer(&mut self, value: usize) -> &mut Self {
        self.raw(&value.to_string())
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.raw(if value { "true" } else { "false" })
    }

    /// Writes a value given as JSON.
    pub fn raw(&mut self, json: &str) -> &mut Self {
        self.comma();
        self.text.extend_from_slice(json.as_bytes());
        self
    }

    /// The text written so far.
    #[must_use]
    pub fn finish(self) -> String {
        String::from_utf8(self.text).unwrap_or_default()
    }

    #[inline]
    fn bracketed(&mut self, [open, close]: [u8; 2], inside: impl FnOnce(&mut Self)) -> &mut Self {
        self.comma();
        self.text.push(open);
        inside(self);
        self.text.push(close);
        self
    }

    /// A comma, unless this is the first item of an array or object or the value of a member.
    #[inline]
    fn comma(&mut self) {
        if !matches!(self.text.last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(b',');
        }
    }
}

/// The shortest form without a trailing `.0`.
fn push_shortest(text: &mut Vec<u8>, formatted: &str) {
    text.extend_from_slice(formatted.strip_suffix(".0").unwrap_or(formatted).as_bytes());
}

/// Nine decimal places, as a factor.
const PLACES: f64 = 1e9;

/// Writes a number that is a decimal of at most nine places and fifteen digits, as most numbers in files are;
/// `false` for any other number. No two decimals of fifteen digits are the same f64, so this decimal is the
/// shortest.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number was seen to be positive and below 10^15"
)]
fn push_few_places(text: &mut Vec<u8>, value: f64) -> bool {
    let magnitude = value.abs();
    if !(1e-3..1e6).contains(&magnitude) && magnitude != 0.0 {
        return false;
    }
    let scaled = (magnitude * PLACES + 0.5) as u64;
    if scaled as f64 / PLACES != magnitude {
        return false;
    }
    if value.is_sign_negative() {
        text.push(b'-');
    }
    // One unused digit, six whole ones and the first place; the other eight places.
    let (head, tail) =
        (eight_digits((scaled / 100_000_000) as u32), eight_digits((scaled % 100_000_000) as u32));
    let length = match (tail, head >> 56) {
        (0, 0) => 6,
        (0, _) => 8,
        _ => 16u32.wrapping_sub(tail.leading_zeros() / 8),
    };
    let zeros = ((head >> 8).trailing_zeros() / 8).min(5);
    // The point goes between, where the head's unused digit makes room for it.
    let spelled = head | ASCII_ZEROS;
    let head = (spelled >> 8) & 0x0000_ffff_ffff_ffff | u64::from(b'.') << 48 | spelled & 0xff << 56;
    let digits = u128::from(head) | u128::from(tail | ASCII_ZEROS) << 64;
    let end = text.len().wrapping_add(length.wrapping_sub(zeros) as usize);
    text.extend_from_slice(&(digits >> zeros.wrapping_mul(8)).to_le_bytes());
    text.truncate(end);
    true
}

const ASCII_ZEROS: u64 = u64::from_le_bytes(*b"00000000");

/// The digits of a number below 10^8, the first in the lowest byte.
///
/// Halves, quarters and single digits are split off all at once, by multiplying with rounded reciprocals of
/// 100 and 10, which are exact for such small numbers (P. Khuong, "How to print integers really fast", 2017).
#[inline]
fn eight_digits(number: u32) -> u64 {
    let halves = u64::from(number / 10_000) | u64::from(number % 10_000) << 32;
    let hundreds = (halves.wrapping_mul(10_486) >> 20) & 0x0000_007f_0000_007f;
    let pairs = hundreds | halves.wrapping_sub(hundreds.wrapping_mul(100)) << 16;
    let tens = (pairs.wrapping_mul(103) >> 10) & 0x000f_000f_000f_000f;
    tens | pairs.wrapping_sub(tens.wrapping_mul(10)) << 8
}

/// C's `%.6g`: six significant digits, fixed notation for decimal exponents −4..6, else scientific with at least two
/// exponent digits; trailing zeros stripped.
fn push_six_digits(text: &mut Vec<u8>, value: f64) {
    let scientific = format!("{value:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let strip = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    if (-4..6).contains(&exponent) {
        let places = usize::try_from(5i32.saturating_sub(exponent)).unwrap_or(0);
        text.extend_from_slice(strip(&format!("{value:.places$}")).as_bytes());
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let exponent = exponent.unsigned_abs();
        text.extend_from_slice(format!("{}e{sign}{exponent:02}", strip(mantissa)).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn digits_of_all_kinds_of_numbers_are_split() {
        for number in (0..100_000_000).step_by(9_973).chain([99_999_999, 10_000, 9_999, 100, 99]) {
            let spelled = (eight_digits(number) | ASCII_ZEROS).to_le_bytes();
            assert_eq!(std::str::from_utf8(&spelled), Ok(&*format!("{number:08}")));
        }
    }

    proptest! {
        #[test]
        fn short_decimals_are_written_as_the_shortest_form(digits in -1_000_000_000_000i64..1_000_000_000_000, places in 0i32..10) {
            let value = digits as f64 / 10f64.powi(places);
            let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
            writer.number(value);
            let text = writer.finish();
            prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
            let mut buffer = zmij::Buffer::new();
            let plain = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
            let shortest = buffer.format_finite(value);
            prop_assert!(plain(&text) <= plain(shortest), "{} {}", text, shortest);
        }

        #[test]
        fn every_finite_double_is_written_exactly(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let mut writer = JsonWriter::new(NumberStyle::ShortestF64);
            writer.number(value);
            prop_assert_eq!(writer.finish().parse::<f64>().unwrap().to_bits(), bits);
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
