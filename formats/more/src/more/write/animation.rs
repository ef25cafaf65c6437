//! Animations: tracks and instants.

use super::{Write, Writer};
use crate::more::animation::{
    Animation, Bezier, Body, Event, KeyLaw, Keys, Shape, Tcb, Times, Track, Values,
};
use crate::more::layout::{KeyForm, Stored, since};
use dopesheet_core::bytes::ByteBuilder;

impl Writer {
    pub(super) fn animation(&mut self, animation: &Animation) -> Write {
        match &animation.name {
            Some(name) if self.version < since::NO_NAME => self.string(name, "name")?,
            None if self.version < since::NO_NAME => self.count(0, "name")?,
            name => self.absent(name.is_none(), "name", "below 0xf")?,
        }
        self.out.f32(animation.duration);
        if self.version >= since::IS_DELTA {
            self.bool(animation.is_delta);
        } else {
            self.absent(!animation.is_delta, "isDelta", "since 0xc")?;
        }
        self.array(&animation.tracks, "tracks", Self::track)?;
        if self.version < since::INSTANTS {
            return self.absent(animation.instants.is_empty(), "instants", "since 0x9");
        }
        self.array(&animation.instants, "instants", |w, instant| {
            w.out.f32(instant.time).u16(instant.id);
            Ok(())
        })
    }

    fn track(&mut self, track: &Track) -> Write {
        let law = track.track_type.law();
        let fits = match &track.body {
            Body::Keys(_) => matches!(law, KeyLaw::Simple | KeyLaw::Linear | KeyLaw::Bezier | KeyLaw::Tcb),
            Body::Displacement(_) => law == KeyLaw::Displacement,
            Body::Events(_) => law == KeyLaw::Event,
            Body::User { .. } => law == KeyLaw::User,
        };
        if !fits {
            let actual = format!("another one in a track of type {}", track.track_type);
            return Err(self.fault("type", "the body of that type", actual));
        }
        self.out.u32(track.track_type.code());
        self.string(&track.name, "name")?;
        match &track.body {
            Body::Keys(keys) => self.keys(keys, track.track_type.key_form(self.version)),
            Body::Displacement(pair) => {
                self.track(&pair.position).map_err(|f| Box::new(f.within("position")))?;
                self.track(&pair.rotation).map_err(|f| Box::new(f.within("rotation")))
            }
            Body::Events(events) => self.array(events, "events", Self::event),
            Body::User { terminate } => {
                self.bool(*terminate);
                Ok(())
            }
        }
    }

    fn event(&mut self, event: &Event) -> Write {
        self.out.f32(event.time).u32(event.value);
        if self.version >= since::USER_DATA {
            return self.string(&event.user_data, "userData");
        }
        self.absent(event.user_data.0.is_empty(), "userData", "since 0x2")
    }

    fn keys(&mut self, keys: &Keys, form: KeyForm) -> Write {
        self.bool(keys.terminate);
        self.check_form(keys, form)?;
        self.count(keys.len(), "keys")?;
        for key in 0..keys.len() {
            self.key(keys, key);
        }
        Ok(())
    }

    /// Checks that every column has the form and the length needed in the file.
    fn check_form(&self, keys: &Keys, form: KeyForm) -> Write {
        if matches!(keys.times, Times::Codes(_)) != form.short_times {
            let expected = if form.short_times { "codes of 16 bits" } else { "seconds" };
            return Err(self.fault("keys.times", expected, "the other form"));
        }
        self.check_column(&keys.values, keys.len(), form.stored, "keys.values")?;
        match (&keys.shape, form.derivatives) {
            (Shape::Plain, None) => Ok(()),
            (Shape::Bezier(bezier), Some((stored, has_dst))) if form.law == KeyLaw::Bezier => {
                self.check_bezier(bezier, keys.len(), stored, has_dst)
            }
            (Shape::Tcb(tcb), Some((stored, _))) if form.law == KeyLaw::Tcb => {
                self.check_tcb(tcb, keys.len(), stored, form.has_turns)
            }
            _ => Err(self.fault("keys", format!("keys of {:?}", form.law), "keys of another law")),
        }
    }

    fn check_bezier(&self, bezier: &Bezier, keys: usize, stored: Stored, has_dst: bool) -> Write {
        self.check_column(&bezier.der_src, keys, stored, "keys.derSrc")?;
        match (&bezier.der_dst, has_dst) {
            (Some(der_dst), true) => self.check_column(der_dst, keys, stored, "keys.derDst")?,
            (None, false) => {}
            _ => return Err(self.fault("keys.derDst", "it as the version has it", "it otherwise")),
        }
        self.check_length(bezier.flat_out.len(), keys, "keys.flatOut")
    }

    fn check_tcb(&self, tcb: &Tcb, keys: usize, stored: Stored, has_turns: bool) -> Write {
        self.check_length(tcb.settings.len(), keys, "keys.settings")?;
        self.check_column(&tcb.der_src, keys, stored, "keys.derSrc")?;
        self.check_column(&tcb.der_dst, keys, stored, "keys.derDst")?;
        self.check_length(tcb.turns.len(), if has_turns { keys } else { 0 }, "keys.turns")
    }

    fn check_column(&self, column: &Values, keys: usize, stored: Stored, path: &str) -> Write {
        if column.stored() != stored {
            return Err(self.fault(path, stored.word(), column.stored().word()));
        }
        self.check_length(column.len(), keys, path)
    }

    fn check_length(&self, length: usize, keys: usize, path: &str) -> Write {
        if length == keys {
            return Ok(());
        }
        Err(self.fault(path, format!("{keys}, as many as there are keys"), length.to_string()))
    }

    fn key(&mut self, keys: &Keys, key: usize) {
        match &keys.times {
            Times::Seconds(times) => self.out.f32(times[key]),
            Times::Codes(codes) => self.out.u16(codes[key]),
        };
        value(&mut self.out, &keys.values, key);
        match &keys.shape {
            Shape::Plain => {}
            Shape::Bezier(bezier) => {
                value(&mut self.out, &bezier.der_src, key);
                if let Some(der_dst) = &bezier.der_dst {
                    value(&mut self.out, der_dst, key);
                }
                self.bool(bezier.flat_out[key]);
            }
            Shape::Tcb(tcb) => self.tcb(tcb, key),
        }
    }

    fn tcb(&mut self, tcb: &Tcb, key: usize) {
        let s = tcb.settings[key];
        self.out.f32s(&[s.tension, s.continuity, s.bias, s.ease_to, s.ease_from]);
        value(&mut self.out, &tcb.der_src, key);
        value(&mut self.out, &tcb.der_dst, key);
        if let Some(turn) = tcb.turns.get(key) {
            self.out.f32(turn.angle).f32s(&turn.axis);
        }
    }
}

fn value(out: &mut ByteBuilder, values: &Values, key: usize) {
    match values {
        Values::Integers(v) => {
            out.u16(v[key]);
        }
        Values::Floats(v) => {
            out.f32(v[key]);
        }
        Values::Vectors(v) => {
            out.f32s(&v[key]);
        }
        Values::Quaternions(v) => {
            out.f32s(&v[key]);
        }
        Values::Quaternions32(v) => {
            out.u32(v[key]);
        }
        Values::Quaternions48(v) | Values::Angles(v) => {
            for code in v[key] {
                out.u16(code);
            }
        }
    }
}
