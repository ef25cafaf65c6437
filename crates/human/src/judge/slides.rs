//! Distances by which standing feet and hands slide.

use crate::body::limb::Placed;
use crate::body::tracks::report_largest;
use crate::stand::contacts::Contact;
use crate::stand::ik_pass::Held;
use dopesheet_core::diag::Report;
use dopesheet_core::model::HumanBone;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;

/// A stand with its largest slides in metres, and their times.
struct Slide {
    contact: Contact,
    /// Largest distance before the limb was held, and its time.
    before: (f64, Seconds),
    after: (f64, Seconds),
}

/// Slides of a clip.
struct Slides {
    all: Vec<Slide>,
    /// Largest speed in radians per second by which a lower bone turns faster about the upper one than before, with the bone and the time.
    faster: (f64, HumanBone, f64),
}

/// Reports the stands of a held clip with their slides, and the largest error of the keys that hold them.
pub(crate) fn report(held: &Held, clip: usize, report: &mut Report) {
    Slides::of(held).report(clip, report);
    let curves = counted(held.errors.len(), "curve");
    report_largest(format!("{curves} re-keyed to keep feet and hands planted"), held.errors.clone(), report);
}

impl Slides {
    /// Slides of limbs before they were held, and now.
    fn of(held: &Held) -> Self {
        let (mut slides, times) =
            (Self { all: Vec::new(), faster: (0.0, HumanBone::Hips, 0.0) }, &held.times);
        for planted in &held.limbs {
            let placed = [planted.placed.as_slice(), &planted.held];
            for contact in &planted.footing.contacts {
                let [before, after] = placed.map(|placed| planted.footing.slide(contact, times, placed));
                slides.all.push(Slide { contact: *contact, before, after });
            }
            let [before, after] = placed.map(|placed| speeds(times, placed));
            let [_, bone, _] = planted.limb.bones;
            for ((after, before), time) in after.zip(before).zip(times.iter().skip(1)) {
                if after - before > slides.faster.0 {
                    slides.faster = (after - before, bone, *time);
                }
            }
        }
        slides
    }

    /// Says how many stands there are, and how far they slide in a clip.
    fn report(&self, clip: usize, report: &mut Report) {
        let of = |slide: fn(&Slide) -> (f64, Seconds)| {
            let largest = self.all.iter().max_by(|a, b| slide(a).0.total_cmp(&slide(b).0));
            largest.map_or((0.0, Seconds(0.0), ""), |largest| {
                let (value, time) = slide(largest);
                (value, time, largest.contact.bone.word())
            })
        };
        let ((after, time, bone), (before, ..)) = (of(|entry| entry.after), of(|entry| entry.before));
        report.kept(format!(
            "{}, which slide by {} at most ({bone} at {:.3} s), and by {} if they are not held; a knee or an elbow turns by {:.0}° a second \
             faster for it at most",
            counted(self.all.len(), "stand"),
            millimetres(after),
            time.0,
            millimetres(before),
            self.faster.0.to_degrees()
        ));
        report.slides.extend(self.all.iter().map(|entry| dopesheet_core::diag::Slide {
            clip,
            bone: entry.contact.bone.word().to_owned(),
            stand: [entry.contact.start, entry.contact.end],
            before_m: entry.before.0,
            after_m: entry.after.0,
        }));
        let each = self.all.iter().map(|Slide { contact, before, after }| {
            let (start, end) = (contact.start.0, contact.end.0);
            let (after, before) = (millimetres(after.0), millimetres(before.0));
            format!("{} from {start:.3} to {end:.3} s {after} instead of {before}", contact.bone.word())
        });
        report.kept(format!("stands and their slides: {}", each.collect::<Vec<_>>().join(", ")));
    }
}

fn millimetres(metres: f64) -> String {
    format!("{:.1} mm", metres * 1e3)
}

/// Speeds at which a lower bone turns about the upper one, in radians per second, from time to time.
fn speeds(times: &[f64], placed: &[Placed]) -> impl Iterator<Item = f64> {
    let turned = placed.array_windows().map(|[from, to]| to.turn_from(from));
    turned.zip(times.array_windows()).map(|(turned, [from, to])| turned / (to - from))
}
