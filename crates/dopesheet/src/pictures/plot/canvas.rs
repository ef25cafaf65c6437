//! Lines of SVG.

use std::fmt::{Display, Write};

/// Names of system fonts, some of them Japanese; no font is loaded.
const FONTS: &str =
    "system-ui,'Segoe UI','Hiragino Sans','Noto Sans CJK JP','Noto Sans JP','Yu Gothic',sans-serif";

pub(super) const PAPER: &str = "#ffffff";
pub(super) const INK: &str = "#1f2937";
pub(super) const QUIET: &str = "#6b7280";
pub(super) const FAINT: &str = "#9ca3af";
pub(super) const LINE: &str = "#e5e7eb";
pub(super) const BAND: &str = "#f8fafc";
pub(super) const MARKER: &str = "#b45309";

/// Anchor of a text.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture in the making.
pub(super) struct Canvas {
    out: String,
}

impl Canvas {
    /// A picture of a size in pixels.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut canvas = Self { out: String::new() };
        canvas.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\">"
        ));
        canvas.title(title);
        canvas.rect([0.0, 0.0, width, height], PAPER);
        canvas
    }

    pub(super) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.out, "{text}");
    }

    /// Starts a group of shapes, with a title to show under the pointer.
    pub(super) fn group(&mut self, title: &str) {
        self.line("<g>");
        self.title(title);
    }

    pub(super) fn end_group(&mut self) {
        self.line("</g>");
    }

    fn title(&mut self, text: &str) {
        self.line(format_args!("<title>{}</title>", Escaped(text)));
    }

    /// Left, top, width and height.
    pub(super) fn rect(&mut self, [x, y, width, height]: [f64; 4], fill: &str) {
        let [x, y, width, height] = [x, y, width, height].map(Short);
        self.line(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        ));
    }

    pub(super) fn fill(&mut self, path: &str, fill: &str) {
        if !path.is_empty() {
            self.line(format_args!("<path d=\"{path}\" fill=\"{fill}\"/>"));
        }
    }

    /// `more`: further attributes.
    pub(super) fn stroke(&mut self, path: &str, colour: &str, width: f64, more: &str) {
        if !path.is_empty() {
            let width = Short(width);
            self.line(format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{more}/>"
            ));
        }
    }

    pub(super) fn text(&mut self, [x, y]: [f64; 2], size: f64, colour: &str, anchor: Anchor, text: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let ([x, y, size], text) = ([x, y, size].map(Short), Escaped(text));
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\"{anchor}>{text}</text>"
        ));
    }
}

/// A coordinate, to a tenth of a pixel.
#[derive(Clone, Copy)]
pub(super) struct Short(pub(super) f64);

impl Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round();
        // No minus in front of zero.
        write!(f, "{}", if tenths == 0.0 { 0.0 } else { tenths / 10.0 })
    }
}

/// Text escaped for XML; characters that XML cannot hold become U+FFFD.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Width of a letter in half-width characters: Chinese, Japanese and Korean letters are two wide.
fn letter_width(c: char) -> usize {
    1 + usize::from(matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{ff60}' | '\u{20000}'..))
}

/// Width of a text in half-width characters.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(letter_width).sum()
}

/// A name cut to a width in half-width characters.
pub(super) fn shortened(name: &str, max_width: usize) -> String {
    if width(name) <= max_width {
        return name.to_owned();
    }
    let mut left = max_width.saturating_sub(1);
    let fits = |c: &char| {
        let fits = letter_width(*c) <= left;
        left = left.saturating_sub(letter_width(*c));
        fits
    };
    name.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_legal_xml() {
        assert_eq!(Escaped("<a & \"b\">\u{1}\n右").to_string(), "&lt;a &amp; &quot;b&quot;&gt;\u{fffd} 右");
    }

    #[test]
    fn names_are_cut_by_how_wide_they_are() {
        assert_eq!(shortened("センター", 8), "センター");
        assert_eq!(shortened("センターベース", 8), "センタ…");
        assert_eq!(shortened("LeftUpperArm", 8), "LeftUpp…");
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([1.0, 1.25, -0.01, 100.04].map(|x| Short(x).to_string()), ["1", "1.3", "0", "100"]);
    }
}
