//! Keys, stored consecutively in the file, as columns.

use crate::more::animation::{Bezier, Shape, Stored, Tcb, TcbSettings, Times, Turn, Values};
use crate::more::codes;
use crate::more::layout::{KeyForm, KeyLaw, SETTINGS, TURN};
use dopesheet_core::bytes::{Cursor, Endian};
use dopesheet_core::diag::Fault;

/// A switch of a key with a value other than 0 and 1.
pub(super) struct BadBool {
    key: usize,
    byte: u8,
}

impl BadBool {
    /// The fault at the switch's place; `start` is at the first key.
    pub(super) fn fault(&self, start: &Cursor<'_>, form: KeyForm) -> Box<Fault> {
        let mut at = start.clone();
        let end = self.key.saturating_add(1).saturating_mul(form.size());
        // The switch is the key's last byte; all keys have been taken before, so these bytes are there.
        let _ = at.take(end.saturating_sub(1), "keys");
        let path = format!("keys[{}].flatOut", self.key);
        at.fault(codes::BAD_BOOL.code, &path, "0 or 1".to_owned(), self.byte.to_string())
    }
}

/// The columns of whole keys.
pub(super) fn read(records: &[u8], form: KeyForm, endian: Endian) -> Result<(Times, Values, Shape), BadBool> {
    match endian {
        Endian::Little => Columns::<false> { records, form }.read(),
        Endian::Big => Columns::<true> { records, form }.read(),
    }
}

struct Columns<'a, const BIG: bool> {
    records: &'a [u8],
    form: KeyForm,
}

impl<const BIG: bool> Columns<'_, BIG> {
    fn read(&self) -> Result<(Times, Values, Shape), BadBool> {
        let times = match self.form.short_times {
            true => Times::Codes(self.column(0, u16_of::<BIG>)),
            false => Times::Seconds(self.column(0, f32_of::<BIG>)),
        };
        let values = self.values(self.form.time_size(), self.form.stored);
        let shape = match (self.form.law, self.form.derivatives) {
            (KeyLaw::Bezier, Some((form, has_dst))) => Shape::Bezier(self.bezier(form, has_dst)?),
            (KeyLaw::Tcb, Some((derivatives, _))) => Shape::Tcb(Box::new(self.tcb(derivatives))),
            _ => Shape::Plain,
        };
        Ok((times, values, shape))
    }

    fn bezier(&self, form: Stored, has_dst: bool) -> Result<Bezier, BadBool> {
        let offset = self.form.derivative_offset();
        let switches =
            self.column(offset.saturating_add(self.form.derivatives_size()), |[byte]: &[u8; 1]| *byte);
        if let Some((key, byte)) = switches.iter().enumerate().find(|(_, byte)| **byte > 1) {
            return Err(BadBool { key, byte: *byte });
        }
        Ok(Bezier {
            der_src: self.values(offset, form),
            der_dst: has_dst.then(|| self.values(offset.saturating_add(form.size()), form)),
            flat_out: switches.into_iter().map(|byte| byte == 1).collect(),
        })
    }

    fn tcb(&self, form: Stored) -> Tcb {
        let offset = self.form.derivative_offset();
        let turns = offset.saturating_add(self.form.derivatives_size());
        Tcb {
            settings: self.column(offset.saturating_sub(SETTINGS), |bytes: &[u8; SETTINGS]| {
                let [tension, continuity, bias, ease_to, ease_from] = floats::<BIG, 5, SETTINGS>(bytes);
                TcbSettings { tension, continuity, bias, ease_to, ease_from }
            }),
            der_src: self.values(offset, form),
            der_dst: self.values(offset.saturating_add(form.size()), form),
            turns: if self.form.has_turns { self.column(turns, turn_of::<BIG>) } else { Vec::new() },
        }
    }

    fn values(&self, offset: usize, form: Stored) -> Values {
        match form {
            Stored::U16 => Values::Integers(self.column(offset, u16_of::<BIG>)),
            Stored::F32 => Values::Floats(self.column(offset, f32_of::<BIG>)),
            Stored::Vector3 => Values::Vectors(self.column(offset, floats::<BIG, 3, 12>)),
            Stored::Quaternion => Values::Quaternions(self.column(offset, floats::<BIG, 4, 16>)),
            Stored::Quaternion32 => Values::Quaternions32(self.column(offset, u32_of::<BIG>)),
            Stored::Quaternion48 => Values::Quaternions48(self.column(offset, triple_of::<BIG>)),
            Stored::Angles => Values::Angles(self.column(offset, triple_of::<BIG>)),
        }
    }

    /// The `N` bytes at an offset in each key. Keys are whole, so these bytes are always present.
    fn column<T, const N: usize>(&self, offset: usize, decode: impl Fn(&[u8; N]) -> T) -> Vec<T> {
        let field = |key: &[u8]| decode(key.get(offset..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; N]));
        self.records.chunks_exact(self.form.size().max(1)).map(field).collect()
    }
}

fn u16_of<const BIG: bool>(bytes: &[u8; 2]) -> u16 {
    if BIG { u16::from_be_bytes(*bytes) } else { u16::from_le_bytes(*bytes) }
}

fn u32_of<const BIG: bool>(bytes: &[u8; 4]) -> u32 {
    if BIG { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) }
}

fn f32_of<const BIG: bool>(bytes: &[u8; 4]) -> f32 {
    f32::from_bits(u32_of::<BIG>(bytes))
}

fn triple_of<const BIG: bool>(bytes: &[u8; 6]) -> [u16; 3] {
    let mut out = [0; 3];
    out.iter_mut().zip(bytes.as_chunks::<2>().0).for_each(|(to, from)| *to = u16_of::<BIG>(from));
    out
}

fn floats<const BIG: bool, const COUNT: usize, const SIZE: usize>(bytes: &[u8; SIZE]) -> [f32; COUNT] {
    let mut out = [0.0; COUNT];
    out.iter_mut().zip(bytes.as_chunks::<4>().0).for_each(|(to, from)| *to = f32_of::<BIG>(from));
    out
}

fn turn_of<const BIG: bool>(bytes: &[u8; TURN]) -> Turn {
    let [angle, x, y, z] = floats::<BIG, 4, TURN>(bytes);
    Turn { angle, axis: [x, y, z] }
}
