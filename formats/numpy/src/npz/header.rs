//! The header of an array: a dictionary in Python's spelling.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::array::Dtype;

/// Content of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) dtype: Dtype,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<usize>,
}

/// Fault of a header: its place, in bytes from the header's start, and the text expected there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Odd {
    pub(super) at: usize,
    pub(super) expected: &'static str,
}

/// Most indices of an array (NumPy 2).
const MOST_INDICES: usize = 64;

/// Reads the text of a header: `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }` and blanks.
pub(super) fn parse(text: &str) -> Result<Said, Odd> {
    let mut scanner = Scanner { text, rest: text };
    let (mut dtype, mut fortran_order, mut shape) = (None, None, None);
    scanner.expect('{', "a dictionary")?;
    while !scanner.skip('}') {
        let at = scanner.at();
        let key = scanner.quoted("a key in quotes")?;
        scanner.expect(':', "a colon")?;
        let is_new = match key {
            "descr" => dtype.replace(scanner.dtype()?).is_none(),
            "fortran_order" => fortran_order.replace(scanner.switch()?).is_none(),
            "shape" => shape.replace(scanner.shape()?).is_none(),
            _ => false,
        };
        if !is_new {
            return Err(Odd { at, expected: "one of the keys descr, fortran_order and shape, each once" });
        }
        if !scanner.skip(',') {
            scanner.expect('}', "a comma or the end of the dictionary")?;
            break;
        }
    }
    if !scanner.rest.trim_matches(is_blank).is_empty() {
        return Err(Odd { at: scanner.at(), expected: "nothing after the dictionary" });
    }
    match (dtype, fortran_order, shape) {
        (Some(dtype), Some(fortran_order), Some(shape)) => Ok(Said { dtype, fortran_order, shape }),
        _ => Err(Odd { at: 0, expected: "the keys descr, fortran_order and shape" }),
    }
}

const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

struct Scanner<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn at(&self) -> usize {
        self.text.len().saturating_sub(self.rest.len())
    }

    fn odd<T>(&self, expected: &'static str) -> Result<T, Odd> {
        Err(Odd { at: self.at(), expected })
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(is_blank);
    }

    fn skip(&mut self, c: char) -> bool {
        self.blanks();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, c: char, expected: &'static str) -> Result<(), Odd> {
        if self.skip(c) { Ok(()) } else { self.odd(expected) }
    }

    /// A text in quotes of either kind, without escapes.
    fn quoted(&mut self, expected: &'static str) -> Result<&'a str, Odd> {
        self.blanks();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let Some(quote) = quote else { return self.odd(expected) };
        let inside = self.rest.strip_prefix(quote).unwrap_or_default();
        let Some((text, rest)) = inside.split_once(quote) else { return self.odd("a closing quote") };
        if text.contains('\\') {
            return self.odd("a text without escapes");
        }
        self.rest = rest;
        Ok(text)
    }

    fn dtype(&mut self) -> Result<Dtype, Odd> {
        self.blanks();
        if self.rest.starts_with(['[', '(']) {
            return Ok(Dtype::from_descr(self.list()?, false));
        }
        Ok(Dtype::from_descr(self.quoted("a type in quotes, or a list of fields")?, true))
    }

    /// A list with any contents, up to its closing bracket.
    fn list(&mut self) -> Result<&'a str, Odd> {
        let (mut depth, mut quote) = (0usize, None);
        for (at, c) in self.rest.char_indices() {
            match (quote, c) {
                (Some(open), _) if c == open => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '[' | '(' | '{') => depth = depth.saturating_add(1),
                (None, ']' | ')' | '}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        let end = at.saturating_add(c.len_utf8());
                        let (list, rest) = self.rest.split_at_checked(end).unwrap_or_default();
                        self.rest = rest;
                        return Ok(list);
                    }
                }
                (None, _) => {}
            }
        }
        self.odd("a closing bracket")
    }

    fn switch(&mut self) -> Result<bool, Odd> {
        self.blanks();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(value);
            }
        }
        self.odd("True or False")
    }

    fn shape(&mut self) -> Result<Vec<usize>, Odd> {
        let expected = "a tuple of whole numbers";
        self.expect('(', expected)?;
        let mut shape = Vec::new();
        while !self.skip(')') {
            self.blanks();
            let digits = self.rest.chars().take_while(char::is_ascii_digit).count();
            let (number, rest) = self.rest.split_at_checked(digits).unwrap_or_default();
            let Ok(number) = number.parse() else { return self.odd(expected) };
            if shape.len() == MOST_INDICES {
                return self.odd("at most 64 lengths");
            }
            shape.push(number);
            // Python 2 wrote long numbers with this letter.
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            if !self.skip(',') {
                self.expect(')', "a comma or the end of the tuple")?;
                break;
            }
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_dictionaries_with_three_keys() {
        let parsed = parse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }   \n").unwrap();
        assert_eq!(parsed, Said { dtype: Dtype::F64, fortran_order: false, shape: vec![2, 3] });
        let parsed_types =
            parse("{\"shape\":(5L,),'fortran_order':True,'descr':[('a, }', '<f4', (2,)), ('b', '|O')]}")
                .unwrap();
        assert_eq!((parsed_types.shape, parsed_types.fortran_order), (vec![5], true));
        assert_eq!(parsed_types.dtype.to_string(), "[('a, }', '<f4', (2,)), ('b', '|O')]");
        assert_eq!(
            parse("{'descr':'|b1','fortran_order':False,'shape':()}").unwrap().shape,
            Vec::<usize>::new()
        );
    }

    #[test]
    fn what_is_no_header_is_named_with_its_place() {
        let odd = |text: &str| parse(text).unwrap_err();
        assert_eq!(odd("").expected, "a dictionary");
        assert_eq!(odd("{'descr': '<f8', 'descr': '<f8'}").at, 17);
        assert_eq!(odd("{'descr': '<f8'}").expected, "the keys descr, fortran_order and shape");
        assert_eq!(odd("{'shape': (-1,)}").expected, "a tuple of whole numbers");
        assert_eq!(odd("{'shape': (1 2)}").expected, "a comma or the end of the tuple");
        assert_eq!(odd("{'descr': [(}").expected, "a closing bracket");
        assert_eq!(odd("{'descr': '\\x41'}").expected, "a text without escapes");
        assert_eq!(odd("{'fortran_order': 1}").expected, "True or False");
        assert!(parse(&format!("{{'shape': ({})}}", "1,".repeat(65))).is_err());
        assert!(parse("{'shape': (99999999999999999999999,)}").is_err());
    }
}
