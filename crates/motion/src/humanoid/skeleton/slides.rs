//! How far feet and hands slide that should stand.

use super::plants::Footing;
use crate::humanoid::contacts::Contact;
use crate::humanoid::limb::Placed;
use dopesheet_core::diag::Report;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;

/// A stand with its largest slides in metres, and their times.
struct Slide {
    contact: Contact,
    /// Before it was held.
    before: (f64, Seconds),
    after: (f64, Seconds),
}

/// Slides of a clip.
pub(super) struct Slides {
    all: Vec<Slide>,
    /// Largest speed in radians per second by which a knee or elbow turns faster than before.
    faster: f64,
}

impl Slides {
    /// Those of limbs, given how they went before they were held and how they go now.
    pub(super) fn of<'a>(
        times: &[f64],
        limbs: impl Iterator<Item = (&'a Footing, [&'a [Placed]; 2])>,
    ) -> Self {
        let mut slides = Self { all: Vec::new(), faster: 0.0 };
        for (footing, placed) in limbs {
            for contact in &footing.contacts {
                let [before, after] = placed.map(|placed| footing.slide(contact, times, placed));
                slides.all.push(Slide { contact: *contact, before, after });
            }
            let [before, after] = placed.map(|placed| speeds(times, placed));
            let faster = after.zip(before).map(|(after, before)| after - before);
            slides.faster = faster.fold(slides.faster, f64::max);
        }
        slides
    }

    /// Says how many stands there are, and how far they slide in a clip.
    pub(super) fn report(&self, clip: usize, report: &mut Report) {
        let of = |slide: fn(&Slide) -> (f64, Seconds)| {
            let worst = self.all.iter().max_by(|a, b| slide(a).0.total_cmp(&slide(b).0));
            worst.map_or((0.0, Seconds(0.0), ""), |worst| {
                let (value, time) = slide(worst);
                (value, time, worst.contact.bone.word())
            })
        };
        let ((after, time, bone), (before, ..)) = (of(|own| own.after), of(|own| own.before));
        report.kept(format!(
            "{}, which slide by {} at most ({bone} at {:.3} s), and by {} if they are not held; a knee or an elbow turns by {:.0}° a second \
             faster for it at most",
            counted(self.all.len(), "stand"),
            millimetres(after),
            time.0,
            millimetres(before),
            self.faster.to_degrees()
        ));
        report.slides.extend(self.all.iter().map(|own| dopesheet_core::diag::Slide {
            clip,
            bone: own.contact.bone.word().to_owned(),
            stand: [own.contact.start, own.contact.end],
            before_m: own.before.0,
            after_m: own.after.0,
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

/// Speeds of a middle joint in radians per second, from time to time.
fn speeds(times: &[f64], placed: &[Placed]) -> impl Iterator<Item = f64> {
    let turned = placed.array_windows().map(|[from, to]| (to.angle() - from.angle()).abs());
    turned.zip(times.array_windows()).map(|(turned, [from, to])| turned / (to - from))
}
