//! Document to report: what the reader met on its way, and what a conversion will make of it.

use super::codes;
use super::document::{Document, Take};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Check;

pub(super) fn check(document: &Document, report: &mut Report) {
    for remark in &document.remarks {
        let times = if remark.count > 1 { format!(" ({} times)", remark.count) } else { String::new() };
        let found = format!("{}{times}", remark.text);
        say(report, remark.check, &remark.path, expected(remark.check), found);
    }
    for take in &document.takes {
        take_start(take, report);
        layers(take, report);
    }
}

fn say(report: &mut Report, check: Check, path: &str, expected: &'static str, found: String) {
    let fault = Fault::new(check.code, Place::File, expected, found).at_path(path);
    report.push(check.severity, fault);
}

/// What a sound file has where the reader remarks something.
fn expected(check: Check) -> &'static str {
    match check.code {
        code if code == codes::AXES.code => "three different axes",
        code if code == codes::UNIT.code => "a length of the unit above 0",
        code if code == codes::FRAME_RATE.code => "a frame rate above 0",
        code if code == codes::IN_BETWEEN.code => "one shape per morph",
        code if code == codes::NONFINITE.code => "finite numbers",
        _ => "what the format asks for",
    }
}

fn take_start(take: &Take, report: &mut Report) {
    if take.begin.0 != 0.0 {
        let found = format!("a beginning at {} s, which is time 0 of the clip", take.begin.0);
        say(report, codes::TAKE_START, &path(take), "a beginning at 0 s", found);
    }
}

fn layers(take: &Take, report: &mut Report) {
    if take.layers > 1 {
        let found = format!("{}, put together as {} keys", take.layers, take.baked.keys);
        say(report, codes::LAYERS, &path(take), "one layer", found);
    }
}

fn path(take: &Take) -> String {
    format!("take {:?}", take.name)
}
