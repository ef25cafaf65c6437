//! The clip of the dope sheet and the curves, as stored in the file: before any repair, and before the rig is solved.

use crate::files::document::Document;
use crate::model::rows::{Group, Line, Row, Span, groups, lines};
use dopesheet::Report;
use dopesheet::core::format::ToScene;
use dopesheet::core::model::Clip;
use std::sync::Arc;

/// The dope sheet of a clip.
pub(crate) struct Sheet {
    document: Arc<Document>,
    clip_index: usize,
    /// The clip as stored in the file.
    pub(crate) clip: Clip,
    pub(crate) groups: Vec<Group>,
    /// Filter of the lines: a part of the names to show.
    pub(crate) wanted: String,
    lines: Option<(String, Vec<Line>)>,
    /// The stretch of time in sight.
    pub(crate) span: Span,
    /// Group and index of the selected row, whose curves are shown.
    pub(crate) selected: Option<[usize; 2]>,
    /// Rows whose curves stay in sight beside those of the selected row.
    pub(crate) kept: Vec<[usize; 2]>,
}

impl Sheet {
    /// The sheet of a document's clip; empty if the document makes no scene or has no such clip.
    pub(crate) fn new(document: &Arc<Document>, clip_index: usize) -> Self {
        let opened = &document.opened;
        let options =
            ToScene { as_stored: true, fallback_name: Some(opened.stem().to_owned()), ..ToScene::default() };
        let mut scene = opened.format().to_scene(&opened.document, &options, &mut Report::default());
        scene.iter_mut().for_each(|scene| dopesheet::info::name_by_file(&mut scene.clips, opened.stem()));
        let clip = scene.ok().and_then(|mut scene| {
            (clip_index < scene.clips.len()).then(|| scene.clips.swap_remove(clip_index))
        });
        let clip = clip.unwrap_or_default();
        let groups = groups(&clip);
        let selected = most_moving(&groups);
        let mut sheet = Self {
            document: Arc::clone(document),
            clip_index,
            span: Span { from: 0.0, to: 1.0, width: 1.0 },
            clip,
            groups,
            wanted: String::new(),
            lines: None,
            selected,
            kept: Vec::new(),
        };
        sheet.show_all();
        sheet
    }

    /// True for the sheet of this clip of this document.
    pub(crate) fn is_of(&self, document: &Arc<Document>, clip_index: usize) -> bool {
        Arc::ptr_eq(&self.document, document) && self.clip_index == clip_index
    }

    /// Brings the whole clip in sight, with keys before its start and after its end.
    pub(crate) fn show_all(&mut self) {
        let ends = self.groups.iter().flat_map(|group| [group.keys.first(), group.keys.last()]);
        let ends = ends.flatten().copied();
        let end = self.clip.duration.0;
        let (mut from, mut to) = (0.0, if end.is_finite() { end.max(0.0) } else { 0.0 });
        for time in ends {
            (from, to) = (f64::min(from, time), f64::max(to, time));
        }
        let room = ((to - from) * 0.02).max(0.02);
        (self.span.from, self.span.to) = (from - room, to + room);
    }

    /// The lines that pass the filter.
    pub(crate) fn lines(&mut self) -> &[Line] {
        let wanted = &self.wanted;
        if self.lines.as_ref().is_none_or(|(of, _)| of != wanted) {
            self.lines = Some((wanted.clone(), lines(&self.groups, wanted)));
        }
        self.lines.as_ref().map_or(&[], |(_, lines)| lines)
    }

    /// Opens or closes a group.
    pub(crate) fn fold(&mut self, group: usize) {
        if let Some(group) = self.groups.get_mut(group) {
            group.is_open = !group.is_open;
            self.lines = None;
        }
    }

    /// The selected row.
    pub(crate) fn row(&self) -> Option<(&Group, &Row)> {
        let [group, row] = self.selected?;
        let group = self.groups.get(group)?;
        Some((group, group.rows.get(row)?))
    }

    /// The rows whose curves are shown: the selected row, then the kept rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&Group, &Row)> {
        let kept = self.kept.iter().filter(|kept| Some(**kept) != self.selected);
        self.selected.iter().chain(kept).filter_map(|[group, row]| {
            let group = self.groups.get(*group)?;
            Some((group, group.rows.get(*row)?))
        })
    }

    /// Keeps the curves of the selected row in sight, or no longer if they are kept already.
    pub(crate) fn keep(&mut self) {
        let Some(selected) = self.selected else { return };
        match self.kept.iter().position(|kept| *kept == selected) {
            Some(at) => drop(self.kept.remove(at)),
            None => self.kept.push(selected),
        }
    }

    /// Number of rows.
    pub(crate) fn row_count(&self) -> usize {
        self.groups.iter().map(|group| group.rows.len()).sum()
    }
}

/// The row with the most keys, selected at first: users want to see the curves of a row that moves.
fn most_moving(groups: &[Group]) -> Option<[usize; 2]> {
    let rows = groups
        .iter()
        .enumerate()
        .flat_map(|(g, group)| group.rows.iter().enumerate().map(move |(r, row)| (row.keys.len(), [g, r])));
    // Of rows with equally many keys, the first.
    rows.fold(None, |best: Option<(usize, [usize; 2])>, row| match best {
        Some(best) if best.0 >= row.0 => Some(best),
        _ => Some(row),
    })
    .map(|(_, position)| position)
}
