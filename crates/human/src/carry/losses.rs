//! Report of the motion of a retargeted figure.

use super::followers::Followers;
use crate::body::figure::Figure;
use crate::body::moves::{Moves, Way};
use crate::body::shape::Body;
use crate::body::upright::Resting;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Clip, Scene, TargetKind};
use dopesheet_core::order;
use dopesheet_core::words::{agreeing, counted, length};
use std::collections::BTreeMap;

/// Most names in a line.
const MOST_NAMES: usize = 12;

/// Reports the node of each bone, and the number of bones moved by any clip.
pub(crate) fn bones(body: &Body<'_>, moving: usize, report: &mut Report) {
    let name =
        |node: usize| body.figure.scene.nodes.get(node).map(|node| node.name.as_str()).unwrap_or_default();
    let pairs: Vec<_> =
        body.bones.iter().map(|(bone, joint)| format!("{} from {}", bone.word(), name(joint.node))).collect();
    let (all, list) = (pairs.len(), pairs.join(", "));
    let bones = counted(all, "bone");
    report.kept(match moving {
        0 => format!("the rest pose of {bones} of a humanoid: {list}"),
        _ => {
            format!("{bones} of a humanoid, {moving} of which {}: {list}", agreeing(moving, "moves", "move"))
        }
    });
    if matches!(body.resting, Resting::Posed | Resting::Bent) {
        report.kept(
            "the rest pose, which is a moment of a motion, with its trunk, neck and head taken as straight",
        );
    }
    let up = body.up().to_array();
    if let Some((axis, part)) = ["X", "Y", "Z"].into_iter().zip(up).find(|(_, part)| part.abs() > 0.5)
        && (axis != "Y" || part < 0.0)
    {
        let sign = if part < 0.0 { "-" } else { "" };
        report.kept(format!("the way up as the figure stands, along {sign}{axis} where the format says Y"));
    }
    if let Some(node) = body.figure.humanoid.root_motion {
        report.kept(format!("the motion of {} apart from that of the hips", name(node.0)));
    }
}

/// Reports a ground away from the file's zero; reports nothing at 0.
pub(crate) fn ground(height_m: f64, report: &mut Report) {
    if height_m != 0.0 {
        let side = if height_m < 0.0 { "below" } else { "above" };
        let what = format!(
            "the ground, taken from where its feet stand: {} {side} the file's zero",
            length(height_m.abs())
        );
        report.kept(what);
    }
}

/// Moving nodes of a clip that are no bones.
pub(crate) struct Others {
    /// Nodes with a motion that is folded into the bones beside them.
    folded: Vec<usize>,
    /// Nodes with a motion that the rig carried on to bones.
    led: Vec<usize>,
    /// Nodes that are no part of the figure.
    pub(crate) left_out: Vec<usize>,
}

impl Others {
    pub(crate) fn of<'a>(
        Figure { scene, humanoid }: Figure<'_>,
        moves: &Moves<'_>,
        ways: impl Iterator<Item = &'a Way>,
        followers: &Followers,
    ) -> Self {
        let mapped = order::set(humanoid.bones.values().chain(&humanoid.root_motion).map(|node| node.0));
        let used = order::set(ways.flat_map(Way::nodes));
        let mut leading = used.clone();
        followers.add_leaders(scene, &mut leading);
        let moving = (0..scene.nodes.len()).filter(|node| moves.moves(*node) && !mapped.contains(node));
        let (folded, unused): (Vec<usize>, Vec<usize>) = moving.partition(|node| used.contains(node));
        let (led, left_out) = unused.into_iter().partition(|node| leading.contains(node));
        Self { folded, led, left_out }
    }
}

/// Reports the nodes folded into bones, and the moving nodes and tracks outside the figure.
pub(crate) fn rest(scene: &Scene, clip: &Clip, others: &Others, for_avatars: bool, report: &mut Report) {
    if !others.folded.is_empty() {
        let folded = listed(scene, &others.folded);
        report.kept(format!("the motion of {folded}, folded into the bones beside them"));
    }
    if !others.led.is_empty() {
        let led = listed(scene, &others.led);
        report.kept(format!("the motion of {led}, which the rig carried on to bones of the figure"));
    }
    if !others.left_out.is_empty() {
        let why = match for_avatars {
            true => "no part of a humanoid",
            false => "no part of a humanoid, or of no bone that the target has",
        };
        report.dropped(format!("the motion of {}", listed(scene, &others.left_out)), why);
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for track in &clip.tracks {
        if !matches!(track.target.kind, TargetKind::Joint | TargetKind::Morph) {
            let count = kinds.entry(track.target.kind.word()).or_default();
            *count = count.saturating_add(1);
        }
    }
    for (kind, count) in kinds {
        report.dropped(counted(count, &format!("{kind} track")), "no part of a humanoid");
    }
}

fn listed(scene: &Scene, nodes: &[usize]) -> String {
    let names = nodes.iter().filter_map(|node| scene.nodes.get(*node)).map(|node| node.name.as_str());
    let names: Vec<&str> = names.take(MOST_NAMES).collect();
    let more = match nodes.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match names.as_slice() {
        [name] => (*name).to_owned(),
        names => format!("{} nodes ({}{more})", nodes.len(), names.join(", ")),
    }
}
