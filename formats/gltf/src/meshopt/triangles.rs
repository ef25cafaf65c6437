//! Mode 1: triangles, most of which share an edge with one of the last few.

use super::stream::fault;
use super::varint;
use crate::checks::code::MESHOPT;
use dopesheet_core::bytes::{Cursor, Read};

/// The first byte of a stream.
const HEADER: u8 = 0xe1;
/// The table of frequent codes at its end.
const TAIL_BYTES: usize = 16;

/// The last 16 items pushed.
struct Recent<T> {
    slots: [T; 16],
    pushed: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Self {
        Self { slots: [T::default(); 16], pushed: 0 }
    }

    fn push(&mut self, value: T) {
        if let Some(slot) = self.slots.get_mut(self.pushed % 16) {
            *slot = value;
        }
        self.pushed = self.pushed.wrapping_add(1);
    }

    /// The item pushed `back` pushes before the last; `None` if there were fewer pushes.
    fn get(&self, back: usize) -> Option<T> {
        let at = self.pushed.checked_sub(back)?.checked_sub(1)?;
        self.slots.get(at % 16).copied()
    }
}

/// A decoder under way.
struct Decoder<'a> {
    data: Cursor<'a>,
    /// The lowest index not met so far.
    next: u32,
    /// The last index stored as a difference.
    last: u32,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
}

/// The indices of `count / 3` triangles.
pub(super) fn decode(stream: &[u8], count: usize) -> Read<Vec<u32>> {
    let (mut c, table) = super::stream::open(stream, &[HEADER], TAIL_BYTES)?;
    let sound = |byte: &u8| byte & 0x0f != 0x0f && byte >> 4 != 0x0f;
    if !table.iter().all(sound) || !table.ends_with(&[0, 0]) {
        let expected = "a table of codes without 15 that ends in two zeros".to_owned();
        return Err(fault(stream.len().saturating_sub(TAIL_BYTES), expected, format!("{table:02x?}")));
    }
    let codes = c.take(count / 3, "triangle codes")?;
    let mut decoder = Decoder { data: c, next: 0, last: 0, edges: Recent::new(), vertices: Recent::new() };
    let mut all = Vec::with_capacity(count);
    for code in codes {
        all.extend(decoder.triangle(*code, table)?);
    }
    super::stream::at_end(&decoder.data)?;
    Ok(all)
}

impl Decoder<'_> {
    fn triangle(&mut self, code: u8, table: &[u8]) -> Read<[u32; 3]> {
        let (high, low) = (code >> 4, code & 0x0f);
        match (high, low) {
            (0..=14, _) => self.triangle_on_edge(usize::from(high), low),
            (_, 0..=13) => {
                let parts = table.get(usize::from(low)).copied().unwrap_or_default();
                let a = self.fresh();
                self.apart(a, parts)
            }
            _ => {
                let parts = self.data.u8("triangle code")?;
                if parts == 0 {
                    self.next = 0;
                }
                let a = if low == 14 { self.fresh() } else { self.stored()? };
                self.apart(a, parts)
            }
        }
    }

    /// A triangle on a recent edge.
    fn triangle_on_edge(&mut self, edge: usize, code: u8) -> Read<[u32; 3]> {
        let Some([a, b]) = self.edges.get(edge) else { return Err(self.unknown("edge")) };
        let c = match code {
            0 => self.fresh(),
            13 => self.step(u32::MAX),
            14 => self.step(1),
            15 => self.stored()?,
            recent => self.recent(usize::from(recent))?,
        };
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        if !(1..13).contains(&code) {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }

    /// A triangle by itself; the halves of `parts` state the sources of the second and third index.
    fn apart(&mut self, a: u32, parts: u8) -> Read<[u32; 3]> {
        let (second, third) = (parts >> 4, parts & 0x0f);
        let b = self.part(second)?;
        let c = self.part(third)?;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        self.vertices.push(a);
        for (part, vertex) in [(second, b), (third, c)] {
            if matches!(part, 0 | 15) {
                self.vertices.push(vertex);
            }
        }
        Ok([a, b, c])
    }

    fn part(&mut self, part: u8) -> Read<u32> {
        match part {
            0 => Ok(self.fresh()),
            15 => self.stored(),
            recent => self.recent(usize::from(recent).saturating_sub(1)),
        }
    }

    fn fresh(&mut self) -> u32 {
        let fresh = self.next;
        self.next = self.next.wrapping_add(1);
        fresh
    }

    fn step(&mut self, difference: u32) -> u32 {
        self.last = self.last.wrapping_add(difference);
        self.last
    }

    fn stored(&mut self) -> Read<u32> {
        let difference = varint::signed(varint::read(&mut self.data)?);
        Ok(self.step(difference))
    }

    fn recent(&self, back: usize) -> Read<u32> {
        self.vertices.get(back).ok_or_else(|| self.unknown("vertex"))
    }

    fn unknown(&self, what: &'static str) -> Box<dopesheet_core::diag::Fault> {
        let (expected, actual) = (format!("a recent {what} that was there"), "one before the first".into());
        self.data.fault(MESHOPT, "triangles", expected, actual)
    }
}
