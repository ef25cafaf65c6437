//! Forms of tracks written on request only.

use super::packed::{Packed, pack};
use super::tcb;
use crate::more::animation::{KeyLaw, Keys, TrackType};
use crate::more::codes;
use crate::more::wanted::{Rotations, Wanted};
use dopesheet_core::diag::{ErrorUnit, Fault, MaxError, Place, Report};
use dopesheet_core::model::Curve;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::{counted, number};

/// The requested forms of tracks; numbers of tracks in these forms, and their errors.
pub(super) struct Forms {
    request: Wanted,
    /// True if rotations stay floats unless codes hold them exactly.
    keeps_fine: bool,
    packed: usize,
    integers: usize,
    tcb: usize,
    /// Tracks of rotations without a requested form, which stay in floats.
    floats: usize,
    /// Tracks of curves not expressible by tension, continuity and bias.
    other_keys: usize,
    /// The largest turn by rounding, in radians.
    turned: Option<MaxError>,
    /// The largest movement of a key, in seconds, and the key's name.
    moved: Option<(f64, String)>,
}

impl Forms {
    /// No tracks yet.
    pub(super) const fn new(request: Wanted, keeps_fine: bool) -> Self {
        let (turned, moved) = (None, None);
        Self { request, keeps_fine, packed: 0, integers: 0, tcb: 0, floats: 0, other_keys: 0, turned, moved }
    }

    /// The keys of a curve in the requested form, as far as possible.
    pub(super) fn keys(
        &mut self,
        name: &str,
        curve: &Curve,
        track_type: TrackType,
        keys: Keys,
    ) -> (TrackType, Keys) {
        let packed = pack(&keys, track_type, curve, &self.request);
        let is_rotation = track_type.is_rotation();
        match packed.filter(|packed| !is_rotation || !self.keeps_fine || packed.is_same()) {
            Some(packed) => {
                self.add(name, &packed);
                return (packed.track_type, packed.keys);
            }
            None if is_rotation => self.floats += 1,
            None => {}
        }
        if !self.request.tcb || track_type.law() == KeyLaw::Simple {
            return (track_type, keys);
        }
        match tcb::keys(&keys, track_type) {
            Some(dialled) => {
                self.tcb += 1;
                dialled
            }
            None => {
                self.other_keys += 1;
                (track_type, keys)
            }
        }
    }

    fn add(&mut self, name: &str, packed: &Packed) {
        let is_integer = packed.track_type == TrackType::SIMPLE_INTEGER;
        let count = if is_integer { &mut self.integers } else { &mut self.packed };
        *count += 1;
        if packed.is_same() {
            return;
        }
        let [turned, moved] = [packed.turned, packed.moved];
        if turned.0 > self.turned.as_ref().map_or(0.0, |largest| largest.value) {
            let (unit, time) = (ErrorUnit::Radian, Seconds(turned.1));
            self.turned = Some(MaxError { value: turned.0, unit, target: name.to_owned(), time });
        }
        if moved.0 > self.moved.as_ref().map_or(0.0, |largest| largest.0) {
            self.moved = Some((moved.0, format!("{name} at {} s", number(moved.1))));
        }
    }

    pub(super) fn report(self, report: &mut Report) {
        let tracks = |count| counted(count, "track");
        if self.request.rotations != Rotations::Floats {
            report.kept(format!(
                "rotations of {} in fewer bits, of {} in floats",
                tracks(self.packed),
                self.floats
            ));
        }
        if self.request.integers {
            report.kept(format!("{} of steps as 16-bit integers", tracks(self.integers)));
        }
        if self.request.tcb {
            report.kept(format!(
                "{} with tension, continuity and bias, {} whose curves need other keys",
                tracks(self.tcb),
                self.other_keys
            ));
        }
        if let Some(error) = self.turned {
            report.approximated("rotations in fewer bits", error);
        }
        if let Some((by_s, key_name)) = self.moved {
            let check = codes::TIME_MOVED;
            let actual = format!("keys moved by up to {} ms ({key_name})", number(1e3 * by_s));
            report
                .push(check.severity, Fault::new(check.code, Place::File, "times that 16 bits hold", actual));
        }
    }
}
