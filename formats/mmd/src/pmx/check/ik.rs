//! IK chains.

use super::DocumentCheck;
use super::bones::called;
use crate::pmx::codes;
use crate::pmx::document::{Document, Ik, IkLink};

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    let (document, parents) = (look.document, look.parents);
    let count = document.bones.len();
    for (lists, ik, link) in links(document) {
        let Some((target, link)) = ik.target.get().zip(link.bone.get()) else { continue };
        if target < count && link < count && !parents.leads_to(target, link) {
            let actual = || format!("{}, target {}", called(document, link), called(document, target));
            look.say(codes::IK_CHAIN, &lists, "bone", || ("a bone that carries the target", actual()));
        }
    }
    for (lists, _, link) in links(document) {
        let ([(_, bone), _], Some(link)) = (lists, link.bone.get()) else { continue };
        if link == bone || parents.leads_to(bone, link) {
            let actual = || format!("{}, IK bone {}", called(document, link), called(document, bone));
            let what = || ("a bone that does not carry the IK bone", actual());
            look.say(codes::IK_GOAL, &lists, "bone", what);
        }
    }
    for (bone, ik) in chains(document).filter(|(_, ik)| ik.iterations < 0) {
        let what = || ("0 or more", format!("{} ({})", ik.iterations, called(document, bone)));
        look.say(codes::IK_ITERATIONS, &[("bones", bone)], "IK iterations", what);
    }
    for (lists, _, link) in links(document) {
        let Some(limit) = link.limit else { continue };
        if limit.min_rad.iter().zip(limit.max_rad).any(|(min, max)| *min > max) {
            let actual = || format!("{:?}, highest {:?}", limit.min_rad, limit.max_rad);
            look.say(codes::IK_LIMIT, &lists, "lowest angles", || ("angles not above the highest", actual()));
        }
    }
}

fn chains(document: &Document) -> impl Iterator<Item = (usize, &Ik)> {
    document.bones.iter().enumerate().filter_map(|(at, bone)| Some((at, bone.ik.as_ref()?)))
}

/// The links of all chains, with the place of each.
fn links(document: &Document) -> impl Iterator<Item = ([(&'static str, usize); 2], &Ik, &IkLink)> {
    chains(document).flat_map(|(bone, ik)| {
        ik.links.iter().enumerate().map(move |(at, link)| ([("bones", bone), ("IK links", at)], ik, link))
    })
}
