//! The tabs below and beside the scene.

/// A tab below or beside the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    #[default]
    Sheet,
    Curves,
    Facts,
    Findings,
    Compare,
    Figure,
    Change,
    Export,
}

impl Tab {
    pub(crate) const BELOW: [Self; 2] = [Self::Sheet, Self::Curves];
    pub(crate) const BESIDE: [Self; 6] =
        [Self::Facts, Self::Findings, Self::Compare, Self::Figure, Self::Change, Self::Export];

    pub(crate) const ALL: [Self; 8] = [
        Self::Sheet,
        Self::Curves,
        Self::Facts,
        Self::Findings,
        Self::Compare,
        Self::Figure,
        Self::Change,
        Self::Export,
    ];

    /// Its word in addresses.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Sheet => "sheet",
            Self::Curves => "curves",
            Self::Facts => "facts",
            Self::Findings => "findings",
            Self::Compare => "compare",
            Self::Figure => "figure",
            Self::Change => "change",
            Self::Export => "export",
        }
    }

    /// The label of the tab.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Sheet => "Dope sheet",
            Self::Curves => "Curves",
            Self::Facts => "Facts",
            Self::Findings => "Findings",
            Self::Compare => "Compare",
            Self::Figure => "Put on",
            Self::Change => "Change",
            Self::Export => "Export",
        }
    }
}
