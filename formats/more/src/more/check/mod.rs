//! All faults and remarkable facts of a document: one function per code.

mod actor;
mod curves;
mod file;
mod guesses;
mod keys;
mod numbers;
mod visit;

use super::animation::Animation;
use super::clip::SubResource;
use super::document::{Document, Resource};
use dopesheet_core::diag::Report;
use dopesheet_core::format::SightingsByCode;
use visit::Subject;

pub(super) fn check(document: &Document, report: &mut Report) {
    let mut seen = SightingsByCode::default();
    file::check(document, &mut seen);
    match &document.resource {
        Resource::Animation(animation) => {
            check_animation(&Subject::top(document, animation), &mut seen);
        }
        Resource::Clip(clip) => {
            file::clip(clip, &mut seen);
            for (layer, resource) in clip.content.layers().iter().enumerate() {
                if let SubResource::Embedded(animation) = resource {
                    check_animation(&Subject::layer(document, animation, layer), &mut seen);
                }
            }
        }
        Resource::Actor(actor) => {
            actor::check(actor, document.version, &mut seen);
            guesses::actor(actor, &document.assumed, &mut seen);
        }
        Resource::Opaque(_) => {}
    }
    seen.report(report);
}

fn check_animation(subject: &Subject<'_>, seen: &mut SightingsByCode) {
    let animation: &Animation = subject.animation;
    numbers::animation(subject, animation, seen);
    keys::animation(subject, animation, seen);
    for track in subject.tracks() {
        for check in [numbers::CHECKS, keys::CHECKS, curves::CHECKS, guesses::CHECKS].into_iter().flatten() {
            check(&track, seen);
        }
    }
}

/// A function for a single code and track.
type CheckFn = fn(&visit::Located<'_>, &mut SightingsByCode);
