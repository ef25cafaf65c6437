//! The state of the viewer as a text for an address: `#t=1.5&tab=curves&other=1`.

use crate::model::tab::Tab;
use crate::platform;
use std::fmt;

/// The part of the viewer's state kept in the address.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// In seconds.
    pub(crate) time: Option<f64>,
    pub(crate) tab: Option<Tab>,
    /// Position of the file to compare with.
    pub(crate) other: Option<usize>,
}

impl State {
    /// Reads the text written by [`fmt::Display`]. Unknown names and values are left out.
    pub(crate) fn parse(text: &str) -> Self {
        let mut state = Self::default();
        for (name, value) in text.trim_start_matches('#').split('&').filter_map(|part| part.split_once('=')) {
            match name {
                "t" => state.time = value.parse().ok().filter(|time: &f64| time.is_finite()),
                "tab" => state.tab = Tab::ALL.into_iter().find(|tab| tab.id() == value),
                "other" => state.other = value.parse().ok(),
                _ => {}
            }
        }
        state
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#t={}", (self.time.unwrap_or_default() * 1e4).round() / 1e4)?;
        if let Some(tab) = self.tab {
            write!(f, "&tab={}", tab.id())?;
        }
        self.other.map_or(Ok(()), |other| write!(f, "&other={other}"))
    }
}

/// The address of the page, with the state.
pub(crate) struct Address {
    /// The state named in the address at the start, until files are open.
    pub(crate) wanted: Option<State>,
    kept: String,
}

impl Address {
    /// The address at the start of the program.
    pub(crate) fn new(text: &str) -> Self {
        Self { wanted: Some(State::parse(text)), kept: String::new() }
    }

    /// Keeps another state.
    pub(crate) fn keep(&mut self, state: &State) {
        let text = state.to_string();
        if text != self.kept {
            platform::remember(&text);
            self.kept = text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let state = State { time: Some(1.25), tab: Some(Tab::Curves), other: Some(2) };
        assert_eq!(State::parse(&state.to_string()), state);
    }

    #[test]
    fn what_makes_no_sense_is_left_out() {
        assert_eq!(State::parse("#t=NaN&tab=moon&other=-1&x&=&t"), State::default());
        assert_eq!(State::parse(""), State::default());
    }
}
