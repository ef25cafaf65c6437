//! From a finding to the key that it is about, by what its text says: the name of a target, and a frame or a time.

use crate::rows::Group;

/// Where a finding leads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Jump {
    /// A row: a group and its place in that.
    pub(crate) row: Option<[usize; 2]>,
    /// In seconds.
    pub(crate) time: Option<f64>,
}

/// Where the text of a finding leads: to the row of the longest name of a target in it, and of those of that target to the one
/// whose channel is named, or else the first; to `frame 12` or `1.5 s`, or else to the key that a path counts.
pub(crate) fn jump(text: &str, groups: &[Group], fps: f64) -> Jump {
    let named = groups
        .iter()
        .enumerate()
        .filter(|(_, group)| !group.target.is_empty() && text.contains(&group.target));
    let group = named.max_by_key(|(_, group)| group.target.len());
    let row = group.map(|(index, group)| {
        let row = group.rows.iter().position(|row| text.contains(&row.name)).unwrap_or(0);
        [index, row]
    });
    let told = after(text, "frame ").map(|frame| frame / fps).or_else(|| before(text, " s"));
    let counted = || {
        let [group, row] = row?;
        let key = after(text, "keys[").or_else(|| after(text, "/keys/"))? as usize;
        groups[group].rows[row].keys.get(key).copied()
    };
    Jump { row, time: told.or_else(counted) }
}

/// The number that stands right behind a word.
fn after(text: &str, word: &str) -> Option<f64> {
    text.match_indices(word).find_map(|(at, _)| {
        let rest = &text[at + word.len()..];
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.').parse().ok()
    })
}

/// The number that stands right before a unit, which is a word of its own.
fn before(text: &str, unit: &str) -> Option<f64> {
    text.match_indices(unit).find_map(|(at, _)| {
        let is_word = text[at + unit.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        let start =
            text[..at].rfind(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).map_or(0, |i| i + 1);
        let start = (start..=at).find(|i| text.is_char_boundary(*i))?;
        is_word.then(|| text[start..at].parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Row;
    use dopesheet::core::model::TargetKind;

    fn group(target: &str, rows: &[&str]) -> Group {
        let row = |name: &&str| Row { place: [0; 3], name: (*name).to_owned(), keys: vec![0.0, 0.5, 2.0] };
        let rows = rows.iter().map(row).collect();
        Group { target: target.into(), kind: TargetKind::Joint, rows, keys: Vec::new(), is_open: false }
    }

    #[test]
    fn findings_lead_to_what_they_name() {
        let groups = [group("腕", &["rotation"]), group("腕捩", &["translation", "rotation"])];
        let is = jump(
            "byte 54 (bone keys[1].rotation): expected one key of 腕捩 at frame 60, found two",
            &groups,
            30.0,
        );
        assert_eq!(is, Jump { row: Some([1, 1]), time: Some(2.0) });
        let is = jump("keys of 腕 (keys[1]): found none", &groups, 30.0);
        assert_eq!(is, Jump { row: Some([0, 0]), time: Some(0.5) });
        assert_eq!(jump("a jump at 1.25 s, found", &groups, 30.0), Jump { row: None, time: Some(1.25) });
        assert_eq!(jump("腕捩腕 frames 3 sizes frame", &[], 30.0), Jump::default());
    }
}
