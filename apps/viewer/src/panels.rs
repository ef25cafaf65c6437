//! The panels around the scene: the tabs that are chosen, and when they are first drawn.

use crate::tab::Tab;

/// Number of frames after which everything is drawn that is shown of a file.
const SETTLED: u8 = 8;

/// The panels around the scene.
pub(crate) struct Panels {
    /// The tab below the scene; in a narrow window also those beside it.
    pub(crate) tab: Tab,
    /// The tab beside the scene.
    pub(crate) side: Tab,
    pub(crate) shows_side: bool,
    /// True while the keys of the keyboard are listed over everything.
    pub(crate) shows_keys: bool,
    /// True if somebody wants to write into the filter of names.
    pub(crate) wants_filter: bool,
    /// Number of frames in which what is shown now was drawn.
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

    /// Opens a tab, wherever it is.
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

    /// Starts anew with something else to show.
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
