//! Animations: tracks and instants.

use super::{Reader, columns, within};
use crate::more::animation::{Animation, Body, Displacement, Event, Instant, KeyLaw, Keys, Track, TrackType};
use crate::more::codes;
use crate::more::layout::{DEEPEST_DISPLACEMENT, since, smallest};
use crate::text::Name;
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::Fault;
use dopesheet_core::words::counted;

impl Reader<'_, '_> {
    pub(super) fn animation(&mut self) -> Read<Animation> {
        let mut animation = Animation::default();
        if self.version < since::NO_NAME {
            animation.name = Some(self.string("name")?);
        }
        animation.duration = self.cursor.f32("duration")?;
        if self.version >= since::IS_DELTA {
            animation.is_delta = self.bool("isDelta")?;
        }
        match self.tracks(&mut animation.tracks).and_then(|()| self.instants()) {
            Ok(instants) => animation.instants = instants,
            Err(fault) if self.lenient => self.give_up(*fault, animation.tracks.len()),
            Err(fault) => return Err(fault),
        }
        Ok(animation)
    }

    /// Reads into a list that keeps the tracks in front of a fault.
    fn tracks(&mut self, tracks: &mut Vec<Track>) -> Read<()> {
        let count = self.cursor.count("tracks", smallest::TRACK)?;
        tracks.reserve_exact(count);
        for index in 0..count {
            tracks.push(self.track(0).map_err(|fault| within(fault, "tracks", index))?);
        }
        Ok(())
    }

    fn give_up(&mut self, fault: Fault, kept: usize) {
        self.cursor.take_rest();
        let actual = format!("{} (kept the {} before it)", fault.found, counted(kept, "track"));
        self.report.error(Fault { found: actual.into(), ..fault });
    }

    fn instants(&mut self) -> Read<Vec<Instant>> {
        if self.version < since::INSTANTS {
            return Ok(Vec::new());
        }
        self.array("instants", smallest::INSTANT, |r| {
            Ok(Instant { time: r.cursor.f32("time")?, id: r.cursor.u16("id")? })
        })
    }

    fn track(&mut self, depth: usize) -> Read<Track> {
        let start = self.cursor.clone();
        let code = self.cursor.u32("type")?;
        let name = self.string("name")?;
        let Some(track_type) = TrackType::new(code) else {
            let expected = "a type of track that the game knows".to_owned();
            let actual = format!("{code:#x} (track \"{name}\")");
            return Err(start.fault(codes::UNKNOWN_TRACK_TYPE.code, "type", expected, actual));
        };
        let body = self.body(track_type, depth)?;
        Ok(Track { track_type, name, body })
    }

    fn body(&mut self, track_type: TrackType, depth: usize) -> Read<Body> {
        match track_type.law() {
            KeyLaw::Displacement => self.displacement(depth),
            KeyLaw::Event => {
                let event = if self.version >= since::USER_DATA { Self::event } else { Self::bare_event };
                Ok(Body::Events(self.array("events", smallest::event(self.version), event)?))
            }
            KeyLaw::User => Ok(Body::User { terminate: self.bool("terminate")? }),
            _ => Ok(Body::Keys(Box::new(self.keys(track_type)?))),
        }
    }

    fn displacement(&mut self, depth: usize) -> Read<Body> {
        let below = depth.saturating_add(1);
        if below > DEEPEST_DISPLACEMENT {
            let expected = format!("displacements at most {DEEPEST_DISPLACEMENT} levels deep");
            let actual = format!("one at level {below}");
            return Err(self.cursor.fault(codes::NESTING_TOO_DEEP.code, "position", expected, actual));
        }
        let position = self.track(below).map_err(|fault| Box::new(fault.within("position")))?;
        let rotation = self.track(below).map_err(|fault| Box::new(fault.within("rotation")))?;
        Ok(Body::Displacement(Box::new(Displacement { position, rotation })))
    }

    fn event(&mut self) -> Read<Event> {
        let event = self.bare_event()?;
        Ok(Event { user_data: self.string("userData")?, ..event })
    }

    fn bare_event(&mut self) -> Read<Event> {
        let (time, value) = (self.cursor.f32("time")?, self.cursor.u32("value")?);
        Ok(Event { time, value, user_data: Name::default() })
    }

    fn keys(&mut self, track_type: TrackType) -> Read<Keys> {
        let terminate = self.bool("terminate")?;
        let form = track_type.key_form(self.version);
        let count = self.cursor.count("keys", form.size())?;
        let start = self.cursor.clone();
        let records = self.cursor.take(count.saturating_mul(form.size()), "keys")?;
        let (times, values, shape) =
            columns::read(records, form, self.endian).map_err(|bad| bad.fault(&start, form))?;
        Ok(Keys { terminate, times, values, shape })
    }
}
