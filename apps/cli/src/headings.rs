//! Headings in help for options not needed every day.

pub(crate) const READING: &str = "Reading";
pub(crate) const MANY: &str = "Many files";
pub(crate) const REPORTS: &str = "Reports";
pub(crate) const FIGURES: &str = "Models and figures";
pub(crate) const LOOKS: &str = "Names and looks";
pub(crate) const MOTION: &str = "Keys and motion";
