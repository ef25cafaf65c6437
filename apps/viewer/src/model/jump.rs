//! From the subject of a finding to a row and a time.

use crate::model::rows::Group;
use dopesheet::core::diag::Subject;

/// Row and time of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Jump {
    /// Indices of a group and of a row in the group.
    pub(crate) row: Option<[usize; 2]>,
    /// The time, in seconds.
    pub(crate) time: Option<f64>,
}

/// The row of the finding's channel, or else the first row of its target; among equal names, a row with a key at the finding's time.
pub(crate) fn jump(subject: &Subject, groups: &[Group]) -> Jump {
    let time = subject.time.map(|time| time.0);
    let mut best = None;
    for (index, group) in
        groups.iter().enumerate().filter(|(_, g)| Some(&g.target) == subject.target.as_ref())
    {
        for (row_index, row) in group.rows.iter().enumerate() {
            let is_meant = subject.channel.as_ref().is_some_and(|channel| *channel == row.name);
            let has_key = time.is_some_and(|time| row.keys.iter().any(|key| (key - time).abs() < 1e-6));
            let rank = (is_meant, has_key);
            if best.is_none_or(|(other, _)| rank > other) {
                best = Some((rank, [index, row_index]));
            }
        }
    }
    Jump { row: best.map(|(_, row)| row), time }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::rows::Row;
    use dopesheet::Seconds;
    use dopesheet::core::model::TargetKind;

    fn group(target: &str, rows: &[(&str, f64)]) -> Group {
        let row =
            |(name, key): &(&str, f64)| Row { place: [0; 3], name: (*name).to_owned(), keys: vec![*key] };
        let rows = rows.iter().map(row).collect();
        Group { target: target.into(), kind: TargetKind::Joint, rows, keys: Vec::new(), is_open: false }
    }

    #[test]
    fn findings_lead_to_what_they_are_about() {
        let groups = [
            group("腕", &[("rotation", 0.0)]),
            group("腕捩", &[("translation", 0.5), ("rotation", 0.5)]),
            group("腕", &[("rotation", 2.0)]),
        ];
        let arm_twist = Subject::target("腕捩").channel(Some("rotation")).at(Some(Seconds(0.5)));
        assert_eq!(jump(&arm_twist, &groups), Jump { row: Some([1, 1]), time: Some(0.5) });
        assert_eq!(jump(&Subject::target("腕捩"), &groups), Jump { row: Some([1, 0]), time: None });
        let twin = Subject::target("腕").at(Some(Seconds(2.0)));
        assert_eq!(jump(&twin, &groups), Jump { row: Some([2, 0]), time: Some(2.0) });
        let marker = Subject::moment(Seconds(1.5));
        assert_eq!(jump(&marker, &groups), Jump { row: None, time: Some(1.5) });
        assert_eq!(jump(&Subject::target("脚"), &groups), Jump::default());
    }
}
