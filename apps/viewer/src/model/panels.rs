//! The panels around the scene: the chosen tabs, and the frames of their first drawings.

use crate::model::tab::Tab;

/// Number of frames after which all tabs of a file are drawn.
const SETTLED: u8 = 8;

/// The panels around the scene.
pub(crate) struct Panels {
    /// The tab below the scene; in a narrow window, any tab.
    pub(crate) tab: Tab,
    /// The tab beside the scene.
    pub(crate) side: Tab,
    pub(crate) shows_side: bool,
    /// True while the keys of the keyboard are listed over everything.
    pub(crate) shows_keys: bool,
    /// True to give the keyboard to the filter of names.
    pub(crate) wants_filter: bool,
    /// Number of drawn frames since the last restart.
    seen_frames: u8,
}

impl Panels {
    pub(crate) const fn new() -> Self {
        Self {
            tab: Tab::Sheet,
            side: Tab::Facts,
            shows_side: true,
            shows_keys: false,
            wants_filter: false,
            seen_frames: 0,
        }
    }

    /// Opens a tab, below the scene or beside it.
    pub(crate) fn open(&mut self, tab: Tab) {
        self.tab = tab;
        if Tab::BESIDE.contains(&tab) {
            self.side = tab;
        }
    }

    /// True if a tab is open somewhere.
    pub(crate) fn shows(&self, tab: Tab) -> bool {
        self.tab == tab || self.side == tab
    }

    /// Starts to count frames anew, for other files or other states of files.
    pub(crate) const fn restart(&mut self) {
        self.seen_frames = 0;
    }

    /// True once a tab may be drawn: the pose is drawn first, and then one part after the other.
    pub(crate) fn is_time_for(&self, tab: Tab) -> bool {
        self.seen_frames > if Tab::BELOW.contains(&tab) { 0 } else { 1 }
    }

    /// Counts a frame. True while further frames have more to show.
    pub(crate) const fn count(&mut self) -> bool {
        let is_settling = self.seen_frames < SETTLED;
        if is_settling {
            self.seen_frames += 1;
        }
        is_settling
    }
}
