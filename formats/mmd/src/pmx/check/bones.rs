//! Parents of bones, and the order of solving.

use super::DocumentCheck;
use crate::pmx::codes;
use crate::pmx::document::{Bone, BoneFlags, Document, Index};
use crate::pmx::skeleton::Links;
use dopesheet_core::format::Check;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let document = look.document;
    cycle(look, codes::PARENT_CYCLE, look.parents, "parent", |bone| bone.parent);
    let source = |bone: &Bone| bone.append.map_or(Index::NONE, |append| append.source);
    cycle(look, codes::APPEND_CYCLE, look.append_sources, "append source", source);
    let bones = || document.bones.iter().enumerate();
    for (at, bone) in bones().filter(|(_, bone)| bone.append.is_some() && source(bone) == Index::NONE) {
        let what = || ("a bone", format!("-1 ({})", document.text(&bone.name)));
        look.say(codes::APPEND_NONE, &[("bones", at)], "append source", what);
    }
    for (at, bone) in bones().filter(|(_, bone)| bone.fixed_axis == Some([0.0; 3])) {
        let what = || ("a direction", format!("0, 0, 0 ({})", document.text(&bone.name)));
        look.say(codes::FIXED_AXIS, &[("bones", at)], "fixed axis", what);
    }
    late_parents(look, codes::FORWARD_PARENT, "a bone that comes before", |at| at);
    let turn =
        |at: usize| document.bones.get(at).map(|b| (b.flags.has(BoneFlags::AFTER_PHYSICS), b.level, at));
    late_parents(look, codes::PARENT_ORDER, "a bone that is solved before", turn);
}

fn name(document: &Document, bone: usize) -> String {
    document.bones.get(bone).map(|bone| document.text(&bone.name)).unwrap_or_default()
}

/// A bone's number and name.
pub(super) fn called(document: &Document, bone: usize) -> String {
    format!("{bone} ({})", name(document, bone))
}

/// Largest number of bones of a circle named in a message.
const NAMED: usize = 8;

/// The bones of the circle closed by a cut link: from the link's other end back to the bone whose link was
/// cut.
fn circle(document: &Document, links: &Links, bone: usize, next: Index) -> String {
    let ring = std::iter::successors(next.get(), |at| links.get(*at));
    let mut names: Vec<_> = ring.take(NAMED).map(|at| called(document, at)).collect();
    if names.len() == NAMED {
        names.push("…".to_owned());
    }
    format!("{} → {}", called(document, bone), names.join(" → "))
}

fn cycle(
    look: &mut DocumentCheck<'_>,
    check: Check,
    links: &Links,
    field: &'static str,
    link: impl Fn(&Bone) -> Index,
) {
    let document = look.document;
    for bone in &links.cut {
        let next = document.bones.get(*bone).map_or(Index::NONE, &link);
        let what = || ("a bone that does not lead back here", circle(document, links, *bone, next));
        look.say(check, &[("bones", *bone)], field, what);
    }
}

/// Parents whose turn comes after that of their bone.
fn late_parents<T: PartialOrd>(
    look: &mut DocumentCheck<'_>,
    check: Check,
    expected: &'static str,
    turn: impl Fn(usize) -> T,
) {
    let (document, parents) = (look.document, look.parents);
    for (at, parent) in parents.to.iter().enumerate() {
        if let Some(parent) = parent.filter(|parent| turn(*parent) > turn(at)) {
            let actual = || format!("{} as parent of {}", called(document, parent), name(document, at));
            look.say(check, &[("bones", at)], "parent", || (expected, actual()));
        }
    }
}
