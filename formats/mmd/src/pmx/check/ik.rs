//! IK chains.

use super::bones::called;
use super::spot::fault_at;
use super::{CheckFn, Subject};
use crate::pmx::codes;
use crate::pmx::document::Ik;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Sightings;

pub(super) const CHECKS: &[CheckFn] = &[chain, goal, iterations, limit];

fn chains<'a>(subject: &Subject<'a>) -> impl Iterator<Item = (usize, &'a Ik)> {
    let bones = &subject.document.bones;
    bones.iter().enumerate().filter_map(|(index, bone)| Some((index, bone.ik.as_ref()?)))
}

/// Links to existing bones, with their number in the chain.
fn links(ik: &Ik) -> impl Iterator<Item = (usize, usize)> {
    ik.links.iter().enumerate().filter_map(|(number, link)| Some((number, link.bone.get()?)))
}

fn chain(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::IK_CHAIN));
    let count = document.bones.len();
    for (index, ik) in chains(subject) {
        let Some(target) = ik.target.get().filter(|target| *target < count) else { continue };
        for (number, link) in links(ik).filter(|(_, link)| *link < count) {
            if !subject.parents.leads_to(target, link) {
                let actual = || format!("{}, target {}", called(document, link), called(document, target));
                let what = || ("a bone that carries the target", actual());
                let lists = [("bones", index), ("IK links", number)];
                seen.add(|| fault_at(document, &lists, "bone", what()));
            }
        }
    }
    seen.report(report);
}

fn goal(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::IK_GOAL));
    for (index, ik) in chains(subject) {
        for (number, link) in links(ik) {
            if link == index || subject.parents.leads_to(index, link) {
                let actual = || format!("{}, IK bone {}", called(document, link), called(document, index));
                let what = || ("a bone that does not carry the IK bone", actual());
                let lists = [("bones", index), ("IK links", number)];
                seen.add(|| fault_at(document, &lists, "bone", what()));
            }
        }
    }
    seen.report(report);
}

fn iterations(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::IK_ITERATIONS));
    for (index, ik) in chains(subject).filter(|(_, ik)| ik.iterations < 0) {
        let what = ("0 or more", format!("{} ({})", ik.iterations, called(document, index)));
        seen.add(|| fault_at(document, &[("bones", index)], "IK iterations", what));
    }
    seen.report(report);
}

fn limit(subject: &Subject<'_>, report: &mut Report) {
    let (document, mut seen) = (subject.document, Sightings::of(codes::IK_LIMIT));
    for (index, ik) in chains(subject) {
        for (number, link) in ik.links.iter().enumerate() {
            let Some(limit) = link.limit else { continue };
            if limit.min_rad.iter().zip(limit.max_rad).any(|(min, max)| *min > max) {
                let actual = || format!("{:?}, highest {:?}", limit.min_rad, limit.max_rad);
                let what = || ("angles not above the highest", actual());
                let lists = [("bones", index), ("IK links", number)];
                seen.add(|| fault_at(document, &lists, "lowest angles", what()));
            }
        }
    }
    seen.report(report);
}
